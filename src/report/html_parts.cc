#include "report/html_parts.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>

#include "base/html.h"
#include "fmt/format.h"
#include "report/page_style.h"

namespace sfumato::report {
namespace {

std::string ClassOf(std::string_view style) {
  return style.empty() ? "" : fmt::format(" class=\"{}\"", Escaped(style));
}

}  // namespace

std::string Escaped(std::string_view text) { return base::EscapeHtml(text); }

std::string ToHtml(const HtmlTable& table) {
  const auto align = [&](std::size_t column) {
    const auto among = [&](const std::vector<std::size_t>& columns) {
      return column > 0 && std::ranges::find(columns, column) != columns.end();
    };
    return ClassOf(among(table.left)   ? "left"
                   : among(table.grey) ? "grey"
                                       : "");
  };
  std::string html =
      fmt::format("<div class=\"scroll{}\"><table{}>",
                  table.wide ? " wide" : "", ClassOf(table.style));
  if (!table.caption.empty()) {
    html += "<caption>" + Escaped(table.caption) + "</caption>";
  }
  html += "<thead><tr>";
  for (std::size_t c = 0; c < table.heads.size(); ++c) {
    html += fmt::format("<th scope=\"col\"{}>{}</th>", align(c),
                        Escaped(table.heads[c]));
  }
  html += "</tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    html += "<tr" +
            ClassOf(i < table.row_styles.size() ? table.row_styles[i] : "") +
            ">";
    for (std::size_t c = 0; c < table.rows[i].size(); ++c) {
      html += c == 0 ? "<th scope=\"row\">" + table.rows[i][c] + "</th>"
                     : fmt::format("<td{}>{}</td>", align(c), table.rows[i][c]);
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string Chip(std::string_view style, std::string_view text) {
  return fmt::format("<span class=\"chip {}\">{}</span>", Escaped(style),
                     Escaped(text));
}

std::string SideTag(const SideLook& side) {
  return fmt::format(
      "<span class=\"side {}\"><span aria-hidden=\"true\">{}</span> {}</span>",
      side.style, side.sign, side.name);
}

std::string Folded(std::string_view summary, std::string_view html) {
  return fmt::format("<details><summary>{}</summary>\n{}</details>\n",
                     Escaped(summary), html);
}

std::string Paragraph(std::string_view html, std::string_view style) {
  return fmt::format("<p{}>{}</p>\n", ClassOf(style), html);
}

std::string Figure(const Drawing& drawing, std::string_view caption,
                   const HtmlTable& table) {
  return fmt::format(
      "<figure class=\"chart\"><figcaption>{}</figcaption>\n"
      "<div class=\"scroll\">{}</div>\n{}</figure>\n",
      caption, ToSvg(drawing, /*inside=*/true),
      Folded("The same as a table", ToHtml(table)));
}

std::string Section(std::string_view id, std::string_view heading,
                    std::string_view html) {
  return fmt::format(
      "<section id=\"{0}\" aria-labelledby=\"{0}-h\">\n<h2 "
      "id=\"{0}-h\">{1}</h2>\n{2}</section>\n\n",
      Escaped(id), Escaped(heading), html);
}

std::string WithCode(const std::string& text) {
  std::string html;
  bool code = false;
  for (std::size_t at = 0; at < text.size();) {
    const auto tick = std::min(text.find('`', at), text.size());
    html += Escaped(std::string_view(text).substr(at, tick - at));
    if (tick < text.size()) {
      html += code ? "</code>" : "<code>";
      code = !code;
    }
    at = tick + 1;
  }
  return code ? html + "</code>" : html;
}

std::string PageAround(const std::string& title, const std::string& body,
                       const std::string& data) {
  std::string html = "<!doctype html>\n<html lang=\"en\">\n<head>\n";
  html += "<meta charset=\"utf-8\">\n";
  html += fmt::format(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
      "'none'; img-src data:; style-src 'sha256-{}'; base-uri 'none'; "
      "form-action 'none'\">\n",
      Sha256Base64(kPageStyle));
  html +=
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<meta name=\"referrer\" content=\"no-referrer\">\n";
  html += "<title>" + Escaped(title) + " · Sfumato</title>\n<style>";
  html += kPageStyle;
  html += "</style>\n</head>\n<body>\n" + body;
  html +=
      "<footer class=\"quiet\">One file, no network: its policy forbids every "
      "request, so opening it tells nobody anything.</footer>\n";
  html += data;
  html += "</body>\n</html>\n";
  return html;
}

std::string Base64(std::string_view bytes) {
  std::string text(4 * ((bytes.size() + 2) / 3), '\0');
  EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                  reinterpret_cast<const unsigned char*>(bytes.data()),
                  static_cast<int>(bytes.size()));
  return text;
}

std::string Sha256Base64(std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int size = 0;
  EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(),
             nullptr);
  return Base64({reinterpret_cast<const char*>(digest.data()), size});
}

}  // namespace sfumato::report
