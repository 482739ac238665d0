// AskThresholds, Ask and Answer: who is in which group, one vote of everybody,
// and what the noisy counts of the groups say.

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "census/answer/census_answer.h"
#include "census/pin.h"
#include "census/stages.h"
#include "dp/mechanisms/vote_histogram.h"
#include "fed/release/survey.h"
#include "fed/release/vote_loop.h"
#include "fmt/format.h"
#include "plan/inspect_ledger.h"
#include "plan/inspect_plan.h"

namespace sfumato::census {
namespace {

namespace fs = std::filesystem;

// Everybody's number, for groups by one: the judge runs once on each device,
// and is the one that thresholds were asked with.
const std::vector<double>& MeasuredIn(Census& census) {
  if (!census.measured) {
    census.measured = MeasuredOf(census.config, census.ClassifierFolder(),
                                 census.device, census.people(), census.pool);
    Pin(census.record.judge_crc32c, census.measured->judge_sum,
        "the judging model is", census.config.select.model);
    census.Save();
  }
  return census.measured->numbers;
}

// Of thresholds that were released: what groups are chosen by from now on.
void UseThresholds(Census& census) {
  const runs::CensusRecord& record = census.record;
  if (!record.above || !record.below) return;
  config::SelectConfig& select = census.config.select;
  select.above = record.above->value;
  // Noise may have crossed them.
  select.below = std::min(record.below->value, record.above->value);
  select.above_quantile = select.below_quantile = 0;
  census.record.groups = DescribeGroups(census.config);
}

// The votes with their group: cell c of group g is g * cells + c.
Votes Joint(const Votes& votes, const std::vector<int>& groups,
            std::int64_t cells) {
  Votes joint(votes.size());
  for (std::size_t user = 0; user < votes.size(); ++user) {
    if (groups.at(user) == kNoGroup) continue;
    for (const std::int64_t cell : votes[user]) {
      // A vote outside the cells must not count for another group.
      if (cell < 0 || cell >= cells) continue;
      joint[user].push_back(groups[user] * cells + cell);
    }
  }
  return joint;
}

std::vector<std::vector<double>> ByGroup(const std::vector<std::int64_t>& joint,
                                         std::size_t cells) {
  std::vector<std::vector<double>> counts;
  for (std::size_t from = 0; from < joint.size(); from += cells) {
    counts.emplace_back(
        joint.begin() + static_cast<std::ptrdiff_t>(from),
        joint.begin() + static_cast<std::ptrdiff_t>(from + cells));
  }
  return counts;
}

// None of a user whose record is damaged: that ends nobody else's census, and
// is not spoken of (rule 7).
std::optional<std::string_view> IdOf(const data::FederatedDataset& set,
                                     std::size_t user) {
  try {
    return set.user(user).id();
  } catch (const Error&) {
    return {};
  }
}

// The number of each user among those before, by their ids; -1: was not there.
std::vector<std::int64_t> NumbersBefore(const plan::TrainingData& now,
                                        const data::FederatedDataset& before) {
  std::unordered_map<std::string_view, std::int64_t> numbers;
  for (std::size_t user = 0; user < before.users(); ++user) {
    if (const auto id = IdOf(before, user)) {
      numbers[*id] = static_cast<std::int64_t>(user);
    }
  }
  std::vector<std::int64_t> found;
  found.reserve(now.users.size());
  for (const std::int64_t user : now.users) {
    const auto id = IdOf(*now.set, static_cast<std::size_t>(user));
    const auto at = id ? numbers.find(*id) : numbers.end();
    found.push_back(at == numbers.end() ? -1 : at->second);
  }
  return found;
}

Votes VotesIn(Census& census) {
  const plan::TrainingData& people = census.people();
  if (!census.before.set) {
    return census.voter->VotesOf(*people.set, people.users, census.pool);
  }
  return census.voter->VotesOnChange(*census.before.set,
                                     NumbersBefore(people, *census.before.set),
                                     *people.set, people.users, census.pool);
}

// The same rule and the same voter on people in whom nothing is broken, and who
// were made for this: exact, since they do not exist. It needs
// generated references; otherwise it is empty.
Counts PlaceboOf(Census& census) {
  if (census.record.design != Design::kOwnAccuracy ||
      !config::GeneratesReference(census.config.census)) {
    return {};
  }
  const base::Path folder = census.job.folder / "placebo";
  const plan::TrainingData people =
      plan::OpenTrainingData(plan::PlaceboData(census.config), folder);
  const auto cells =
      static_cast<std::int64_t>(census.record.calibration.cells.size());
  const Votes votes =
      Joint(census.voter->VotesOf(*people.set, people.users, census.pool),
            GroupsOf(census.config, people,
                     MeasuredOf(census.config, census.ClassifierFolder(),
                                census.device, people, census.pool)
                         .numbers),
            cells);
  Counts placebo{.counts =
                     ByGroup(dp::CountVotes(votes, census.plan.histogram.cells,
                                            census.plan.histogram.marks),
                             static_cast<std::size_t>(cells))};
  fs::remove_all(folder);
  return placebo;
}

}  // namespace

void AskThresholds(Census& census) {
  runs::CensusRecord& record = census.record;
  if (census.plan.questions.empty()) return;
  if (!record.above || !record.below) census.SetStage("thresholds");
  fed::Survey survey(
      *census.ledger,
      {.run = census.plan.survey_run,
       .population = census.plan.root,
       .randomness = {.simulation = census.plan.simulation,
                      .seed = static_cast<std::uint64_t>(census.config.seed)},
       .questions = census.plan.Questions(),
       .before_more = [&](const dp::Event& question) {
         plan::RequireYesForMore(
             *census.ledger, census.plan, question,
             fmt::format("Resume   an answer was lost: its question ({}) is "
                         "asked again and paid again\n",
                         dp::Describe(question)),
             census.job.yes);
       }});
  const auto threshold = [&](const char* name, double quantile,
                             const std::optional<double>& given,
                             std::optional<runs::Sourced>& into) {
    if (into) return;  // from before a crash
    if (quantile == 0) {
      into = runs::Sourced{.value = given.value(), .source = "given"};
      return;
    }
    const fed::SurveyAnswer answer =
        survey.Ask(name, [&] { return MeasuredIn(census); });
    into = runs::Sourced{
        .value = plan::ThresholdOf(census.config.select, answer.values[0]),
        .source = "released"};
    census.Save();
  };
  const config::SelectConfig asked = census.config.select;
  threshold(plan::kThresholdAbove, asked.above_quantile, asked.above,
            record.above);
  threshold(plan::kThresholdBelow, asked.below_quantile, asked.below,
            record.below);
  UseThresholds(census);
  census.Save();
  survey.Finish();  // a crash may have come before it
  plan::FillSpent(*census.ledger, census.plan, record.privacy);
}

void Ask(Census& census) {
  runs::CensusRecord& record = census.record;
  const std::size_t cells = record.calibration.cells.size();
  fed::VoteLoop vote(
      *census.ledger,
      {.run = census.plan.vote_run,
       .population = census.plan.root,
       .randomness = {.simulation = census.plan.simulation,
                      .seed = static_cast<std::uint64_t>(census.config.seed)},
       .histogram = census.plan.histogram,
       .before_more = [&](const dp::Event& more) {
         if (census.part != nullptr) return census.part->before_more(more);
         plan::RequireYesForMore(
             *census.ledger, census.plan, more,
             "Resume   the votes were lost: everybody is asked again, and it "
             "is paid again\n",
             census.job.yes);
       }});
  if (record.counts.empty()) {
    census.SetStage("votes");
    const fed::VoteCounts counts = vote.Ask([&] {
      base::Note("Every device looks at its own examples and votes …");
      const std::vector<int> groups =
          GroupsOf(census.config, census.people(), MeasuredIn(census));
      return Joint(VotesIn(census), groups, static_cast<std::int64_t>(cells));
    });
    record.counts = ByGroup(counts.cells.value(), cells);
    census.Save();
  }
  vote.Finish();  // a crash may have come before it
  plan::FillSpent(*census.ledger, census.plan, record.privacy);
  census.Save();
}

void Answer(Census& census) {
  runs::CensusRecord& record = census.record;
  // With several marks the counts do not add up to the users.
  record.asked = census.plan.histogram.marks > 1 ? census.plan.users
                                                 : std::vector<double>{};
  AnswerOptions options{.design = record.design,
                        .alike = record.reference.alike,
                        .level = record.level,
                        .placebo = PlaceboOf(census)};
  if (record.groups.size() > 1) {
    for (const runs::CensusGroup& group : record.groups) {
      options.groups.push_back(group.words);
    }
  }
  record.answer = AnswerOf(
      {.counts = record.counts, .noise = record.noise, .asked = record.asked},
      record.calibration, options);
}

}  // namespace sfumato::census
