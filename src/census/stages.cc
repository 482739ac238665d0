#include "census/stages.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/crc32c.h"
#include "base/error.h"
#include "base/progress.h"
#include "base/secure_random.h"
#include "census/answer/census_answer.h"
#include "census/answer/power.h"
#include "census/drawn_references.h"
#include "census/voter/class_voter.h"
#include "dp/mechanisms/vote_histogram.h"
#include "fed/release/survey.h"
#include "fed/release/vote_loop.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "plan/consent.h"
#include "plan/dataset_ledger.h"
#include "plan/inspect_ledger.h"
#include "plan/plan_file.h"
#include "plan/reference_run.h"
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

References DrawnBy(const base::Path& folder, const Census& census) {
  const plan::ReferenceRun run =
      plan::ReadReferenceRun(folder, census.job.ledger_key);
  const base::Path pool = census.job.folder / "reference";
  const DrawOptions options{.seed =
                                static_cast<std::uint64_t>(census.config.seed)};
  DrawReferences(folder, options, pool);
  References references{.set = std::make_unique<data::FederatedDataset>(pool),
                        .record = {}};
  const bool text = references.set->info().kind == data::Kind::kText;
  references.record = {
      .words = fmt::format(
          "{} drawn from the run {}",
          base::HumanCount(static_cast<std::uint64_t>(options.count),
                           text ? "sentence" : "image"),
          run.name),
      .provenance = run.released ? "released" : "public",
      .epsilon = run.epsilon,
      .delta = run.delta,
      .population = run.population,
      .crc32c = references.set->Fingerprint(),
      .alike = !plan::AreOther(census.config.census,
                               census.people().set->info().origin,
                               data::Origin::kGenerated)};
  return references;
}

References OpenReferences(const Census& census) {
  if (const auto run = plan::RunOfReference(census.config.census)) {
    return DrawnBy(*run, census);
  }
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
      .alike = !plan::AreOther(census.config.census,
                               census.people().set->info().origin,
                               set.info().origin)};
  return references;
}

// What an earlier census learned its voter from, if the voter is still that.
runs::ReferenceRecord ReferenceOfStored(const Census& census) {
  const base::Path folder = base::NormalFolder(census.config.census.voter);
  const base::Path earlier = folder.parent_path();
  if (!runs::IsCensus(earlier)) {
    if (census.record.simulation) {
      return {.words = "not known", .alike = false};
    }
    throw Unsupported("a voter of unknown references", "census.voter",
                      "name the folder `voter` inside of its census's folder, "
                      "whose record says what it learned from");
  }
  const runs::CensusRecord made = runs::ReadCensus(earlier);
  if (made.voter_crc32c != runs::SumOfVoter(folder, made.reference)) {
    throw BadInput("a voter that is not the one its census voted with",
                   folder.string(),
                   "it was changed since: restore it, or learn another one");
  }
  const std::string& provenance = made.reference.provenance;
  const bool is_public = provenance == data::Name(data::Origin::kPublic);
  const bool is_made = provenance == data::Name(data::Origin::kGenerated) ||
                       provenance == "released";
  if (!is_public && !is_made && !census.record.simulation) {
    throw Unsupported("a voter that learned from references of unknown origin",
                      folder.string(),
                      "name one that learned from public or generated "
                      "references, or from released draws");
  }
  runs::ReferenceRecord reference = made.reference;
  // Alike to the users of this census, not to those of the earlier one.
  reference.alike =
      (is_public || is_made) &&
      !plan::AreOther(
          census.config.census, census.people().set->info().origin,
          is_public ? data::Origin::kPublic : data::Origin::kGenerated);
  return reference;
}

std::unique_ptr<Voter> ReadStored(Census& census, const VoterSource& source) {
  std::unique_ptr<Voter> voter = source.read(census.config.census.voter);
  census.record.reference = ReferenceOfStored(census);
  return voter;
}

