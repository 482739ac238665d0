#include "census/stages.h"

#include <cmath>
#include <filesystem>
#include <vector>

#include "base/crc32c.h"
#include "base/error.h"
#include "base/progress.h"
#include "base/secure_random.h"
#include "census/answer/census_answer.h"
#include "census/answer/power.h"
#include "census/groups.h"
#include "dp/mechanisms/vote_histogram.h"
#include "fed/release/vote_loop.h"
#include "fmt/format.h"
#include "plan/consent.h"
#include "plan/dataset_ledger.h"
#include "plan/inspect_ledger.h"
#include "plan/plan_file.h"
#include "report/page.h"

namespace sfumato::census {
namespace {

namespace fs = std::filesystem;

// What may not change between the first stage and a resume.
void Pin(std::string& kept, const std::string& now, const char* what,
         const std::string& where) {
  if (!kept.empty() && kept != now) {
    throw BadInput(
        fmt::format("{} not the one that the census began with", what), where,
        "put it back, or begin anew with another --out");
  }
  kept = now;
}

// The references, opened; generated people are made in the census's folder.
struct References {
  std::unique_ptr<data::FederatedDataset> set;
  runs::ReferenceRecord record;
};

References OpenReferences(const Census& census) {
  const config::DataConfig config = plan::ReferenceData(census.config);
  References references;
  if (config.generate.empty()) {
    references.set = std::make_unique<data::FederatedDataset>(config.path);
    references.set->CheckSums();
  } else {
    references.set =
        plan::OpenTrainingData(config, census.job.folder / "reference").set;
  }
  const data::FederatedDataset& set = *references.set;
  references.record = {
      .words = config.generate.empty()
                   ? set.info().name
                   : fmt::format("{}, {} generated people who are not asked",
                                 config.generate, config.users),
      .provenance = std::string(data::Name(set.info().origin)),
      .crc32c = set.Fingerprint(),
      .alike =
          !plan::AreOther(census.config.census, census.data.set->info().origin,
                          set.info().origin)};
  return references;
}

// What an earlier census learned its voter from, if the voter is still that.
runs::ReferenceRecord ReferenceOfStored(const Census& census) {
  const base::Path folder = base::NormalFolder(census.config.census.voter);
  const base::Path earlier = folder.parent_path();
  if (!runs::IsCensus(earlier)) {
    if (census.record.simulation) return {.words = "not known"};
    throw Unsupported("a voter of unknown references", "census.voter",
                      "name the folder `voter` inside of its census's folder, "
                      "whose record says what it learned from");
  }
  const runs::CensusRecord made = runs::ReadCensus(earlier);
  if (made.voter_crc32c != SumOfVoter(folder)) {
    throw BadInput("a voter that is not the one its census voted with",
                   folder.string(),
                   "it was changed since: restore it, or learn another one");
  }
  return made.reference;
}

std::unique_ptr<Voter> ReadStored(Census& census, const VoterSource& source) {
  std::unique_ptr<Voter> voter = source.read(census.config.census.voter);
  census.record.reference = ReferenceOfStored(census);
  return voter;
}

std::unique_ptr<Voter> LearnFromReferences(Census& census,
                                           const VoterSource& source) {
  const config::CensusConfig& config = census.config.census;
  base::Note("A voter learns from references …");
  const References references = OpenReferences(census);
  constexpr double kParts = 1000;
  base::Progress progress("learning", static_cast<std::uint64_t>(kParts), "‰");
  double shown = 0;
  const auto advance = [&](double done, const char* what) {
    const double parts =
        std::floor(kParts * std::min(1.0, std::max(done, 0.0)));
    progress.Advance(static_cast<std::uint64_t>(std::max(0.0, parts - shown)),
                     what);
    shown = std::max(shown, parts);
  };
  std::unique_ptr<Voter> voter =
      source.learn(*references.set,
                   {.marks = config.marks,
                    .least_examples = config.least_examples,
                    .most_examples = config.most_examples,
                    .classes = config.classes,
                    .labels = references.set->info().classes ==
                              census.data.set->info().classes,
                    .foreign = !references.record.alike,
                    .seed = static_cast<std::uint64_t>(census.config.seed),
                    .effort = config.effort,
                    .progress = advance},
                   census.pool);
  census.record.reference = references.record;
  return voter;
}

// Its name in the ledger. There nobody else has it: two folders of one name are
// two censuses.
std::string NewLedgerName(const Census& census) {
  std::string name = plan::LedgerNameOf(census.job.folder);
  if (census.record.simulation) return name;
  return fmt::format("{}-{:08x}", name, base::SecureRandom()() & 0xffffffffu);
}

plan::CensusPlan PlanOf(const Census& census) {
  const std::string& begun = census.record.ledger_name;
  const plan::CensusOptions options{
      .name = begun.empty() ? NewLedgerName(census) : begun};
  const auto make = [&](const config::TrainConfig& config) {
    return plan::PlanCensus(config, census.data.facts(), options);
  };
  return begun.empty()
             ? make(census.config)
             : plan::PlanAsKept(census.job.folder, census.config, make);
}

std::vector<LeastSeen> Power(const Census& census) {
  if (census.plan.users.empty()) return {};
  return PowerOf({.noise = census.plan.Noise(),
                  .users = census.plan.users,
                  .level = census.config.census.level},
                 census.voter->calibration());
}

void Reserve(Census& census) {
  if (!census.plan.simulation) {
    plan::BindToLedger(census.config.data, *census.ledger);
  }
  plan::Reserve(*census.ledger, census.plan);
}

// Rule 5 of docs/privacy_proofs.md, as for the judging model of an inspection.
void CheckJudge(Census& census) {
  if (census.config.census.groups == config::Groups::kEverybody) return;
  plan::InspectPlan judged;
  judged.simulation = census.plan.simulation;
  judged.root = census.plan.root;
  judged.model_folder = census.config.select.model;
  judged.model_is = census.config.select.model_is;
  plan::CheckProvenance(*census.ledger, judged);
}

// The votes with their group: cell c of group g is g * cells + c.
Votes Joint(const Votes& votes, const std::vector<int>& groups,
            std::int64_t cells) {
  Votes joint(votes.size());
  for (std::size_t user = 0; user < votes.size(); ++user) {
    if (groups.at(user) == kNoGroup) continue;
    for (const std::int64_t cell : votes[user]) {
      // A cell that is none must not become another group's.
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

// The same rule and the same voter on people in whom nothing is broken, and who
// were made for this: exact, since they do not exist. Without generated
// references there is none.
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
            GroupsOf(census.config, census.job.folder, census.device, people,
                     census.pool),
            cells);
  Counts placebo{.counts =
                     ByGroup(dp::CountVotes(votes, census.plan.histogram.cells,
                                            census.plan.histogram.marks),
                             static_cast<std::size_t>(cells))};
  fs::remove_all(folder);
  return placebo;
}

Design DesignOf(const config::TrainConfig& config) {
  if (config.census.groups == config::Groups::kEverybody) {
    return Design::kEverybody;
  }
  return config.select.by == config::By::kColumn ? Design::kTwoGroups
                                                 : Design::kOwnAccuracy;
}

std::string QuestionOf(const config::TrainConfig& config,
                       const data::DatasetInfo& info) {
  if (!config.inspect.question.empty()) return config.inspect.question;
  return fmt::format("Which damage do users' {} have?", data::Name(info.kind));
}

}  // namespace

Census::Census(const CensusJob& given, CensusOutcome& outcome)
    : job(given),
      config(given.config),
      record(outcome.record),
      device(train::DeviceFor(given.config.device)),
      pool(device.threads) {
  if (runs::IsCensus(job.folder)) record = runs::ReadCensus(job.folder);
  record.version = job.version;
  record.name = config.name;
}

void Census::SetStage(const std::string& stage) {
  record.status = runs::Status::kRunning;
  record.stage = stage;
  Save();
}

std::string SumOfVoter(const base::Path& folder) {
  std::uint32_t sum = 0;
  for (const char* file : {"voter.json", "voter.safetensors"}) {
    sum = base::Crc32c(base::ReadFile(folder / file), sum);
  }
  return fmt::format("{:08x}", sum);
}

void OpenData(Census& census) {
  const config::TrainConfig& config = census.config;
  runs::CensusRecord& record = census.record;
  // Before people are generated: one that is stopped there has a page too.
  record.simulation =
      plan::FactsOf(config.data).origin != data::Origin::kPrivate;
  census.data = plan::OpenTrainingData(config.data, census.job.folder);
  census.data.CheckSums();
  const data::DatasetInfo& info = census.data.set->info();
  record.data = info.name;
  record.origin = data::Name(info.origin);
  record.question = QuestionOf(config, info);
  record.design = DesignOf(config);
  record.level = config.census.level;
  CheckGroups(config, info);
  record.groups = DescribeGroups(config);
  config::TrainConfig design = census.job.config;
  design.device = {};
  Pin(record.config_crc32c,
      fmt::format("{:08x}", base::Crc32c(config::ChangedKeys(design))),
      "the config is", (census.job.folder / "config.toml").string());
  Pin(record.data_crc32c, census.data.description_crc32c, "the data are",
      record.data);
}

void FixVoter(Census& census, const VoterSource& source) {
  runs::CensusRecord& record = census.record;
  const base::Path folder = census.VoterFolder();
  // Begun: who was agreed to votes, and nobody else.
  const bool begun = !record.ledger_name.empty();
  if (fs::exists(folder)) {
    Pin(record.voter_crc32c, SumOfVoter(folder), "the voter is",
        folder.string());
    census.voter = source.read(folder);
  } else if (begun) {
    throw BadInput("the voter that the census began with is gone",
                   folder.string(),
                   "put it back, or begin anew with another --out");
  } else {
    // A voter takes a while: who stops it can resume.
    census.SetStage("voter");
    census.voter = census.config.census.voter.empty()
                       ? LearnFromReferences(census, source)
                       : ReadStored(census, source);
    census.voter->Write(folder);
    record.voter_crc32c = SumOfVoter(folder);
    census.Save();
    fs::remove_all(census.job.folder / "reference");
  }
  record.calibration = census.voter->calibration();
  if (record.calibration.marks != census.config.census.marks) {
    throw BadInput(fmt::format("a voter for {} {}, in a census for {}",
                               record.calibration.marks,
                               record.calibration.marks == 1 ? "mark" : "marks",
                               census.config.census.marks),
                   "census.marks",
                   "give the voter's number, or learn another voter");
  }
}

void CheckPrice(Census& census) {
  if (!census.record.simulation) {
    plan::UseLedgersDelta(census.config, census.data.facts(),
                          census.job.ledger_key);
  }
  census.plan = PlanOf(census);
  census.ledger.emplace(plan::CensusLedger(
      census.config, census.plan, census.job.folder, census.job.ledger_key));
  CheckJudge(census);
  if (census.record.ledger_name.empty()) {
    plan::GrantedIn(*census.ledger, census.plan);
  }
}

void Price(Census& census) {
  runs::CensusRecord& record = census.record;
  census.plan.histogram.cells =
      census.plan.groups *
      static_cast<std::int64_t>(record.calibration.cells.size());
  const bool priced = !record.ledger_name.empty();
  const bool reserved = plan::IsReserved(*census.ledger, census.plan);
  if (priced && (census.plan.simulation || reserved)) {
    Reserve(census);
    return;  // somebody said yes before
  }
  std::optional<plan::LedgerPrice> price;
  if (!priced) price = plan::GrantedIn(*census.ledger, census.plan);
  record.noise = census.plan.Noise();
  record.power = Power(census);
  plan::RequireYes(
      plan::PriceLines(census.plan, price ? &*price : nullptr, record.power),
      census.plan.simulation || census.job.yes);
  for (const std::string& remark : census.plan.remarks) base::Warning(remark);
  record.remarks = census.plan.remarks;
  plan::FillPrivacy(census.plan, record.privacy);
  record.ledger_name = census.plan.name;
  const dp::Shares before =
      dp::SharesOf(census.ledger->TotalsOf(census.plan.root));
  plan::FillReserved(*census.ledger, census.plan, before, record.privacy);
  plan::WritePlan(census.job.folder, census.plan);
  // From here on there is something to resume.
  census.SetStage("price");
  Reserve(census);
  plan::FillReserved(*census.ledger, census.plan, before, record.privacy);
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
         plan::RequireYesForMore(*census.ledger, census.plan, more,
                                 census.job.yes);
       }});
  if (record.counts.empty()) {
    census.SetStage("votes");
    base::Note("Every device looks at its own examples and votes …");
    const fed::VoteCounts counts = vote.Ask([&] {
      const std::vector<int> groups =
          GroupsOf(census.config, census.job.folder, census.device, census.data,
                   census.pool);
      return Joint(census.voter->VotesOf(*census.data.set, census.data.users,
                                         census.pool),
                   groups, static_cast<std::int64_t>(cells));
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

void WritePage(Census& census) {
  runs::CensusRecord& record = census.record;
  record.status = runs::Status::kFinished;
  record.stage = "";
  if (record.simulation) {
    const std::chrono::duration<double> taken =
        std::chrono::steady_clock::now() - census.begun;
    record.simulation_only = {{"seconds", taken.count()},
                              {"device", census.device.Text()},
                              {"bug", census.config.data.bug},
                              {"bug_share", census.config.data.bug_share}};
  }
  census.Save();
  report::WriteReport(census.job.folder);
}

}  // namespace sfumato::census
