#include "data/import/import_tff.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/progress.h"
#include "data/dataset_writer.h"
#include "data/import/hdf5_file.h"
#include "data/import/import_files.h"
#include "fmt/format.h"

namespace sfumato::data {
namespace {

constexpr std::array<std::string_view, 2> kEndings = {".h5", ".hdf5"};
constexpr int kSide = 28;
constexpr std::int64_t kDigits = 10;
constexpr std::string_view kCharacters =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

// "train" of fed_emnist_train.h5; the whole stem when it ends otherwise.
std::string SplitName(const base::Path& path) {
  const std::string stem = path.stem().string();
  for (const char* split : {"train", "test", "held_out"}) {
    if (stem.ends_with(split)) return split;
  }
  return stem;
}

// Writes clients that have an example and counts those that have none.
class ClientWriter {
 public:
  ClientWriter(const base::Path& out, const DatasetInfo& info)
      : writer_(out, info) {}

  DatasetInfo& info() { return writer_.info(); }
  bool empty() const { return writer_.examples() == 0; }
  void Skip(const std::string& reason) { ++skipped_[reason]; }

  void Begin(const std::string& id) {
    waiting_ = id;
    ++clients_;
  }

  void Add(const Example& example) {
    if (!waiting_.empty()) writer_.BeginUser(waiting_);
    waiting_.clear();
    writer_.Add(example);
  }

  DatasetSummary Finish(const LabelNames& labels = {}) {
    const std::uint64_t silent = clients_ - writer_.users();
    if (silent > 0) skipped_[kEmptyUser] = silent;
    return FinishImport(writer_, std::move(skipped_), labels);
  }

 private:
  DatasetWriter writer_;
  std::string waiting_;  // the client whose first example is to come
  std::uint64_t clients_ = 0;
  Skipped skipped_;
};

// The files of one import, opened, and which of them each client is in.
class TffFiles {
 public:
  explicit TffFiles(const std::vector<base::Path>& inputs) {
    paths_ = ListFiles(inputs, kEndings);
    for (const base::Path& path : paths_) {
      for (const std::string& other : splits_) {
        if (other == SplitName(path)) {
          throw BadInput(fmt::format("two files of the split '{}'", other),
                         path.string());
        }
      }
      splits_.push_back(SplitName(path));
      files_.emplace_back(path);
      for (std::string& id : files_.back().Children("/examples")) {
        clients_[std::move(id)].push_back(files_.size() - 1);
      }
    }
    if (files_.empty()) {
      throw BadInput("nothing to import", "", "name an .h5 file");
    }
    if (clients_.empty()) {
      throw BadInput("no client in it", files_.front().Where("/examples"));
    }
  }

  const std::vector<base::Path>& paths() const { return paths_; }
  const std::vector<std::string>& splits() const { return splits_; }
  bool several() const { return files_.size() > 1; }

  // Calls `use` with each client in the order of ids, and each file that has
  // it. Clients begin at `writer`. Errors name a client by its number.
  template <typename Use>
  void ForEachClient(ClientWriter& writer, Use use) const {
    base::Progress progress("importing", clients_.size(), "clients");
    std::size_t number = 0;
    for (const auto& [id, where] : clients_) {
      const std::string group = "/examples/" + id;
      writer.Begin(id);
      for (const std::size_t file : where) {
        try {
          use(files_[file], group, static_cast<std::int32_t>(file));
        } catch (const Error& error) {
          throw WithoutId(error, group, number);
        }
      }
      progress.Advance();
      ++number;
    }
  }

 private:
  static Error WithoutId(const Error& error, const std::string& group,
                         std::size_t number) {
    std::string where = error.where();
    const std::size_t at = where.find(group);
    if (at == where.npos) return error;
    where.replace(at, group.size(),
                  fmt::format("/examples, client {}", number));
    return Error(error.kind(), error.what(), where, error.todo());
  }

  std::vector<base::Path> paths_;
  std::vector<std::string> splits_;
  std::vector<Hdf5File> files_;
  std::map<std::string, std::vector<std::size_t>> clients_;
};

DatasetInfo CommonInfo(const ImportRequest& request, std::string_view format,
                       const TffFiles& files) {
  DatasetInfo info = StartImport(request, format, files.paths());
  if (files.several()) info.columns.push_back({"split", files.splits()});
  return info;
}

// Ink is what is missing of the paper's 1.
void ToInk(std::span<const float> pixels, const std::string& where,
           std::vector<std::uint8_t>& ink) {
  ink.clear();
  for (const float value : pixels) {
    if (!(value >= 0.0f && value <= 1.0f)) {
      throw BadInput("a pixel outside 0 to 1", where);
    }
    ink.push_back(static_cast<std::uint8_t>(255.0f * (1.0f - value) + 0.5f));
  }
}

// Reads one client's images, all of one file.
class EmnistClient {
 public:
  EmnistClient(const Hdf5File& file, const std::string& group)
      : where_(file.Where(group)) {
    std::array<std::uint64_t, 3> shape = {};
    pixels_ = file.ReadFloats(group + "/pixels", shape);
    labels_ = file.ReadIntegers(group + "/label");
    if (shape[1] != kSide || shape[2] != kSide) {
      throw BadInput(
          fmt::format("pixels of {} × {} where {} × {} were expected", shape[1],
                      shape[2], kSide, kSide),
          file.Where(group + "/pixels"));
    }
    if (shape[0] != labels_.size()) {
      throw BadInput(
          fmt::format("{} labels for {} images", labels_.size(), shape[0]),
          file.Where(group + "/label"));
    }
  }