std::unique_ptr<Voter> LearnFromReferences(Census& census,
                                           const VoterSource& source) {
  base::Note("A voter learns from references …");
  const References references = OpenReferences(census);
  constexpr double kParts = 100;
  base::Progress progress("learning", static_cast<std::uint64_t>(kParts),
                          "parts");
  double shown = 0;
  const auto advance = [&](double done, const char* what) {
    const double parts =
        std::floor(kParts * std::min(1.0, std::max(done, 0.0)));
    progress.Advance(static_cast<std::uint64_t>(std::max(0.0, parts - shown)),
                     what);
    shown = std::max(shown, parts);
  };
  VoterOptions options =
      VoterOptionsOf(census.config, references.set->info(),
                     census.people().set->info(), references.record.alike);
  options.gpu = census.device.torch.is_cuda();
  options.progress = advance;
  std::unique_ptr<Voter> voter =
      source.learn(*references.set, options, census.pool);
  census.record.reference = references.record;
  return voter;
}

// Who votes when nobody voted before.
std::unique_ptr<Voter> NewVoter(Census& census, const VoterSource& source) {
  const config::CensusConfig& config = census.config.census;
  if (config.about == config::About::kClasses) {
    return MakeClassVoter(census.people().set->info(), config.marks);
  }
  return config.voter.empty() ? LearnFromReferences(census, source)
                              : ReadStored(census, source);
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
    return plan::PlanCensus(config, census.people().facts(), options);
  };
  plan::CensusPlan plan =
      begun.empty() ? make(census.config)
                    : plan::PlanAsKept(census.job.folder, census.config, make);
  plan::NameReferences(plan.taken_as_fixed, census.config,
                       census.job.ledger_key);
  return plan;
}

