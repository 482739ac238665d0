#include "data/import/stackexchange_xml.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <utility>

#include "base/ascii.h"
#include "base/error.h"
#include "fmt/format.h"

#if SFUMATO_HAS_EXPAT
#include <expat.h>
#endif

namespace sfumato::data {

#if SFUMATO_HAS_EXPAT

namespace {

// A row is kept in memory while it is read. Posts end at 30,000 characters.
constexpr std::uint64_t kMaxRowBytes = std::uint64_t{1} << 24;
constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

}  // namespace

// What expat's callbacks work on. They may not throw through its C frames:
// what goes wrong is kept, parsing stops, and Parse throws it.
struct DumpParser::State {
  std::string name;
  std::function<void(const DumpRow&)> on_row;
  XML_Parser parser = XML_ParserCreate(nullptr);
  std::exception_ptr failure;
  int depth = 0;
  bool comments = false;
  std::uint64_t fed = 0;      // bytes so far
  std::uint64_t row_end = 0;  // where the last tag was

  State() {
    if (parser == nullptr) throw std::bad_alloc();
  }
  ~State() { XML_ParserFree(parser); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  std::string Where() const {
    return fmt::format("{}:{}", name, XML_GetCurrentLineNumber(parser));
  }

  template <typename Work>
  void Guarded(Work work) {
    if (failure) return;
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
      XML_StopParser(parser, XML_FALSE);
    }
  }

  std::int64_t Number(const char* key, std::string_view value) const {
    const auto number = base::ParseNumber<std::int64_t>(value);
    if (!number) {
      throw BadInput(fmt::format("{} is not a number", key), Where());
    }
    return *number;
  }

  DumpRow Row(const char** attributes) const {
    DumpRow row;
    row.comment = comments;
    for (; *attributes != nullptr; attributes += 2) {
      const std::string_view key = attributes[0];
      const char* value = attributes[1];
      if (key == (comments ? "UserId" : "OwnerUserId")) {
        row.user = Number(attributes[0], value);
      } else if (key == (comments ? "Text" : "Body")) {
        row.text = value;
      } else if (key == "Title") {
        row.title = value;
      } else if (key == "PostTypeId") {
        row.post_type = static_cast<int>(
            std::clamp<std::int64_t>(Number(attributes[0], value), 0, 99));
      }
    }
    return row;
  }

  void Begin(std::string_view element, const char** attributes) {
    ++depth;
    row_end = static_cast<std::uint64_t>(XML_GetCurrentByteIndex(parser));
    if (depth == 1) {
      comments = element == "comments";
      if (!comments && element != "posts") {
        throw BadInput("neither <posts> nor <comments>", Where(),
                       "give Posts.xml or Comments.xml of a dump");
      }
    } else if (depth == 2 && element == "row") {
      on_row(Row(attributes));
    } else {
      throw BadInput("another element where <row> was expected", Where());
    }
  }

  void Parse(std::string_view piece, bool last) {
    const XML_Status status = XML_Parse(
        parser, piece.data(), static_cast<int>(piece.size()), last ? 1 : 0);
    if (failure) std::rethrow_exception(failure);
    if (status != XML_STATUS_OK) {
      throw BadInput(fmt::format("malformed XML: {}",
                                 XML_ErrorString(XML_GetErrorCode(parser))),
                     Where());
    }
    fed += piece.size();
    if (fed - std::min(fed, row_end) > kMaxRowBytes && !last) {
      throw BadInput(fmt::format("a row of more than {} bytes", kMaxRowBytes),
                     Where());
    }
  }
};

DumpParser::DumpParser(std::string name,
                       std::function<void(const DumpRow&)> on_row)
    : state_(std::make_unique<State>()) {
  state_->name = std::move(name);
  state_->on_row = std::move(on_row);
  XML_SetUserData(state_->parser, state_.get());
  XML_SetElementHandler(
      state_->parser,
      [](void* self, const char* element, const char** attributes) {
        auto* s = static_cast<State*>(self);
        s->Guarded([&] { s->Begin(element, attributes); });
      },
      [](void* self, const char*) { --static_cast<State*>(self)->depth; });
  XML_SetStartDoctypeDeclHandler(
      state_->parser,
      [](void* self, const char*, const char*, const char*, int) {
        auto* s = static_cast<State*>(self);
        s->Guarded([&] {
          throw BadInput("a document type, which no dump has", s->Where(),
                         "give the file as Stack Exchange publishes it");
        });
      });
}

DumpParser::~DumpParser() = default;

void DumpParser::Feed(std::string_view piece) {
  for (; !piece.empty();
       piece.remove_prefix(std::min(piece.size(), kPieceBytes))) {
    state_->Parse(piece.substr(0, kPieceBytes), false);
  }
}

void DumpParser::Finish() { state_->Parse({}, true); }

#else

struct DumpParser::State {};

DumpParser::DumpParser(std::string name, std::function<void(const DumpRow&)>)
    : state_(nullptr) {
  throw Unsupported("this build cannot read Stack Exchange dumps", name,
                    "install expat (libexpat1-dev) and build again");
}
DumpParser::~DumpParser() = default;
void DumpParser::Feed(std::string_view) {}
void DumpParser::Finish() {}

#endif

}  // namespace sfumato::data
