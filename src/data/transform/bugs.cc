#include "data/transform/bugs.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/progress.h"
#include "base/random.h"
#include "base/suggest.h"
#include "data/dataset_writer.h"
#include "data/text.h"
#include "data/transform/image_bugs.h"
#include "data/transform/text_bugs.h"
#include "fmt/format.h"

namespace sfumato::data {
namespace {

using nlohmann::json;

template <typename Bugs>
const auto& EntryOf(const Bugs& bugs, const BugInfo& info) {
  return *std::ranges::find_if(
      bugs, [&](const auto& bug) { return bug.info.name == info.name; });
}

template <typename Items>
std::vector<std::string> Names(const Items& items) {
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back(item.name);
  return names;
}

void CheckValue(const BugParameter& parameter, double value) {
  const bool in_range = value >= parameter.low && value <= parameter.high;
  if (in_range && (!parameter.whole || value == std::floor(value))) return;
  throw BadInput(fmt::format("parameter '{}' is {}", parameter.name, value), "",
                 fmt::format("give a {}number from {} to {} ({})",
                             parameter.whole ? "whole " : "", parameter.low,
                             parameter.high, parameter.meaning));
}

// The catalogue's values, with those that were given in their place.
BugValues FillIn(const BugInfo& bug, const BugValues& given) {
  BugValues values;
  for (const BugParameter& parameter : bug.parameters) {
    values[parameter.name] = parameter.value;
  }
  for (const auto& [name, value] : given) {
    const auto parameter =
        std::ranges::find(bug.parameters, name, &BugParameter::name);
    if (parameter == bug.parameters.end()) {
      throw BadInput(
          fmt::format("the bug '{}' has no parameter '{}'", bug.name, name), "",
          bug.parameters.empty()
              ? "leave it out: this bug has none"
              : base::DidYouMean(name, Names(bug.parameters)));
    }
    CheckValue(*parameter, value);
    values[name] = value;
  }
  return values;
}

void CheckFits(const DatasetInfo& set, const BugInfo& bug,
               const BugOptions& options, const BugValues& values) {
  if (!(options.share >= 0 && options.share <= 1)) {
    throw BadInput(fmt::format("the share is {}", options.share), "",
                   "give a number from 0 to 1");
  }
  if (options.of == BugScope::kUsers && !set.grouped) {
    throw BadInput("a share of users is asked of a set that has none yet", "",
                   "split it first, or affect a share of examples");
  }
  if (bug.kind == Kind::kImages) {
    const ImageBug& entry = EntryOf(ImageBugs(), bug);
    if (entry.check) entry.check(set.image, values);
  }
}

std::string FreeColumnName(const DatasetInfo& set, const BugInfo& bug) {
  const std::string name = "bug_" + bug.name;
  const auto taken = [&](const std::string& candidate) {
    return std::ranges::find(set.columns, candidate, &Column::name) !=
           set.columns.end();
  };
  std::string candidate = name;
  for (int n = 2; taken(candidate); ++n) {
    candidate = fmt::format("{}_{}", name, n);
  }
  return candidate;
}

// Decides who is affected. Asked once for every item (user or example), in
// order: only the exact share needs that, by selection sampling (Knuth, TAOCP
// 3.4.2, Algorithm S); otherwise each item has a stream of its own.
class Lot {
 public:
  Lot(const BugOptions& options, const BugInfo& bug, std::uint64_t items)
      : options_(options),
        bug_key_(base::Key(bug.name)),
        rng_(options.seed, {base::Key("bug lot"), bug_key_}),
        wanted_(static_cast<std::uint64_t>(
            std::floor(options.share * static_cast<double>(items) + 0.5))),
        left_(items) {}

  bool Draw(std::uint64_t user, std::uint64_t example) {
    if (!options_.exact) {
      base::Rng own(options_.seed,
                    {base::Key("bug lot"), bug_key_, user, example});
      return own.Bernoulli(options_.share);
    }
    const bool drawn = rng_.Below(left_--) < wanted_;
    if (drawn) --wanted_;
    return drawn;
  }

 private:
  const BugOptions& options_;
  std::uint64_t bug_key_;
  base::Rng rng_;
  std::uint64_t wanted_;
  std::uint64_t left_;
};

// The pipeline with the broken stage in it.
class Pipeline {
 public:
  Pipeline(const DatasetInfo& set, const BugInfo& bug, BugValues values,
           std::uint64_t seed)
      : set_(set), bug_(bug), values_(std::move(values)), seed_(seed) {}

  // Example `i` of user number `u`, through the broken stage when `affected`.
  // It refers to memory that lasts until the next call.
  Example Pass(const User& user, std::size_t u, std::size_t i, bool affected) {
    Example example = user[i];
    changed_ = false;
    if (set_.kind == Kind::kText) {
      example.text = PassText(example.text, affected);
    } else if (affected) {
      pixels_ = BreakImage(example.pixels, user[0].pixels, u, i);
      changed_ = !std::ranges::equal(pixels_, example.pixels);
      example.pixels = pixels_;
    }
    columns_.assign(example.columns.begin(), example.columns.end());
    columns_.push_back(affected ? 1 : 0);
    example.columns = columns_;
    return example;
  }

