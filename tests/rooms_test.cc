// The house as it is built: every include between rooms is named in a CMake
// line, no line names what is not included, there is no circle, and the table
// in docs/architecture.md says the same.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/file.h"

namespace sfumato {
namespace {

namespace fs = std::filesystem;

using Rooms = std::map<std::string, std::set<std::string>>;

const fs::path kSource = SFUMATO_SOURCE;

// "dp/ledger" of a folder with a CMake file, and what its USES and HEADERS_OF
// name.
Rooms NamedByCMake() {
  Rooms rooms;
  for (const auto& entry : fs::recursive_directory_iterator(kSource / "src")) {
    if (entry.path().filename() != "CMakeLists.txt") continue;
    const std::string room =
        fs::relative(entry.path().parent_path(), kSource / "src").string();
    std::set<std::string>& uses = rooms[room];
    const std::string text = base::ReadFile(entry.path());
    const auto call = text.find("sfumato_room(");
    if (call == std::string::npos) continue;
    std::istringstream words(text.substr(call, text.find(')', call) - call));
    bool naming = false;
    for (std::string word; words >> word;) {
      const bool keyword = std::ranges::all_of(
          word, [](char c) { return (c >= 'A' && c <= 'Z') || c == '_'; });
      if (keyword) {
        naming = word == "USES" || word == "HEADERS_OF";
      } else if (naming) {
        uses.insert(word);
      }
    }
  }
  return rooms;
}

// The room that a path below src/ is in; "" where it is in none.
std::string RoomOf(const Rooms& rooms, std::string path) {
  while (!path.empty()) {
    path = fs::path(path).parent_path().string();
    if (rooms.contains(path)) return path;
  }
  return "";
}

// Which files of a room include which other rooms.
std::map<std::string, Rooms> Included(const Rooms& rooms) {
  static const std::regex kInclude("#include \"([^\"]+)\"");
  std::map<std::string, Rooms> found;
  for (const auto& entry : fs::recursive_directory_iterator(kSource / "src")) {
    const std::string ending = entry.path().extension();
    if (ending != ".h" && ending != ".cc" && ending != ".cu") continue;
    const std::string file =
        fs::relative(entry.path(), kSource / "src").string();
    const std::string room = RoomOf(rooms, file);
    const std::string text = base::ReadFile(entry.path());
    for (std::sregex_iterator at(text.begin(), text.end(), kInclude), end;
         at != end; ++at) {
      const std::string other = RoomOf(rooms, (*at)[1]);
      if (!other.empty() && other != room) found[room][other].insert(file);
    }
  }
  return found;
}

TEST(RoomsTest, EveryIncludeIsNamedAndEveryNameIsIncluded) {
  const Rooms named = NamedByCMake();
  ASSERT_GT(named.size(), 15u);
  auto included = Included(named);
  for (const auto& [room, uses] : named) {
    for (const auto& [other, files] : included[room]) {
      EXPECT_TRUE(uses.contains(other))
          << "src/" << room << "/CMakeLists.txt does not name " << other
          << ", which src/" << *files.begin() << " includes";
    }
    for (const std::string& other : uses) {
      EXPECT_TRUE(included[room].contains(other))
          << "src/" << room << "/CMakeLists.txt names " << other
          << ", which nothing there includes";
    }
  }
}

TEST(RoomsTest, ThereIsNoCircle) {
  Rooms left = NamedByCMake();
  while (!left.empty()) {
    const auto ground = std::ranges::find_if(left, [&](const auto& room) {
      return std::ranges::none_of(room.second, [&](const std::string& other) {
        return left.contains(other);
      });
    });
    if (ground == left.end()) {
      std::string names;
      for (const auto& [room, uses] : left) names += room + " ";
      FAIL() << "a circle is among these: " << names;
    }
    left.erase(ground);
  }
}

// "| `room` | what it holds | `other`, `another` |": the third column.
TEST(RoomsTest, TheTableOfTheArchitectureIsTheHouse) {
  Rooms written;
  std::istringstream lines(base::ReadFile(kSource / "docs/architecture.md"));
  const std::regex name("`([a-z/]+)`");
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, '|');) cells.push_back(cell);
    std::smatch room;
    if (cells.size() != 4 || !std::regex_search(cells[1], room, name)) continue;
    std::set<std::string>& uses = written[room[1]];
    for (std::sregex_iterator at(cells[3].begin(), cells[3].end(), name), end;
         at != end; ++at) {
      uses.insert((*at)[1]);
    }
  }
  EXPECT_EQ(written, NamedByCMake());
}

}  // namespace
}  // namespace sfumato
