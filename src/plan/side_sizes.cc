#include "plan/side_sizes.h"

#include <algorithm>
#include <cmath>

#include "base/progress.h"
#include "fmt/format.h"

namespace sfumato::plan {
namespace {

// Of those in question before: no more than that are left when they are gone.
constexpr double kLeftShare = 0.1;

// The threshold nearest to the one in use at which the side has as many users
// as are needed, by the bars of users by accuracy; nothing where no bar's edge
// does before the other side's threshold.
struct Wider {
  double threshold = 0;
  double users = 0;
};

std::optional<Wider> WiderThreshold(const TooFew& few,
                                    const runs::InspectionRecord& record) {
  if (!record.histogram || !record.above || !record.below) return std::nullopt;
  const std::vector<double>& edges = record.histogram->edges;
  const std::vector<double>& counts = record.histogram->counts;
  const std::size_t bars = std::min(counts.size(), edges.size() - 1);
  double users = 0;
  for (std::size_t i = 0; i < bars; ++i) {
    const bool b =
        few.side == config::Side::kB;  // from the lowest accuracy upwards
    const std::size_t bar = b ? i : bars - 1 - i;
    users += counts[bar];
    const double threshold = b ? edges[bar + 1] : edges[bar];
    const bool crossed =
        b ? threshold > record.above->value : threshold < record.below->value;
    if (crossed) return std::nullopt;
    const bool wider =
        b ? threshold > record.below->value : threshold < record.above->value;
    if (wider && users >= few.needed()) return Wider{threshold, users};
  }
  return std::nullopt;
}

std::string CohortThatFits(const TooFew& few) {
  const auto models = static_cast<double>(few.models);
  const double size = std::floor(few.users / models);
  const double of_one = std::floor(few.users);
  std::string text;
  if (size >= 1) text = fmt::format("--set cohort.size={:.0f} would fit", size);
  if (few.models > 1 && of_one >= 1) {
    text += fmt::format("{}--set inspect.twins=1 with cohorts up to {:.0f}{}",
                        text.empty() ? "" : ", and ", of_one,
                        text.empty() ? " would fit" : "");
  }
  return text;
}

// A user of text is in a model of words and in one of characters, so models of
// one kind are counted.
std::int64_t HalvesOf(const InspectPlan& plan, config::Side side) {
  return std::ranges::count_if(plan.models, [&](const ModelPlan& model) {
    return model.side == side && model.kind == plan.models.front().kind;
  });
}

}  // namespace

std::string TooFew::Words() const {
  return fmt::format(
      "{}{} ({}), and {:g} are needed: {}{:g} a round{}", noisy ? "about " : "",
      // A noisy count may be below zero, and nobody is fewer than none.
      base::HumanCount(
          static_cast<std::uint64_t>(std::round(std::max(0.0, users))), "user"),
      noisy   ? "a noisy count"
      : given ? "as the config says"
              : "counted, which a simulation may",
      needed(), models > 1 ? "" : "cohorts of ", cohort,
      models > 1 ? fmt::format(" from each of {} halves", models) : "");
}

std::optional<TooFew> FindTooFew(const InspectPlan& plan,
                                 const runs::Sourced& users_a,
                                 const runs::Sourced& users_b) {
  for (const config::Side side : {config::Side::kA, config::Side::kB}) {
    const runs::Sourced& size = side == config::Side::kA ? users_a : users_b;
    TooFew few{.side = side,
               .users = size.value,
               .deviation = size.deviation,
               .noisy = size.source == "released",
               .cohort = std::max(1.0, plan.cohort),
               .models = HalvesOf(plan, side),
               .given = size.source == "given"};
    if (!(few.users >= few.needed())) return few;
  }
  return std::nullopt;
}

Error Refusal(const TooFew& few, const runs::InspectionRecord& record) {
  std::string todo = CohortThatFits(few);
  if (const auto wider = WiderThreshold(few, record)) {
    todo += fmt::format(
        "{}--set select.{}={:g} would have about {:.0f} users, by the noisy "
        "bars of users by accuracy",
        todo.empty() ? "" : "; ",
        few.side == config::Side::kA ? "above" : "below", wider->threshold,
        wider->users);
  }
  if (todo.empty()) {
    todo = "choose wider thresholds, or data that have such users";
  }
  return BadInput(
      fmt::format("side {} has {}", SideName(few.side), few.Words()),
      fmt::format("select.users_{}", config::Word(few.side)), todo);
}

runs::Contrast FewLeft(const TooFew& few, const runs::Earlier& earlier,
                       const std::string& rule_b) {
  const double most = std::max(0.0, few.users) + 2 * few.deviation;
  const bool same_rule = rule_b == earlier.rule_b;
  const bool gone = same_rule && most <= kLeftShare * earlier.users_b;
  return {
      .verdict = gone ? runs::Verdict::kSame : runs::Verdict::kCannotSay,
      .compared = false,
      .sentence = gone ? "The users in question are gone."
                       : "Too few users are left to compare, and not so few "
                         "that they are gone.",
      .reason = fmt::format(
          "Side {} has {}. {} No model was trained.", SideName(few.side),
          few.Words(),
          same_rule
              ? fmt::format("There were about {:.0f} before; at most {:.0f} "
                            "are left, two deviations of the noise allowed "
                            "for.",
                            earlier.users_b, most)
              : fmt::format("Before, they were chosen otherwise ({}).",
                            earlier.rule_b))};
}

}  // namespace sfumato::plan