  // Whether the last example looks different for the bug.
  bool changed() const { return changed_; }

 private:
  std::string_view PassText(std::string_view sentence, bool affected) {
    text_ = set_.text_form == TextForm::kTokens ? std::string(sentence)
                                                : NormaliseText(sentence);
    if (affected) {
      std::string broken =
          EntryOf(TextBugs(), bug_).apply(sentence, set_.text_form);
      changed_ = broken != text_;
      text_ = std::move(broken);
    }
    return text_;
  }

  Pixels BreakImage(std::span<const std::uint8_t> pixels,
                    std::span<const std::uint8_t> first, std::size_t u,
                    std::size_t i) const {
    const std::uint64_t key = base::Key(bug_.name);
    return EntryOf(ImageBugs(), bug_)
        .apply(
            {set_.image, pixels}, values_,
            {.first = {set_.image, first},
             .device = base::Rng(seed_, {base::Key("bug device"), key, u}),
             .image = base::Rng(seed_, {base::Key("bug image"), key, u, i})});
  }

  const DatasetInfo& set_;
  const BugInfo& bug_;
  BugValues values_;
  std::uint64_t seed_;
  bool changed_ = false;
  std::string text_;
  Pixels pixels_;
  std::vector<std::int32_t> columns_;
};

json Step(const DatasetInfo& set, const BugInfo& bug, const BugOptions& options,
          const BugValues& values, const BugSummary& summary) {
  json parameters = json::object();
  for (const BugParameter& parameter : bug.parameters) {
    const double value = values.at(parameter.name);
    if (parameter.whole) {
      parameters[parameter.name] = static_cast<std::int64_t>(value);
    } else {
      parameters[parameter.name] = value;
    }
  }
  return {{"step", "bug"},
          {"from", set.name},
          {"bug", bug.name},
          {"parameters", parameters},
          {"column", summary.column},
          {"share", options.share},
          {"of", options.of == BugScope::kUsers ? "users" : "examples"},
          {"exact", options.exact},
          {"seed", options.seed},
          {"users_affected", summary.users_affected},
          {"examples_affected", summary.examples_affected},
          {"examples_changed", summary.examples_changed}};
}

}  // namespace

const std::vector<BugInfo>& BugCatalogue() {
  static const std::vector<BugInfo> catalogue = [] {
    std::vector<BugInfo> all;
    for (const ImageBug& bug : ImageBugs()) all.push_back(bug.info);
    for (const TextBug& bug : TextBugs()) all.push_back(bug.info);
    return all;
  }();
  return catalogue;
}

const BugInfo& FindBug(std::string_view name) {
  std::string wanted(name);
  std::ranges::replace(wanted, '-', '_');
  const auto& catalogue = BugCatalogue();
  const auto found = std::ranges::find(catalogue, wanted, &BugInfo::name);
  if (found == catalogue.end()) {
    throw BadInput(fmt::format("there is no bug '{}'", name), "",
                   base::DidYouMean(wanted, Names(catalogue)));
  }
  return *found;
}

const BugInfo& FindBug(std::string_view name, Kind kind) {
  const BugInfo& bug = FindBug(name);
  if (bug.kind == kind) return bug;
  throw BadInput(fmt::format("'{}' is a bug of {}, and this set holds {}",
                             bug.name, Name(bug.kind), Name(kind)),
                 "", "choose another with 'sfumato data bug --help'");
}

BugSummary ApplyBug(const FederatedDataset& set, const BugOptions& options,
                    const base::Path& out) {
  const BugInfo& bug = FindBug(options.bug, set.info().kind);
  const BugValues values = FillIn(bug, options.parameters);
  CheckFits(set.info(), bug, options, values);

  // The result would reveal how many it touched, and how much it changed.
  if (set.info().origin == Origin::kPrivate) {
    throw Unsupported("a bug put into private data", set.info().name,
                      "bugs are for generated or public data");
  }
  BugSummary summary;
  summary.column = FreeColumnName(set.info(), bug);
  DatasetInfo info = set.info();
  info.name = options.name;
  info.text_form = TextForm::kTokens;
  info.columns.push_back({summary.column, {"no", "yes"}});

  const bool whole_users = options.of == BugScope::kUsers;
  Lot lot(options, bug, whole_users ? set.users() : set.examples());
  Pipeline pipeline(set.info(), bug, values, options.seed);
  DatasetWriter writer(out, std::move(info));
  base::Progress progress("injecting the bug", set.examples(), "examples");
  for (std::size_t u = 0; u < set.users(); ++u) {
    const User user = set.user(u);
    writer.BeginUser(user.id());
    const std::uint64_t before = summary.examples_affected;
    const bool all = whole_users && lot.Draw(u, 0);
    for (std::size_t i = 0; i < user.size(); ++i) {
      const bool affected = whole_users ? all : lot.Draw(u, i);
      writer.Add(pipeline.Pass(user, u, i, affected));
      summary.examples_affected += affected;
      summary.examples_changed += pipeline.changed();
      progress.Advance();
    }
    summary.users_affected += summary.examples_affected > before;
  }
  writer.info().provenance.push_back(
      Step(set.info(), bug, options, values, summary));
  writer.Finish();
  return summary;
}

}  // namespace sfumato::data