std::vector<LeastSeen> Power(const Census& census) {
  if (census.plan.users.empty() || census.plan.classes > 0) return {};
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

// What was agreed to.
void FillAgreed(Census& census) {
  runs::CensusRecord& record = census.record;
  record.remarks = census.plan.remarks;
  plan::FillPrivacy(census.plan, record.privacy);
  record.ledger_name = census.plan.name;
}

// Rule 5 of docs/privacy_proofs.md, as for the judging model of an inspection.
void CheckJudge(Census& census) {
  if (census.config.census.groups != config::Groups::kSides) return;
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

void OpenBefore(Census& census) {
  const config::TrainConfig& config = census.config;
  if (config.census.groups != config::Groups::kBeforeAfter) return;
  census.before = plan::OpenTrainingData(plan::DataBefore(config.data),
                                         census.job.folder / "before");
  census.before.CheckSums();
  plan::CheckBefore(*census.before.set, *census.people().set);
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

Design DesignOf(const config::TrainConfig& config) {
  if (config.census.groups != config::Groups::kSides) {
    return Design::kEverybody;
  }
  return config.select.by == config::By::kColumn ? Design::kTwoGroups
                                                 : Design::kOwnAccuracy;
}

std::string QuestionOf(const config::TrainConfig& config,
                       const data::DatasetInfo& info) {
  if (!config.inspect.question.empty()) return config.inspect.question;
  if (config.census.about == config::About::kClasses) {
    return "Which classes do users have?";
  }
  return fmt::format("What was done to users' {}?", data::Name(info.kind));
}

}  // namespace

Census::Census(const CensusJob& given, CensusOutcome& outcome,
               const CensusPart* part_of)
    : job(given),
      part(part_of),
      config(given.config),
      record(outcome.record),
      device(train::DeviceFor(given.config.device)),
      pool(device.threads) {
  if (runs::IsCensus(job.folder)) record = runs::ReadCensus(job.folder);
  record.version = job.version;
  record.name = config.name;
  record.part = part != nullptr;
}

void Census::SetStage(const std::string& stage) {
  record.status = runs::Status::kRunning;
  record.stage = stage;
  Save();
}

void OpenData(Census& census) {
  const config::TrainConfig& config = census.config;
  runs::CensusRecord& record = census.record;
  // Before people are generated: one that is stopped there has a page too.
  record.simulation =
      plan::FactsOf(config.data).origin != data::Origin::kPrivate;
  if (census.part == nullptr) {
    census.data = plan::OpenTrainingData(config.data, census.job.folder);
    census.data.CheckSums();
  }
  const data::DatasetInfo& info = census.people().set->info();
  record.data = info.name;
  record.origin = data::Name(info.origin);
  record.question = QuestionOf(config, info);
  record.design = DesignOf(config);
  record.level = config.census.level;
  CheckGroups(config, info);
  record.groups = DescribeGroups(config);
  OpenBefore(census);
  config::TrainConfig design = census.job.config;
  design.device = {};
  Pin(record.config_crc32c,
      fmt::format("{:08x}", base::Crc32c(config::ChangedKeys(design))),
      "the config is", (census.job.folder / "config.toml").string());
  Pin(record.data_crc32c,
      census.people().description_crc32c +
          (census.before.set ? "-" + census.before.description_crc32c : ""),
      "the data is", record.data);
}

namespace {

// "rotate, shift" as two families.
std::vector<std::string> SplitOf(const config::CensusConfig& config) {
  std::vector<std::string> families;
  std::string rest = config.split;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    std::string family = rest.substr(0, end);
    std::erase(family, ' ');
    if (!family.empty()) families.push_back(std::move(family));
    rest.erase(0, end + 1);
  }
  return families;
}

std::string TextOf(const std::vector<std::string>& families) {
  return families.empty() ? "none"
                          : fmt::format("{}", fmt::join(families, ", "));
}

}  // namespace

VoterOptions VoterOptionsOf(const config::TrainConfig& config,
                            const data::DatasetInfo& reference,
                            const data::DatasetInfo& people, bool alike) {
  const config::CensusConfig& census = config.census;
  const bool two_states = census.groups == config::Groups::kBeforeAfter;
  return {.marks = census.marks,
          .least_examples = census.least_examples,
          .most_examples = census.most_examples,
          .classes = census.classes,
          .labels = reference.classes == people.classes,
          // Two states of the same users are compared with each other: no
          // healthy user has to look like a reference.
          .foreign = !alike && !two_states,
          .change = two_states,
          .split = SplitOf(census),
          .seed = static_cast<std::uint64_t>(config.seed),
          .effort = census.effort};
}

void CheckVoter(const Voter& voter, const config::TrainConfig& config,
                const data::DatasetInfo& info) {
  const Calibration& calibration = voter.calibration();
  const config::CensusConfig& asked = config.census;
  const About about =
      asked.about == config::About::kClasses ? About::kClasses : About::kDamage;
  constexpr const char* kLearn = "learn another voter: leave it out";
  if (calibration.about != about) {
    throw BadInput(fmt::format("a voter about {}, in a census about {}",
                               Name(calibration.about), Name(about)),
                   "census.voter", kLearn);
  }
  if (!voter.Reads(info)) {
    throw BadInput(fmt::format("a voter of other data than {}", info.name),
                   "census.voter",
                   "name one that learned from examples of the same kind and "
                   "shape");
  }
  if (calibration.marks != asked.marks) {
    throw BadInput(
        fmt::format("a voter for {} {}, in a census for {}", calibration.marks,
                    calibration.marks == 1 ? "mark" : "marks", asked.marks),
        "census.marks", "give the voter's number, or learn another voter");
  }
  const bool two_states = asked.groups == config::Groups::kBeforeAfter;
  if (about == About::kDamage && calibration.split != SplitOf(asked)) {
    throw BadInput(
        fmt::format("a voter that answers which strength of: {}; in a census "
                    "that asks which of: {}",
                    TextOf(calibration.split), TextOf(SplitOf(asked))),
        "census.split", kLearn);
  }
  if (voter.on_change() != two_states) {
    throw BadInput(two_states
                       ? "a voter on one state of the data, in a census of two"
                       : "a voter on what changed, in a census of one state",
                   "census.voter", kLearn);
  }
}

void FixVoter(Census& census, const VoterSource& source) {
  runs::CensusRecord& record = census.record;
  const base::Path folder = census.VoterFolder();
  // Begun: who was agreed to votes, and nobody else.
  const bool begun = !record.ledger_name.empty();
  // Stopped between the voter and its sum: nobody voted with it.
  if (!begun && record.voter_crc32c.empty()) fs::remove_all(folder);
  if (fs::exists(folder)) {
    Pin(record.voter_crc32c, runs::SumOfVoter(folder, record.reference),
        "the voter, or what is on record about its references, is",
        folder.string());
    census.voter = source.read(folder);
  } else if (begun) {
    throw BadInput("the voter that the census began with is gone",
                   folder.string(),
                   "put it back, or begin anew with another --out");
  } else {
    // A voter takes a while: who stops it can resume.
    census.SetStage("voter");
    census.voter = NewVoter(census, source);
    census.Save();  // what it learned from comes before it
    census.voter->Write(folder);
    record.voter_crc32c = runs::SumOfVoter(folder, record.reference);
    census.Save();
    fs::remove_all(census.job.folder / "reference");
  }
  record.calibration = census.voter->calibration();
  if (record.calibration.families() == 0) {
    throw BadInput("a voter that can name no damage", folder.string(),
                   "these references show none: give more of them, or of "
                   "another kind, in census.reference, and another --out");
  }
  CheckVoter(*census.voter, census.config, census.people().set->info());
}

void CheckPrice(Census& census) {
  if (census.part != nullptr) {
    census.plan = census.part->plan;
    census.ledger = &census.part->ledger;
    return;
  }
  if (!census.record.simulation) {
    plan::UseLedgersDelta(census.config, census.people().facts(),
                          census.job.ledger_key);
  }
  census.plan = PlanOf(census);
  census.ledger = &census.own_ledger.emplace(plan::CensusLedger(
      census.config, census.plan, census.job.folder, census.job.ledger_key));
  CheckJudge(census);
  if (!census.record.ledger_name.empty()) return;
  const plan::LedgerPrice price = plan::GrantedIn(*census.ledger, census.plan);
  if (census.record.simulation) return;
  plan::RequireSomebodyToAsk(plan::PriceLines(census.plan, &price),
                             census.job.yes);
}

void Price(Census& census) {
  runs::CensusRecord& record = census.record;
  census.plan.histogram.cells =
      census.plan.groups *
      static_cast<std::int64_t>(record.calibration.cells.size());
  const bool priced = !record.ledger_name.empty();
  const bool reserved =
      census.part != nullptr || plan::IsReserved(*census.ledger, census.plan);
  if (priced && (census.plan.simulation || reserved)) {
    if (census.part == nullptr) Reserve(census);
    return;  // somebody said yes before
  }
  record.noise = census.plan.Noise();
  record.power = Power(census);
  if (census.part != nullptr) {
    FillAgreed(census);
    census.SetStage("price");
    return;
  }
  std::optional<plan::LedgerPrice> price;
  if (!priced) price = plan::GrantedIn(*census.ledger, census.plan);
  plan::RequireYes(
      plan::PriceLines(census.plan, price ? &*price : nullptr, record.power),
      census.plan.simulation || census.job.yes);
  for (const std::string& remark : census.plan.remarks) base::Warning(remark);
  FillAgreed(census);
  const dp::Shares before =
      dp::SharesOf(census.ledger->TotalsOf(census.plan.root));
  plan::FillReserved(*census.ledger, census.plan, before, record.privacy);
  plan::WritePlan(census.job.folder, census.plan);
  // From here on there is something to resume.
  census.SetStage("price");
  Reserve(census);
  plan::FillReserved(*census.ledger, census.plan, before, record.privacy);
}

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
