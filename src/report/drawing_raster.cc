#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/stroke_font.h"
#include "base/utf8.h"
#include "report/drawing.h"

namespace sfumato::report {
namespace {

struct Color {
  double red = 0;
  double green = 0;
  double blue = 0;
};

// The ink of "currentColor" is nearly black.
Color ColorOf(const std::string& color) {
  std::uint32_t value = 0x1c1c1c;
  if (color.size() == 7 && color[0] == '#') {
    std::from_chars(color.data() + 1, color.data() + 7, value, 16);
  }
  return {static_cast<double>(value >> 16 & 255),
          static_cast<double>(value >> 8 & 255),
          static_cast<double>(value & 255)};
}

double DistanceToSegment(Point p, Point a, Point b) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double square = dx * dx + dy * dy;
  const double along =
      square == 0 ? 0
                  : std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / square,
                               0.0, 1.0);
  return std::hypot(p.x - a.x - along * dx, p.y - a.y - along * dy);
}

class Canvas {
 public:
  Canvas(const Drawing& drawing, int scale)
      : scale_(scale),
        image_(base::BlankImage(static_cast<int>(drawing.width * scale),
                                static_cast<int>(drawing.height * scale), 3,
                                255)),
        cover_(image_.pixels.size() / 3) {}

  // A round pen of `width` through the points. Where a stroke crosses or
  // touches itself its ink counts once.
  void Stroke(const std::vector<Point>& points, double width, const Ink& ink) {
    const double radius = std::max(0.5, 0.5 * width * scale_);
    Area touched;
    for (std::size_t i = 0; i < points.size(); ++i) {
      Cover(Scaled(points[i]), Scaled(points[i == 0 ? 0 : i - 1]), radius,
            touched);
    }
    Blend(touched, ink);
  }

  // Whole pixels: its edges are those of the nearest ones.
  void Fill(const Box& box) {
    Area area{.left = Pixel(box.corner.x, image_.width),
              .top = Pixel(box.corner.y, image_.height),
              .right = Pixel(box.corner.x + box.width, image_.width) - 1,
              .bottom = Pixel(box.corner.y + box.height, image_.height) - 1};
    for (int y = area.top; y <= area.bottom; ++y) {
      for (int x = area.left; x <= area.right; ++x) CoverAt(x, y) = 1;
    }
    Blend(area, box.ink);
  }

  base::Image Finish() && { return std::move(image_); }

 private:
  struct Area {
    int left = INT32_MAX;
    int top = INT32_MAX;
    int right = -1;
    int bottom = -1;
  };

  int Pixel(double at, int most) const {
    return std::clamp(static_cast<int>(std::lround(at * scale_)), 0, most);
  }
  Point Scaled(Point spot) const { return {spot.x * scale_, spot.y * scale_}; }
  float& CoverAt(int x, int y) {
    return cover_[static_cast<std::size_t>(y) * image_.width + x];
  }

  void Cover(Point a, Point b, double radius, Area& touched) {
    const double reach = radius + 1;
    const int left = std::max(0, static_cast<int>(std::min(a.x, b.x) - reach));
    const int top = std::max(0, static_cast<int>(std::min(a.y, b.y) - reach));
    const int right = std::min(image_.width - 1,
                               static_cast<int>(std::max(a.x, b.x) + reach));
    const int bottom = std::min(image_.height - 1,
                                static_cast<int>(std::max(a.y, b.y) + reach));
    for (int y = top; y <= bottom; ++y) {
      for (int x = left; x <= right; ++x) {
        const double distance = DistanceToSegment({x + 0.5, y + 0.5}, a, b);
        const auto ink =
            static_cast<float>(std::clamp(radius + 0.5 - distance, 0.0, 1.0));
        CoverAt(x, y) = std::max(CoverAt(x, y), ink);
      }
    }
    touched.left = std::min(touched.left, left);
    touched.top = std::min(touched.top, top);
    touched.right = std::max(touched.right, right);
    touched.bottom = std::max(touched.bottom, bottom);
  }

  void Blend(const Area& area, const Ink& ink) {
    const Color color = ColorOf(ink.color);
    const std::array<double, 3> channels = {color.red, color.green, color.blue};
    for (int y = area.top; y <= area.bottom; ++y) {
      for (int x = area.left; x <= area.right; ++x) {
        const double share = ink.opacity * CoverAt(x, y);
        CoverAt(x, y) = 0;
        for (int c = 0; c < 3; ++c) {
          std::uint8_t& pixel = image_.at(x, y, c);
          pixel = static_cast<std::uint8_t>(
              std::lround(pixel + share * (channels[c] - pixel)));
        }
      }
    }
  }

  double scale_;
  base::Image image_;
  std::vector<float> cover_;  // of the stroke being drawn, 0 to 1
};

