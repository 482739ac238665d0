#include "data/generate/forum_grammar.h"

#include <charconv>
#include <map>
#include <utility>

#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::data {
namespace {

// Reads a grammar's text into rules that know each other by number.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::vector<Opening> openings;
  std::vector<Rule> rules;

  void Read() {
    while (!text_.empty()) {
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      ++line_number_;
      ReadLine(text_.substr(0, end));
      text_.remove_prefix(std::min(end + 1, text_.size()));
    }
    for (Draft& draft : drafts_) {
      if (draft.expansions.empty()) {
        throw Broken("'" + draft.name + "' has no expansion");
      }
      rules.push_back(
          {std::move(draft.expansions), base::Choice(draft.weights)});
    }
  }

 private:
  struct Draft {
    std::string name;
    std::vector<Expansion> expansions;
    std::vector<double> weights;
  };

  void ReadLine(std::string_view line) {
    if (line.empty()) return;
    if (line.starts_with("rule ")) {
      current_ = RuleNamed(line.substr(5));
      opening_.clear();
    } else if (line.starts_with("open ")) {
      line.remove_prefix(5);
      const double weight = TakeWeight(line);
      opening_ = std::string(line) + " ";
      current_ = NewRule(opening_);
      openings.push_back({weight, current_});
    } else if (line.starts_with("  ") && !drafts_.empty()) {
      line.remove_prefix(2);
      const double weight = TakeWeight(line);
      const std::string whole = opening_ + std::string(line);
      Add(current_, ReadExpansion(whole), weight);
    } else {
      throw Broken("neither a rule, an opening nor an expansion");
    }
  }

  // "6: the {thing}" → 6, and the line without it; 1 when there is none.
  static double TakeWeight(std::string_view& line) {
    int weight = 1;
    const auto [end, error] =
        std::from_chars(line.data(), line.data() + line.size(), weight);
    const std::size_t digits = end - line.data();
    if (error != std::errc() || line.substr(digits, 2) != ": ") return 1;
    line.remove_prefix(digits + 2);
    return weight;
  }

  Expansion ReadExpansion(std::string_view text) {
    Expansion parts;
    bool glued = false;  // nothing precedes the first part
    while (!text.empty()) {
      if (text[0] == ' ') {
        text.remove_prefix(1);
        glued = false;
        continue;
      }
      parts.push_back(ReadPart(text));
      parts.back().glued = std::exchange(glued, true);
    }
    return parts;
  }

  Part ReadPart(std::string_view& text) {
    switch (text[0]) {
      case '<':
        return {.kind = Part::Kind::kRule,
                .rule = RuleNamed(Inside(text, '>'))};
      case '{':
        return ReadSlot(Inside(text, '}'));
      case '[':
        return ReadChoice(Inside(text, ']'));
    }
    const std::size_t size = std::min(text.find_first_of(" <{["), text.size());
    const std::string_view word = text.substr(0, size);
    text.remove_prefix(size);
    const bool article = word == "a" || word == "an";
    return {.kind = article ? Part::Kind::kArticle : Part::Kind::kText,
            .text = std::string(word)};
  }

  // Where in `text` the first `mark` outside inner square brackets stands.
  static std::size_t FindOutside(std::string_view text, char mark) {
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (depth == 0 && text[i] == mark) return i;
      depth += (text[i] == '[') - (text[i] == ']');
    }
    return std::string_view::npos;
  }

  // The text between the bracket that `text` begins with and `close`, taken off
  // together with both.
  std::string_view Inside(std::string_view& text, char close) {
    text.remove_prefix(1);
    const std::size_t end = FindOutside(text, close);
    if (end == std::string_view::npos) throw Broken("a bracket stays open");
    const std::string_view inside = text.substr(0, end);
    text.remove_prefix(end + 1);
    return inside;
  }

  Part ReadSlot(std::string_view slot) {
    if (const auto slash = slot.find('/'); slash != std::string_view::npos) {
      return {.kind = Part::Kind::kEither,
              .text = std::string(slot.substr(0, slash)),
              .brief = std::string(slot.substr(slash + 1))};
    }
    if (const auto name = NameKindFromName(slot)) {
      return {.kind = Part::Kind::kName, .name = *name};
    }
    const std::size_t dot = std::min(slot.find('.'), slot.size());
    const auto word_class = WordClassFromName(slot.substr(0, dot));
    const auto form =
        WordFormFromName(slot.substr(std::min(dot + 1, slot.size())));
    if (!word_class || !form) {
      throw Broken(fmt::format("'{}' is no class of words", slot));
    }
    return {
        .kind = Part::Kind::kWord, .word_class = *word_class, .form = *form};
  }

  Part ReadChoice(std::string_view choice) {
    const std::size_t rule = NewRule("");
    for (bool more = true; more;) {
      const std::size_t end = std::min(FindOutside(choice, '|'), choice.size());
      Add(rule, ReadExpansion(choice.substr(0, end)), 1);
      more = end < choice.size();
      choice.remove_prefix(more ? end + 1 : end);
    }
    return {.kind = Part::Kind::kRule, .rule = rule};
  }

  void Add(std::size_t rule, Expansion expansion, double weight) {
    drafts_[rule].expansions.push_back(std::move(expansion));
    drafts_[rule].weights.push_back(weight);
  }

  std::size_t NewRule(std::string_view name) {
    drafts_.push_back(
        {.name = std::string(name), .expansions = {}, .weights = {}});
    return drafts_.size() - 1;
  }

  std::size_t RuleNamed(std::string_view name) {
    const auto found = named_.find(name);
    if (found != named_.end()) return found->second;
    const std::size_t rule = NewRule(name);
    named_.emplace(name, rule);
    return rule;
  }

  Error Broken(const std::string& what) const {
    return BadInput(what, fmt::format("forum grammar:{}", line_number_));
  }

  std::string_view text_;
  int line_number_ = 0;
  std::string opening_;      // the words that every expansion begins with
  std::size_t current_ = 0;  // the rule that expansions go to
  std::vector<Draft> drafts_;
  std::map<std::string, std::size_t, std::less<>> named_;
};

}  // namespace

ForumGrammar::ForumGrammar(std::string_view text) {
  Reader reader(text);
  reader.Read();
  openings_ = std::move(reader.openings);
  rules_ = std::move(reader.rules);
}

const ForumGrammar& ForumGrammar::Get() {
  static const ForumGrammar grammar(std::string(ForumPhrases()) +
                                    std::string(ForumOpenings()));
  return grammar;
}

}  // namespace sfumato::data