  std::size_t size() const { return labels_.size(); }

  std::int32_t label(std::size_t i) const {
    if (labels_[i] < 0 ||
        labels_[i] >= static_cast<std::int64_t>(kCharacters.size())) {
      throw BadInput(
          fmt::format("label {} is outside 0 to {}", i, kCharacters.size() - 1),
          where_ + "/label");
    }
    return static_cast<std::int32_t>(labels_[i]);
  }

  void Image(std::size_t i, std::vector<std::uint8_t>& ink) const {
    constexpr std::size_t kSize = std::size_t{kSide} * kSide;
    ToInk(std::span(pixels_).subspan(i * kSize, kSize), where_ + "/pixels",
          ink);
  }

 private:
  std::string where_;
  std::vector<float> pixels_;         // [n, 28, 28]
  std::vector<std::int64_t> labels_;  // [n]
};

// Numbers the values of a column as they come, or, of private data, those that
// the format has, and all others as one.
class ColumnValues {
 public:
  ColumnValues(Column& column, Origin origin)
      : column_(column), fixed_(origin == Origin::kPrivate) {
    if (!fixed_) return;
    column_.values = {"question", "answer", "other"};
  }

  std::int32_t Number(const std::string& value) {
    if (fixed_) return value == "question" ? 0 : value == "answer" ? 1 : 2;
    const auto [at, added] =
        numbers_.try_emplace(value, static_cast<std::int32_t>(numbers_.size()));
    if (added) column_.values.push_back(value);
    return at->second;
  }

 private:
  Column& column_;
  bool fixed_;
  std::map<std::string, std::int32_t> numbers_;
};

}  // namespace

DatasetSummary ImportTffEmnist(const ImportRequest& request) {
  const TffFiles files(request.inputs);
  DatasetInfo info = CommonInfo(request, "tff-emnist", files);
  info.kind = Kind::kImages;
  info.image = {kSide, kSide, 1};
  ClientWriter writer(request.out, info);
  LabelNames declared(request);
  std::int64_t largest = 0;
  std::vector<std::uint8_t> ink;
  files.ForEachClient(
      writer,
      [&](const Hdf5File& file, const std::string& group, std::int32_t split) {
        const EmnistClient client(file, group);
        for (std::size_t i = 0; i < client.size(); ++i) {
          client.Image(i, ink);
          std::int32_t label = client.label(i);
          largest = std::max<std::int64_t>(largest, label);
          if (request.classes) {
            label = declared.Code(
                kCharacters.substr(static_cast<std::size_t>(label), 1));
          }
          writer.Add({.pixels = ink,
                      .label = label,
                      .columns = {&split, files.several() ? 1u : 0u}});
        }
      });
  if (request.classes) {
    writer.info().classes = *request.classes;
    return writer.Finish(declared);
  }
  // Whether anybody wrote a letter is not asked of private data: the format has
  // 62 characters.
  const bool digits = largest < kDigits && request.origin != Origin::kPrivate;
  for (const char c :
       kCharacters.substr(0, digits ? kDigits : kCharacters.size())) {
    writer.info().classes.emplace_back(1, c);
  }
  return writer.Finish();
}

DatasetSummary ImportTffStackOverflow(const ImportRequest& request) {
  const TffFiles files(request.inputs);
  DatasetInfo info = CommonInfo(request, "tff-stackoverflow", files);
  info.kind = Kind::kText;
  info.text_form = TextForm::kTokens;
  info.columns.insert(info.columns.begin(), Column{"type", {}});
  ClientWriter writer(request.out, info);
  ColumnValues types(writer.info().columns.front(), request.origin);
  files.ForEachClient(
      writer,
      [&](const Hdf5File& file, const std::string& group, std::int32_t split) {
        const auto tokens = file.ReadStrings(group + "/tokens");
        const auto type = file.ReadStrings(group + "/type");
        if (type.size() != tokens.size()) {
          throw BadInput(fmt::format("{} types for {} sentences", type.size(),
                                     tokens.size()),
                         file.Where(group + "/type"));
        }
        for (std::size_t i = 0; i < tokens.size(); ++i) {
          if (tokens[i].empty()) {
            writer.Skip("empty sentence");
            continue;
          }
          RequireUtf8(tokens[i], file.Where(group + "/tokens"));
          RequireUtf8(type[i], file.Where(group + "/type"));
          const std::array<std::int32_t, 2> columns = {types.Number(type[i]),
                                                       split};
          writer.Add(
              {.text = tokens[i],
               .columns = std::span(columns).first(files.several() ? 2 : 1)});
        }
      });
  if (writer.empty()) {
    throw BadInput("no sentence in it", request.inputs.front().string());
  }
  return writer.Finish();
}

}  // namespace sfumato::data
