#include "base/stroke_font.h"

#include <algorithm>
#include <cassert>
#include <cstddef>

#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::base {
namespace {

constexpr std::size_t kHeader = 8;  // columns before the first pair

class Reader {
 public:
  Reader(std::string_view text, const std::string& where)
      : rest_(text), where_(where) {}

  bool AtEnd() const { return rest_.empty(); }

  Glyph ReadGlyph() {
    const std::string_view line = NextLine();
    if (line.size() < kHeader) {
      throw Bad("expected a glyph's number and its count of pairs");
    }
    Glyph glyph;
    glyph.number = Number(line.substr(0, 5));
    const int pairs = Number(line.substr(5, 3));
    if (pairs < 1) throw Bad("a glyph has at least the pair of its edges");
    const std::string body = Body(line.substr(kHeader), pairs);
    glyph.left = Coordinate(body[0]);
    glyph.right = Coordinate(body[1]);
    glyph.strokes = Strokes(std::string_view(body).substr(2));
    return glyph;
  }

 private:
  std::string_view NextLine() {
    ++line_;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }

  // Right-aligned, filled with spaces.
  int Number(std::string_view field) const {
    const std::size_t start = field.find_first_not_of(' ');
    if (start == field.npos) throw Bad("a number is missing");
    int value = 0;
    for (const char c : field.substr(start)) {
      if (c < '0' || c > '9') {
        throw Bad(fmt::format("expected a number, found \"{}\"", field));
      }
      value = 10 * value + (c - '0');
    }
    return value;
  }

  std::string Body(std::string_view start, int pairs) {
    const std::size_t size = 2 * static_cast<std::size_t>(pairs);
    std::string body(start);
    while (body.size() < size) {
      if (AtEnd()) {
        throw Bad(fmt::format("the file ends after {} of {} characters",
                              body.size(), size));
      }
      body += NextLine();
    }
    if (body.size() > size) {
      throw Bad(fmt::format("{} pairs were announced, more follow", pairs));
    }
    return body;
  }

  int Coordinate(char c) const {
    if (c <= ' ' || c > '~')
      throw Bad("a coordinate is not a printable character");
    return c - 'R';
  }

  std::vector<Stroke> Strokes(std::string_view pairs) const {
    std::vector<Stroke> strokes;
    bool pen_down = false;
    for (std::size_t i = 0; i < pairs.size(); i += 2) {
      if (pairs.substr(i, 2) == " R") {
        pen_down = false;
        continue;
      }
      if (!pen_down) strokes.emplace_back();
      pen_down = true;
      strokes.back().push_back({static_cast<float>(Coordinate(pairs[i])),
                                static_cast<float>(Coordinate(pairs[i + 1]))});
    }
    return strokes;
  }

  Error Bad(const std::string& what) const {
    return BadInput(what, fmt::format("{}:{}", where_, line_),
                    "give a file in the Hershey format (.jhf)");
  }

  std::string_view rest_;
  const std::string& where_;
  int line_ = 0;
};

}  // namespace

std::vector<Glyph> ParseHershey(std::string_view text,
                                const std::string& where) {
  Reader reader(text, where);
  std::vector<Glyph> glyphs;
  while (!reader.AtEnd()) glyphs.push_back(reader.ReadGlyph());
  return glyphs;
}

std::vector<Glyph> HersheyFace(std::string_view name) {
  const auto files = HersheyFiles();
  const auto file = std::ranges::find(files, name, &EmbeddedFile::name);
  assert(file != files.end());
  return ParseHershey(file->text, std::string(name));
}

}  // namespace sfumato::base