void DrawLine(const Line& line, Canvas& canvas) {
  if (line.dash <= 0) {
    canvas.Stroke(line.points, line.width, line.ink);
    return;
  }
  double along = 0;  // of the pattern: a dash, then a gap twice as long
  std::vector<Point> dash;
  for (std::size_t i = 1; i < line.points.size(); ++i) {
    const Point a = line.points[i - 1];
    const Point b = line.points[i];
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    for (double done = 0; done < length;) {
      const bool ink = along < line.dash;
      const double step = std::min(
          length - done, (ink ? line.dash : 3 * line.dash) - along + 1e-9);
      const auto spot = [&](double at) {
        return Point{a.x + (b.x - a.x) * at / length,
                     a.y + (b.y - a.y) * at / length};
      };
      if (ink && dash.empty()) dash.push_back(spot(done));
      done += step;
      along += step;
      if (ink) dash.push_back(spot(done));
      if (!dash.empty() && along >= line.dash) {
        canvas.Stroke(dash, line.width, line.ink);
        dash.clear();
      }
      if (along >= 3 * line.dash) along = 0;
    }
  }
  if (!dash.empty()) canvas.Stroke(dash, line.width, line.ink);
}

// A face without serifs from space to '~', then ε, δ and ·.
const std::vector<base::Glyph>& Face() {
  static const std::vector<base::Glyph> face = [] {
    std::vector<base::Glyph> glyphs = base::HersheyFace("futural.jhf");
    glyphs.resize('~' - ' ' + 1);
    constexpr const char* kMore =  // ε, δ, ·
        "    0 17JZWOTMQMNNMPNRQSTS RQSMULWMZP[S[WY\n"
        "    0 20I[WGTFQFOHOJQLUOWRXUWXUZR[OZMXLUMQOORNUO\n"
        "    0  3NVRSRT\n";
    std::ranges::move(base::ParseHershey(kMore, "kMore"),
                      std::back_inserter(glyphs));
    return glyphs;
  }();
  return face;
}

void DrawMarks(const Marks& marks, Canvas& canvas) {
  const double r = marks.size / 2;
  for (const Point& spot : marks.at) {
    const auto [x, y] = spot;
    std::vector<Point> outline = {{x - r, y - r},
                                  {x + r, y - r},
                                  {x + r, y + r},
                                  {x - r, y + r},
                                  {x - r, y - r}};
    switch (marks.shape) {
      case Shape::kDot:
        canvas.Stroke({spot}, marks.size, marks.ink);
        continue;
      case Shape::kSquare:
        canvas.Fill({.corner = {x - r, y - r},
                     .width = marks.size,
                     .height = marks.size,
                     .ink = marks.ink});
        continue;
      case Shape::kRing:
        outline.clear();
        for (int k = 0; k <= 16; ++k) {
          const double turn = k * 3.14159265358979 / 8;
          outline.push_back({x + r * std::cos(turn), y + r * std::sin(turn)});
        }
        break;
      case Shape::kFrame:
        break;
    }
    canvas.Stroke(outline, 1.3, marks.ink);
  }
}

std::vector<const base::Glyph*> Glyphs(std::string_view text) {
  std::vector<const base::Glyph*> glyphs;
  while (!text.empty()) {
    const base::CodePoint c = base::DecodeUtf8(text);
    text.remove_prefix(c.size);
    std::size_t index = '?' - ' ';
    if (c.value >= ' ' && c.value <= '~') index = c.value - ' ';
    if (c.value == U'ε') index = Face().size() - 3;
    if (c.value == U'δ') index = Face().size() - 2;
    if (c.value == U'·') index = Face().size() - 1;
    glyphs.push_back(&Face()[index]);
  }
  return glyphs;
}

// A capital is 21 units of the face high and 0.7 of the size.
double FaceUnit(double size) { return size / 30; }

double Width(std::string_view text, double size) {
  double width = 0;
  for (const base::Glyph* glyph : Glyphs(text)) {
    width += (glyph->right - glyph->left) * FaceUnit(size);
  }
  return width;
}

void DrawText(std::string_view text, Point at, const Text& label, double size,
              Canvas& canvas) {
  const double unit = FaceUnit(size);
  for (const base::Glyph* glyph : Glyphs(text)) {
    for (const base::Stroke& stroke : glyph->strokes) {
      std::vector<Point> points;
      for (const base::Point& point : stroke) {
        points.push_back({at.x + (point.x - glyph->left) * unit,
                          at.y + (point.y - 9) * unit});
      }
      canvas.Stroke(points, label.size * (label.bold ? 0.12 : 0.08), label.ink);
    }
    at.x += (glyph->right - glyph->left) * unit;
  }
}

void DrawLabel(const Text& label, Canvas& canvas) {
  const std::string_view text = label.text;
  const auto raised = std::min(text.find('^'), text.size());
  const std::string_view base = text.substr(0, raised);
  const std::string_view above = text.substr(std::min(raised + 1, text.size()));
  const double small = 0.75 * label.size;
  const double base_width = Width(base, label.size);
  const double width = base_width + Width(above, small);
  Point at = label.at;
  if (label.anchor == Anchor::kMiddle) at.x -= width / 2;
  if (label.anchor == Anchor::kEnd) at.x -= width;
  DrawText(base, at, label, label.size, canvas);
  DrawText(above, {at.x + base_width, at.y - 0.4 * label.size}, label, small,
           canvas);
}

}  // namespace

base::Image ToImage(const Drawing& drawing, int scale) {
  Canvas canvas(drawing, scale);
  for (const Box& box : drawing.boxes) canvas.Fill(box);
  for (const Line& line : drawing.lines) DrawLine(line, canvas);
  for (const Marks& marks : drawing.marks) DrawMarks(marks, canvas);
  for (const Text& label : drawing.texts) DrawLabel(label, canvas);
  return std::move(canvas).Finish();
}

}  // namespace sfumato::report
