// Finds the user and the label of a file in its path.
//
//   data::PathLayout layout("{user}/{label}/{*}.png");
//   layout.Match("alice/cat/0001.png");  // user "alice", label "cat"
//
// A layout is a path in which {user} and {label} stand for what is wanted and
// {*} for anything; {user,label} is part of both. Each stands for at least one
// character of one folder or file name. Several pieces are joined by '_'. A
// layout describes the whole path: "{user}/{*}.png" says nothing of
// "alice/june/1.png", where "june" is nobody.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sfumato::data {

struct Owner {
  std::string user;
  std::string label;  // empty: none
};

class PathLayout {
 public:
  // Throws BadInput when braces do not pair, a placeholder is unknown, two
  // have nothing between them, or there is no {user}.
  explicit PathLayout(std::string_view text);

  // The number of names in it: folders, and the file's.
  std::size_t names() const { return names_.size(); }

  // Nothing when the path does not fit. When it fits in several ways, the
  // first placeholders of a name take as much as they can.
  std::optional<Owner> Match(std::string_view path) const;

 private:
  struct Piece {
    std::string literal;  // empty: a placeholder
    bool user = false;
    bool label = false;
  };
  using Name = std::vector<Piece>;  // of one folder or file

  static Piece Placeholder(std::string_view inside, std::string_view text);
  static Name ParseName(std::string_view name, std::string_view text);
  static bool MatchName(const Name& pieces, std::string_view name,
                        std::vector<std::string_view>& values);

  std::vector<Name> names_;
};

// The parts of `path` between slashes.
std::vector<std::string_view> SplitPath(std::string_view path);

}  // namespace sfumato::data
