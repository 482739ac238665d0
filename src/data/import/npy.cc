#include "data/import/npy.h"

#include <bit>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

#include "base/error.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace sfumato::data {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMaxDims = 32;  // NumPy's own limit

struct Header {
  std::optional<std::string> descr;
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::uint64_t>> shape;
};

// Reads the Python dictionary {'descr': '<f4', 'fortran_order': False,
// 'shape': (3, 4), } and nothing else.
class HeaderReader {
 public:
  HeaderReader(std::string_view text, std::string where, std::size_t offset)
      : text_(text), where_(std::move(where)), offset_(offset) {}

  Header Read() {
    Header header;
    Expect('{');
    while (!Take('}')) {
      const std::string key = ReadString();
      Expect(':');
      if (key == "descr" && !header.descr) {
        header.descr = ReadString();
      } else if (key == "fortran_order" && !header.fortran_order) {
        header.fortran_order = ReadBool();
      } else if (key == "shape" && !header.shape) {
        header.shape = ReadShape();
      } else {
        throw Bad(
            fmt::format("'{}' where 'descr', 'fortran_order' and "
                        "'shape' were expected, once each",
                        key));
      }
      if (!Take(',') && Peek() != '}') throw Bad("expected ',' or '}'");
    }
    if (Peek() != 0) throw Bad("something follows the header");
    if (!header.descr || !header.fortran_order || !header.shape) {
      throw Bad("'descr', 'fortran_order' or 'shape' is missing");
    }
    return header;
  }

 private:
  // The next character that is not white space; 0 at the end.
  char Peek() {
    at_ = std::min(text_.find_first_not_of(" \n", at_), text_.size());
    return at_ < text_.size() ? text_[at_] : 0;
  }
  bool Take(char c) {
    if (Peek() != c) return false;
    ++at_;
    return true;
  }
  void Expect(char c) {
    if (!Take(c)) throw Bad(fmt::format("expected '{}'", c));
  }
  bool TakeWord(std::string_view word) {
    Peek();
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  std::string ReadString() {
    const char quote = Peek();
    if (quote != '\'' && quote != '"') throw Bad("expected a quoted string");
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == text_.npos) throw Bad("a string is not closed");
    const std::string value(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return value;
  }

  bool ReadBool() {
    if (TakeWord("True")) return true;
    if (TakeWord("False")) return false;
    throw Bad("expected True or False");
  }

  std::vector<std::uint64_t> ReadShape() {
    std::vector<std::uint64_t> shape;
    Expect('(');
    while (!Take(')')) {
      Peek();
      std::uint64_t size = 0;
      const char* begin = text_.data() + at_;
      const auto parsed =
          std::from_chars(begin, text_.data() + text_.size(), size);
      if (parsed.ec != std::errc()) throw Bad("expected a size");
      at_ += parsed.ptr - begin;
      shape.push_back(size);
      if (shape.size() > kMaxDims) throw Bad("more than 32 dimensions");
      if (!Take(',') && Peek() != ')') throw Bad("expected ',' or ')'");
    }
    return shape;
  }

  Error Bad(const std::string& what) const {
    return BadInput(fmt::format("damaged NPY header: {}", what),
                    fmt::format("{}@{}", where_, offset_ + at_));
  }

  std::string_view text_;
  std::string where_;
  std::size_t offset_;
  std::size_t at_ = 0;
};

std::pair<NpyType, std::size_t> TypeAndSize(const std::string& descr,
                                            const std::string& where) {
  if (descr == "<f4") return {NpyType::kF4, 4};
  if (descr == "<f8") return {NpyType::kF8, 8};
  if (descr == "|u1" || descr == "<u1") return {NpyType::kU1, 1};
  if (descr == "<i4") return {NpyType::kI4, 4};
  if (descr == "<i8") return {NpyType::kI8, 8};
  throw Unsupported(fmt::format("elements of type '{}' where <f4, <f8, |u1, "
                                "<i4 or <i8 were expected",
                                descr),
                    where, "convert them, as in X.astype('<f4')");
}

// The elements that `shape` promises; nothing when `available` bytes do not
// hold exactly them. No product grows past `available`, so none overflows.
std::optional<std::size_t> CountElements(
    const std::vector<std::uint64_t>& shape, std::size_t element_size,
    std::size_t available) {
  for (const std::uint64_t size : shape) {
    if (size == 0) return available == 0 ? std::optional(0) : std::nullopt;
  }
  std::size_t count = 1;
  for (const std::uint64_t size : shape) {
    if (count > available / element_size / size) return std::nullopt;
    count *= size;
  }
  if (count * element_size != available) return std::nullopt;
  return count;
}

// Where the dictionary begins and ends.
std::pair<std::size_t, std::size_t> HeaderRange(std::string_view bytes,
                                                const std::string& where) {
  if (!bytes.starts_with(kMagic) || bytes.size() < 10) {
    throw BadInput("not an NPY file: it must begin with \\x93NUMPY",
                   where + "@0");
  }
  const auto byte = [&](std::size_t at) {
    return std::size_t{static_cast<unsigned char>(bytes[at])};
  };
  if (byte(6) < 1 || byte(6) > 3) {
    throw Unsupported(
        fmt::format("NPY version {} where 1 to 3 were expected", byte(6)),
        where + "@6");
  }
  std::size_t begin = 10, length = byte(8) | byte(9) << 8;
  if (byte(6) > 1) {
    if (bytes.size() < 12) throw BadInput("the file ends early", where + "@10");
    begin = 12;
    length |= byte(10) << 16 | byte(11) << 24;
  }
  if (length > bytes.size() - begin) {
    throw BadInput(fmt::format("a header of {} bytes where {} follow", length,
                               bytes.size() - begin),
                   where + "@8");
  }
  return {begin, begin + length};
}

template <typename T>
double Load(std::string_view data, std::size_t i) {
  T value;
  std::memcpy(&value, data.data() + i * sizeof(T), sizeof(T));
  return static_cast<double>(value);
}

}  // namespace

double NpyArray::Value(std::size_t i) const {
  switch (type) {
    case NpyType::kF4:
      return Load<float>(data, i);
    case NpyType::kF8:
      return Load<double>(data, i);
    case NpyType::kU1:
      return Load<std::uint8_t>(data, i);
    case NpyType::kI4:
      return Load<std::int32_t>(data, i);
    case NpyType::kI8:
      return Load<std::int64_t>(data, i);
  }
  return 0;
}

NpyArray ParseNpy(std::string_view bytes, const std::string& where) {
  const auto [begin, end] = HeaderRange(bytes, where);
  Header header =
      HeaderReader(bytes.substr(begin, end - begin), where, begin).Read();
  const auto [type, size] = TypeAndSize(*header.descr, where);
  if (*header.fortran_order && header.shape->size() > 1) {
    throw Unsupported("elements in Fortran order", where,
                      "save numpy.ascontiguousarray(X)");
  }
  const std::string_view data = bytes.substr(end);
  const auto count = CountElements(*header.shape, size, data.size());
  if (!count) {
    throw BadInput(
        fmt::format("shape ({}) of {}-byte elements does not match "
                    "the {} bytes that follow it",
                    fmt::join(*header.shape, ", "), size, data.size()),
        fmt::format("{}@{}", where, end), "save the array again");
  }
  return {.type = type,
          .shape = std::move(*header.shape),
          .data = data,
          .count = *count};
}

}  // namespace sfumato::data
