// Pieces of a page.
//
//   HtmlTable table{.heads = {"name", "A"},
//                   .rows = {{Escaped(name), "0.31"}}};
//   page += Figure(drawing, "What it shows.", table);
//
// Whatever takes HTML says so; text from anywhere else goes through Escaped.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/drawing.h"
#include "report/sides.h"

namespace sfumato::report {

std::string Escaped(std::string_view text);

struct HtmlTable {
  std::vector<std::string> heads;              // text
  std::vector<std::vector<std::string>> rows;  // HTML
  std::string style = "";                      // a class
  std::string caption = "";                    // text
  std::vector<std::string> row_styles = {};    // classes, where there are any
  std::vector<std::size_t> left = {};          // columns that hold text; 0 does
  std::vector<std::size_t> grey = {};          // those that say nothing here
  bool wide = false;                           // wider than a column of text
};
std::string ToHtml(const HtmlTable& table);

// A small label: "simulation only", in the colour of its class.
std::string Chip(std::string_view style, std::string_view text);

// "● A" in its colour.
std::string SideTag(const SideLook& side);

// `summary` is text, `html` opens below it.
std::string Folded(std::string_view summary, std::string_view html);

std::string Paragraph(std::string_view html, std::string_view style = "");

// A drawing with its caption (HTML), and the same as a table to unfold.
std::string Figure(const Drawing& drawing, std::string_view caption,
                   const HtmlTable& table);

// A section with its heading (text); sections are numbered by the style.
std::string Section(std::string_view id, std::string_view heading,
                    std::string_view html);

// A page without script around `body` (HTML), with the report's style and a
// policy that forbids every request. `data` (HTML) goes to its end.
std::string PageAround(const std::string& title, const std::string& body,
                       const std::string& data = "");

// Text in which `…` marks code.
std::string WithCode(const std::string& text);

// Base64, and the SHA-256 of a text in it, as a Content-Security-Policy has it.
std::string Base64(std::string_view bytes);
std::string Sha256Base64(std::string_view text);

}  // namespace sfumato::report
