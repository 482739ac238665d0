// The pages for people: every relative link leads to a file and, where it names
// one, to a heading in it; and every page under docs/ can be reached from the
// README.

#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/file.h"

namespace sfumato {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = SFUMATO_SOURCE;

struct Link {
  fs::path target;      // normal, absolute
  std::string heading;  // as in "#what-an-inspection-costs"; may be empty
};

std::vector<fs::path> PagesIn(const fs::path& folder) {
  std::vector<fs::path> pages;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  return pages;
}

std::vector<fs::path> AllPages() {
  std::vector<fs::path> pages = PagesIn(kSource / "docs");
  for (const char* name : {"README.md", "CONTRIBUTING.md", "CHANGELOG.md"}) {
    pages.push_back(kSource / name);
  }
  return pages;
}

// Links of a page, without those to other sites.
std::vector<Link> LinksOf(const fs::path& page) {
  static const std::regex kLink(R"(\]\(([^)#\s]*)(#[^)\s]*)?\))");
  const std::string text = base::ReadFile(page);
  std::vector<Link> links;
  for (std::sregex_iterator at(text.begin(), text.end(), kLink), end; at != end;
       ++at) {
    const std::string path = (*at)[1];
    if (path.find("://") != std::string::npos) continue;
    const fs::path target = path.empty() ? page : page.parent_path() / path;
    links.push_back({target.lexically_normal(), (*at)[2]});
  }
  return links;
}

// "#" and the heading in small letters, spaces as hyphens, no punctuation.
std::string Anchor(const std::string& heading) {
  std::string anchor = "#";
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == ' ') {
      anchor += '-';
    } else if (byte >= 0x80 || std::isalnum(byte) || c == '-' || c == '_') {
      anchor += static_cast<char>(byte < 0x80 ? std::tolower(byte) : byte);
    }
  }
  return anchor;
}

std::set<std::string> AnchorsOf(const fs::path& page) {
  std::set<std::string> anchors;
  std::istringstream lines(base::ReadFile(page));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('#')) continue;
    anchors.insert(Anchor(line.substr(line.find_first_not_of("# "))));
  }
  return anchors;
}

TEST(DocsTest, EveryLinkLeadsSomewhere) {
  int checked = 0;
  for (const fs::path& page : AllPages()) {
    for (const Link& link : LinksOf(page)) {
      SCOPED_TRACE(page.lexically_relative(kSource).string() + " links to " +
                   link.target.lexically_relative(kSource).string() +
                   link.heading);
      EXPECT_TRUE(fs::exists(link.target));
      if (fs::exists(link.target) && !link.heading.empty()) {
        EXPECT_TRUE(AnchorsOf(link.target).contains(link.heading));
      }
      ++checked;
    }
  }
  EXPECT_GT(checked, 50);
}

TEST(DocsTest, EveryPageCanBeReachedFromTheReadme) {
  std::vector<fs::path> left = {kSource / "README.md"};
  std::set<fs::path> reached;
  while (!left.empty()) {
    const fs::path page = left.back();
    left.pop_back();
    if (!fs::exists(page) || !reached.insert(page).second) continue;
    for (const Link& link : LinksOf(page)) {
      if (link.target.extension() == ".md") left.push_back(link.target);
      if (!fs::is_directory(link.target)) continue;
      for (const fs::path& other : PagesIn(link.target)) left.push_back(other);
    }
  }
  for (const fs::path& page : PagesIn(kSource / "docs")) {
    EXPECT_TRUE(reached.contains(page)) << page.lexically_relative(kSource);
  }
}

}  // namespace
}  // namespace sfumato
