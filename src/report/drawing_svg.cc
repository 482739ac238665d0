#include <algorithm>

#include "base/html.h"
#include "fmt/format.h"
#include "report/drawing.h"

namespace sfumato::report {
namespace {

// Hundredths of a unit, without trailing zeros.
std::string Number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string Opacity(const char* name, const Ink& ink) {
  return ink.opacity == 1
             ? ""
             : fmt::format(" {}=\"{}\"", name, Number(ink.opacity));
}

std::string SvgLine(const Line& line) {
  std::string path;
  for (const Point& spot : line.points) {
    path += fmt::format("{}{} {}", path.empty() ? "M" : "L", Number(spot.x),
                        Number(spot.y));
  }
  return fmt::format("<path d=\"{}\" stroke=\"{}\" stroke-width=\"{}\"{}{}/>\n",
                     path, base::EscapeHtml(line.ink.color), Number(line.width),
                     Opacity("stroke-opacity", line.ink),
                     line.dash > 0
                         ? fmt::format(" stroke-dasharray=\"{} {}\"",
                                       Number(line.dash), Number(2 * line.dash))
                         : "");
}

std::string SvgText(const Text& label) {
  constexpr const char* kAnchors[] = {"start", "middle", "end"};
  const auto raised = std::min(label.text.find('^'), label.text.size());
  std::string text = base::EscapeHtml(label.text.substr(0, raised));
  if (raised < label.text.size()) {
    text += fmt::format("<tspan dy=\"{}\" font-size=\"{}\">{}</tspan>",
                        Number(-0.4 * label.size), Number(0.75 * label.size),
                        base::EscapeHtml(label.text.substr(raised + 1)));
  }
  return fmt::format(
      "<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\" "
      "fill=\"{}\"{}{}>{}</text>\n",
      Number(label.at.x), Number(label.at.y), Number(label.size),
      kAnchors[static_cast<int>(label.anchor)],
      base::EscapeHtml(label.ink.color), Opacity("fill-opacity", label.ink),
      label.bold ? " font-weight=\"600\"" : "", text);
}

std::string SvgBox(const Box& box) {
  return fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"{}/>\n",
      Number(box.corner.x), Number(box.corner.y), Number(box.width),
      Number(box.height), base::EscapeHtml(box.ink.color),
      Opacity("fill-opacity", box.ink));
}

// The outline of one sign, as the steps of a path from its left end.
std::string Outline(Shape shape, double size) {
  const std::string s = Number(size);
  const std::string r = Number(size / 2);
  switch (shape) {
    case Shape::kDot:
    case Shape::kRing:
      return fmt::format("a{0} {0} 0 1 0 {1} 0a{0} {0} 0 1 0 -{1} 0", r, s);
    case Shape::kSquare:
    case Shape::kFrame:
      break;
  }
  return fmt::format("v-{0}h{1}v{1}h-{1}z", r, s);
}

// One path for all: a page may have thousands.
std::string SvgMarks(const Marks& marks) {
  const bool hollow =
      marks.shape == Shape::kRing || marks.shape == Shape::kFrame;
  const std::string outline = Outline(marks.shape, marks.size);
  std::string path;
  for (const Point& spot : marks.at) {
    path += fmt::format("M{} {}{}", Number(spot.x - marks.size / 2),
                        Number(spot.y), outline);
  }
  const std::string color = base::EscapeHtml(marks.ink.color);
  return hollow ? fmt::format(
                      "<path d=\"{}\" stroke=\"{}\" stroke-width=\"1.3\"{}/>\n",
                      path, color, Opacity("stroke-opacity", marks.ink))
                : fmt::format("<path d=\"{}\" fill=\"{}\"{}/>\n", path, color,
                              Opacity("fill-opacity", marks.ink));
}

}  // namespace

std::string ToSvg(const Drawing& drawing, bool inside) {
  constexpr const char* kColors =
      "<style>.sfumato-chart{color:#1b1d21;background:#fff}"
      "@media(prefers-color-scheme:dark){.sfumato-chart{color:#e6e8eb;"
      "background:#16181c}}</style>\n";
  std::string svg = fmt::format(
      "<svg{5} width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" role=\"img\" fill=\"none\" "
      "stroke-linecap=\"round\" stroke-linejoin=\"round\" "
      "font-family=\"system-ui, 'Helvetica Neue', Arial, sans-serif\""
      " class=\"sfumato-chart\">\n<title>{2}</title>\n<desc>{3}</desc>\n{4}",
      Number(drawing.width), Number(drawing.height),
      base::EscapeHtml(drawing.title), base::EscapeHtml(drawing.description),
      inside ? "" : kColors,
      inside ? "" : " xmlns=\"http://www.w3.org/2000/svg\"");
  for (const Box& box : drawing.boxes) svg += SvgBox(box);
  for (const Line& line : drawing.lines) svg += SvgLine(line);
  for (const Marks& marks : drawing.marks) svg += SvgMarks(marks);
  for (const Text& label : drawing.texts) svg += SvgText(label);
  return svg + "</svg>\n";
}

}  // namespace sfumato::report
