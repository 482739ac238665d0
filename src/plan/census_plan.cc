#include "plan/census_plan.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/progress.h"
#include "census/answer/class_answer.h"
#include "data/generate/forum.h"
#include "data/generate/handwriting.h"
#include "dp/accounting/calibration.h"
#include "fmt/format.h"
#include "plan/budget_text.h"
#include "plan/consent.h"
#include "plan/dataset_ledger.h"
#include "plan/guarantee_text.h"
#include "plan/inspect_plan.h"
#include "plan/inspect_plan_text.h"
#include "plan/reference_run.h"
#include "plan/training_data.h"
#include "report/number_text.h"
#include "runs/census.h"

namespace sfumato::plan {
namespace {

// Families of the catalogue, about: for what would be seen before a voter is
// learned.
constexpr std::size_t kFamilies = 20;
// Generated references.
constexpr std::int64_t kReferenceUsers = 5000;
// Seeds of generated references and of the placebo are the data's with these
// bits turned.
constexpr std::int64_t kOtherPeople = 0x63656e737573;    // "census"
constexpr std::int64_t kPlaceboPeople = 0x706c61636562;  // "placeb"
constexpr std::int64_t kPlaceboUsers = 3000;
// Where neither config nor ledger says anything, and nothing is spent.
constexpr double kUsualPrivateDelta = 1e-6;

// What may be refused before anything is computed.

void CheckGroups(const config::TrainConfig& config, bool simulation) {
  const config::SelectConfig& select = config.select;
  if (config.census.groups == config::Groups::kEverybody) return;
  if (config.census.groups == config::Groups::kBeforeAfter) {
    if (!config.data.before_path.empty() || !config.data.bug.empty()) return;
    throw BadInput("one state of the data, where two are compared",
                   "data.before_path",
                   "name the same users' data as they were before; in a "
                   "simulation data.bug, without which they are before");
  }
  if (select.by == config::By::kVote) {
    throw BadInput("two groups by their votes, in a census that asks for them",
                   "select.by",
                   "users of one answer are a population of their own: "
                   "sfumato inspect with select.by = \"vote\"; or choose "
                   "column, accuracy or perplexity");
  }
  if (select.by != config::By::kColumn &&
      !config::SidesShareNobody(select.by)) {
    throw BadInput(fmt::format("two groups by {}, where a user may be in both",
                               config::Word(select.by)),
                   "select.by",
                   "a user has one vote: choose column, accuracy or "
                   "perplexity; or leave census.groups out");
  }
  if (!config::HasThresholds(select.by)) return;
  config::CheckThresholds(select);
  CheckQuantiles(select);
  const bool judged =
      !select.model.empty() ||
      (select.by == config::By::kAccuracy && !config.data.generate.empty());
  if (!judged) throw NoJudge(select);
  if (!simulation && select.model_is == config::Provenance::kUnknown) {
    throw Unsupported("nobody says where the judging model came from",
                      "select.model_is", kProvenances);
  }
}

void CheckAbout(const config::CensusConfig& census, config::By by) {
  if (census.about != config::About::kClasses) return;
  const auto refuse = [](const char* what, const char* key, const char* hint) {
    throw BadInput(fmt::format("{}, in a census about classes", what), key,
                   hint);
  };
  constexpr const char* kNotNeeded =
      "leave it out: every device counts the classes of its own examples";
  if (!census.reference.empty()) {
    refuse("references", "census.reference", kNotNeeded);
  }
  if (!census.voter.empty()) refuse("a voter", "census.voter", kNotNeeded);
  if (!census.split.empty()) {
    refuse("strengths of damages", "census.split", "leave it out");
  }
  if (census.groups == config::Groups::kBeforeAfter) {
    refuse("two states of each user's data", "census.groups",
           "ask about each state by itself, at two prices, or two groups: "
           "\"sides\"");
  }
  if (census.groups == config::Groups::kSides && config::HasThresholds(by)) {
    throw Unsupported(
        fmt::format("classes of sides by {}, in a census", config::Word(by)),
        "select.by",
        "a class that is harder than others is rarer on one side although "
        "nothing is wrong, and there is no placebo: choose column, or ask "
        "everybody");
  }
}

// Counts of users who mark several cells do not add up to users, and the exact
// test of two groups needs their ratio.
void CheckMarks(const CensusPlan& plan, const config::CensusConfig& census) {
  if (census.marks == 1) return;
  if (plan.groups > 1) {
    throw Unsupported(
        fmt::format("{} marks in two groups", census.marks), "census.marks",
        "ask everybody, or let each user of two groups mark one answer");
  }
  if (census.about == config::About::kClasses && plan.users.empty()) {
    throw BadInput(
        fmt::format("{} classes of each user, of an unknown number of users",
                    census.marks),
        "cohort.population",
        "say about how many are asked: shares are of them; or let each mark "
        "one class");
  }
}

bool AsksThresholds(const config::TrainConfig& config) {
  const config::SelectConfig& select = config.select;
  return config.census.groups == config::Groups::kSides &&
         config::HasThresholds(select.by) &&
         (select.above_quantile > 0 || select.below_quantile > 0);
}

void CheckQuestions(const config::TrainConfig& config, bool part) {
  if (!AsksThresholds(config)) return;
  if (part) {
    throw Unsupported(
        "groups by private quantiles of the users, in the census "
        "of an inspection",
        "select.above",
        "give select.above and select.below: that census comes "
        "before any other question; or ask everybody, or run the "
        "census by itself (sfumato census)");
  }
  if (config.census.adjacency != config::Adjacency::kAddRemove) {
    throw Unsupported("private quantiles under replace-one", "census.adjacency",
                      "they hold under add_remove: ask for that, or give "
                      "select.above and select.below");
  }
}

void CheckVoter(const config::TrainConfig& config, bool simulation) {
  if (!simulation && config.data.test_share > 0) {
    throw BadInput("test users of private data", "data.test_share",
                   "leave it out: everybody is asked");
  }
}

// Noise.

dp::VoteNoise GaussianNoiseFor(double epsilon, double delta, std::int64_t moved,
                               dp::Adjacency adjacency) {
  const double least = dp::LeastNoise(
      [&](double deviation) {
        const dp::Event event{
            .mechanism = dp::DiscreteGaussian{.noise_multiplier = deviation},
            .adjacency = adjacency,
            .count = moved};
        return EpsilonOf({&event, 1}, delta);
      },
      0.25, epsilon);
  return dp::DiscreteGaussianNoise{.deviation = least};
}

// Beyond this deviation no census says anything, and a search for it is long.
constexpr double kMostDeviation = 1e4;

dp::VoteNoise LeastNoiseFor(double epsilon, double delta, std::int64_t marks,
                            dp::Adjacency adjacency) {
  const std::int64_t moved = dp::CellsMoved(marks, adjacency);
  const dp::VoteNoise laplace = dp::LaplaceNoiseFor(epsilon, moved);
  if (dp::DeviationOf(laplace) > kMostDeviation) return laplace;
  const dp::VoteNoise gaussian =
      GaussianNoiseFor(epsilon, delta, moved, adjacency);
  const double deviation = dp::DeviationOf(gaussian);
  return deviation < dp::DeviationOf(laplace) ? gaussian : laplace;
}

CensusPlan WithVote(CensusPlan plan, double epsilon) {
  plan.histogram.noise = LeastNoiseFor(epsilon, plan.delta,
                                       plan.histogram.marks, plan.adjacency());
  dp::VoteHistogramOptions priced = plan.histogram;
  priced.cells = priced.marks;  // any number costs the same
  plan.runs.clear();
  if (!plan.questions.empty()) {
    PlannedRun& survey = plan.runs.emplace_back(
        PlannedRun{.name = plan.survey_run, .population = {.name = plan.root}});
    for (const QuestionPlan& part : plan.questions) {
      survey.events.push_back(dp::EventOf(part.question, survey.population));
    }
  }
  plan.runs.push_back({.name = plan.vote_run,
                       .population = {.name = plan.root},
                       .events = {dp::VoteHistogram(priced).Event("")}});
  SetPrice(plan);
  return plan;
}

void AddQuestions(CensusPlan& plan, const config::TrainConfig& config) {
  if (!AsksThresholds(config)) return;
  const auto add = [&](double quantile, const char* name) {
    if (quantile == 0) return;
    QuestionPlan part{
        .question = {name, ThresholdQuestion(config, quantile)},
        .words = fmt::format("quantile {:g} of the users' {}", quantile,
                             config::Word(config.select.by))};
    const dp::Event event = dp::EventOf(part.question, {.name = plan.root});
    part.epsilon = EpsilonOf({&event, 1}, plan.delta);
    plan.questions.push_back(std::move(part));
  };
  add(config.select.above_quantile, kThresholdAbove);
  add(config.select.below_quantile, kThresholdBelow);
}

std::vector<double> UsersOf(const config::TrainConfig& config,
                            const DataFacts& data, bool simulation,
                            double known) {
  const auto about = [](std::int64_t users) {
    return static_cast<double>(users);
  };
  if (config.census.groups != config::Groups::kSides) {
    if (config.cohort.population > 0) return {about(config.cohort.population)};
    if (simulation) return {about(data.users)};
    return known > 0 ? std::vector<double>{known} : std::vector<double>{};
  }
  const config::SelectConfig& select = config.select;
  if (select.users_a > 0 && select.users_b > 0) {
    return {about(select.users_a), about(select.users_b)};
  }
  if (!simulation) return {};
  return {about(data.users) / 2, about(data.users) / 2};
}

// The sizes of two groups are known when they have answered.
std::string PowerIf(const config::TrainConfig& config, const CensusPlan& plan) {
  const config::SelectConfig& select = config.select;
  if (plan.groups < 2 || plan.users.empty()) return "";
  const bool given = select.users_a > 0 && select.users_b > 0;
  if (config::HasThresholds(select.by)) {
    return given
               ? "at best: what the placebo adds is not in it"
               : "at best: if the groups are halves of the users, and without "
                 "what the placebo adds";
  }
  return given ? "" : "if the groups are halves of the users";
}

double DeltaOf(const config::TrainConfig& config, const DataFacts& data,
               const CensusPlan& plan) {
  double users = plan.simulation ? static_cast<double>(data.users) : 0;
  for (const double group : plan.users) users = std::max(users, group);
  const double given = config.privacy.delta;
  if (given > 0) {
    dp::CheckDeltaFor(given, std::max(users, 1.0), "privacy.delta");
    return given;
  }
  return users > 0 ? dp::UsualDelta(users) : kUsualPrivateDelta;
}

// Why no counts will give a verdict.
std::string NoVerdictOf(const config::TrainConfig& config,
                        const DataFacts& data) {
  const config::CensusConfig& census = config.census;
  if (census.about == config::About::kClasses || !census.voter.empty()) {
    return "";
  }
  const base::Path set = base::NormalFolder(census.reference);
  const bool made =
      config::GeneratesReference(census) || RunOfReference(census) ||
      (std::filesystem::exists(set / "dataset.json") &&
       data::FederatedDataset(set).info().origin == data::Origin::kGenerated);
  const bool other =
      AreOther(census, data.origin,
               made ? data::Origin::kGenerated : data::Origin::kPublic);
  if (census.groups != config::Groups::kSides) {
    return other ? "the references are of another kind than the users’ data, "
                   "and nobody knows how often such a voter takes healthy "
                   "users for damaged ones. Ask two groups that something else "
                   "divides (census.groups = \"sides\"), or give references "
                   "of the same kind"
                 : "";
  }
  if (!config::HasThresholds(config.select.by) ||
      (config::GeneratesReference(census) && !other)) {
    return "";
  }
  return fmt::format(
      "healthy sides by {} differ, too, and there is no placebo of the users’ "
      "own kind to show how much. Choose groups by a column, or ask everybody",
      config::Word(config.select.by));
}

}  // namespace

std::string SeenWith(const CensusPlan& plan) {
  if (plan.users.empty() && plan.classes == 0) {
    // How many noise hides hardly depends on how many there are.
    constexpr double kMany = 10'000;
    const double share =
        census::LeastShare({.noise = plan.Noise(),
                            .users = std::vector<double>(
                                static_cast<std::size_t>(plan.groups), kMany)},
                           kFamilies);
    if (share > 1) return "";
    return fmt::format(
        "damage on about {:.0f} users or more would be seen, at best "
        "(cohort.population: of how many)",
        kMany * share);
  }
  if (plan.users.empty()) return "";
  if (plan.classes > 0) {
    return census::ClassPowerText({.noise = plan.Noise(), .users = plan.users},
                                  plan.classes, plan.histogram.marks);
  }
  return census::PowerText(LeastShareOf(plan)) +
         ", at best: by voters that are never wrong";
}

double LeastShareOf(const CensusPlan& plan) {
  if (plan.users.empty() || plan.classes > 0) return 0;
  return census::LeastShare({.noise = plan.Noise(), .users = plan.users},
                            kFamilies);
}

namespace {

// A price for an answer that cannot come is refused; simulations may show it.
void RequireSomethingSeen(const CensusPlan& plan) {
  if (plan.simulation || LeastShareOf(plan) <= 1) return;
  throw BadInput(
      fmt::format("noise of ± {:.3g} users on each count hides everything "
                  "among {:.0f} users: no damage would be seen, not even on "
                  "all of them",
                  dp::DeviationOf(plan.histogram.noise), plan.users.back()),
      "census.epsilon", "allow a larger one, or ask more users");
}

// What a smaller epsilon would see, that fits.
std::string WayThatFits(const CensusPlan& plan, double epsilon) {
  constexpr double kLeast = 0.001;  // census.epsilon's own
  if (!(epsilon >= kLeast)) return "no vote fits";
  const double rounded = std::floor(epsilon * 1000) / 1000;
  const std::string seen = SeenWith(WithVote(plan, rounded));
  return fmt::format("--set census.epsilon={:g} would fit{}{}", rounded,
                     seen.empty() ? "" : "; with it ", seen);
}

std::vector<std::string> TakenAsFixed(const config::TrainConfig& config) {
  std::vector<std::string> fixed;
  const config::SelectConfig& select = config.select;
  if (config.census.groups != config::Groups::kSides ||
      !config::HasThresholds(select.by)) {
    return fixed;
  }
  if (select.model_is == config::Provenance::kFixed) {
    fixed.push_back(
        "the model that judges is declared fixed: ε holds given this model, "
        "and what the model itself gives away of these users is not counted");
  }
  if (select.above_quantile == 0 || select.below_quantile == 0) {
    fixed.push_back(
        "thresholds that were given are taken to have been chosen without "
        "looking at these users' data");
  }
  return fixed;
}

std::string NoiseText(const dp::VoteNoise& noise) {
  return fmt::format("{} noise of ± {:.3g} users on each count",
                     std::holds_alternative<dp::DiscreteLaplaceNoise>(noise)
                         ? "Laplace"
                         : "Gaussian",
                     dp::DeviationOf(noise));
}

const char* AdjacencyNote(dp::Adjacency adjacency) {
  return adjacency == dp::Adjacency::kAddRemove ? "add-remove" : "replace-one";
}

}  // namespace

census::NoiseLaw CensusPlan::Noise() const {
  if (const auto* laplace =
          std::get_if<dp::DiscreteLaplaceNoise>(&histogram.noise)) {
    return {.kind = census::NoiseKind::kLaplace,
            .parameter = static_cast<double>(laplace->scale.numerator) /
                         static_cast<double>(laplace->scale.denominator)};
  }
  return {.kind = census::NoiseKind::kGaussian,
          .parameter =
              std::get<dp::DiscreteGaussianNoise>(histogram.noise).deviation};
}

std::vector<dp::Question> CensusPlan::Questions() const {
  std::vector<dp::Question> all;
  for (const QuestionPlan& part : questions) all.push_back(part.question);
  return all;
}

double CensusPlan::EpsilonOfVote() const {
  return std::min(epsilon, EpsilonOf({&vote(), 1}, delta));
}

CensusPlan PlanCensus(const config::TrainConfig& config, const DataFacts& data,
                      const CensusOptions& options) {
  const config::CensusConfig& census = config.census;
  CensusPlan plan;
  plan.simulation = data.origin != data::Origin::kPrivate;
  plan.name = options.name;
  plan.vote_run = options.name + "/vote";
  plan.root = PopulationName(config, data);
  plan.dataset_ids = data.dataset_ids;
  plan.survey_run = options.name + "/survey";
  plan.groups = census.groups == config::Groups::kSides ? 2 : 1;
  plan.taken_as_fixed = TakenAsFixed(config);
  plan.no_verdict = NoVerdictOf(config, data);
  if (census.about == config::About::kClasses) plan.classes = data.classes;
  CheckAbout(census, config.select.by);
  CheckGroups(config, plan.simulation);
  CheckQuestions(config, /*part=*/options.delta > 0);
  CheckVoter(config, plan.simulation);
  plan.histogram = {
      .marks = census.marks,
      .participants = {
          .adjacency = census.adjacency == config::Adjacency::kAddRemove
                           ? dp::Adjacency::kAddRemove
                           : dp::Adjacency::kReplaceOne,
          .population = {.name = plan.root}}};
  plan.users = UsersOf(config, data, plan.simulation, options.users);
  plan.power_if = PowerIf(config, plan);
  CheckMarks(plan, census);
  plan.delta = options.delta > 0 ? options.delta : DeltaOf(config, data, plan);
  AddQuestions(plan, config);
  plan = WithVote(std::move(plan), census.epsilon);
  RequireSomethingSeen(plan);
  const double budget = options.delta > 0 ? 0 : config.privacy.epsilon;
  if (!IsWithin(plan, budget)) {
    throw Error(ErrorKind::kBudgetSpent,
                fmt::format("the census costs ε {}, and privacy.epsilon "
                            "allows {:g}",
                            report::BoundText(plan.epsilon), budget),
                "privacy.epsilon", WayThatFits(plan, budget));
  }
  return plan;
}

bool AreOther(const config::CensusConfig& config, data::Origin own,
              data::Origin reference) {
  if (config.reference_is != config::References::kAuto) {
    return config.reference_is == config::References::kOther;
  }
  return reference == data::Origin::kGenerated &&
         own != data::Origin::kGenerated;
}

void NameReferences(std::vector<std::string>& taken_as_fixed,
                    const config::TrainConfig& config, const std::string& key) {
  const config::CensusConfig& census = config.census;
  if (!census.voter.empty()) {
    const base::Path folder = base::NormalFolder(census.voter).parent_path();
    if (!runs::IsCensus(folder)) return;
    const runs::ReferenceRecord made = runs::ReadCensus(folder).reference;
    if (made.provenance != "released") return;
    taken_as_fixed.push_back(fmt::format(
        "the voter learned from {}, which cost '{}' ε {} at δ {}", made.words,
        made.population, report::BoundText(made.epsilon),
        report::SmallText(made.delta)));
    return;
  }
  const auto folder = RunOfReference(census);
  if (!folder) return;
  const ReferenceRun run = ReadReferenceRun(*folder, key);
  if (run.released) taken_as_fixed.push_back(run.NotCounted());
}

config::DataConfig ReferenceData(const config::TrainConfig& config) {
  if (!config::GeneratesReference(config.census)) {
    return {.path = config.census.reference};
  }
  return {.generate = config.census.reference,
          .users = kReferenceUsers,
          .examples = config.data.examples,
          .seed = config.data.seed ^ kOtherPeople};
}

config::DataConfig PlaceboData(const config::TrainConfig& config) {
  config::DataConfig people = ReferenceData(config);
  people.users = kPlaceboUsers;
  people.seed = config.data.seed ^ kPlaceboPeople;
  return people;
}

void CheckReference(const config::TrainConfig& config,
                    const data::DatasetInfo& own,
                    const std::string& own_fingerprint) {
  constexpr const char* kKey = "census.reference";
  const config::CensusConfig& census = config.census;
  if (census.about == config::About::kClasses) return;
  if (census.reference.empty() && !census.voter.empty()) return;
  if (census.reference.empty()) {
    throw BadInput("nothing to compare the users' examples with", kKey,
                   "name a dataset that is public or generated, or "
                   "\"handwriting\" or \"forum\" for generated people");
  }
  if (const auto run = RunOfReference(census)) {
    CheckReferenceRun(*run, own);
    return;
  }
  data::DatasetInfo info;
  if (config::GeneratesReference(census)) {
    info = InfoOf(ReferenceData(config));
  } else {
    const data::FederatedDataset set{base::Path(census.reference)};
    info = set.info();
    if (info.origin == data::Origin::kPrivate) {
      throw Unsupported(
          "private data as references, and what nobody declared is private",
          kKey,
          "every device gets a voter that learned from them: name a set that "
          "is declared public or generated");
    }
    if (set.Fingerprint() == own_fingerprint) {
      throw BadInput("the users' own data as references", kKey,
                     "damage that is in both cannot be seen: name other "
                     "people's data");
    }
  }
  if (info.kind == own.kind && info.image == own.image &&
      info.feature_count == own.feature_count) {
    return;
  }
  const auto shape = [](const data::DatasetInfo& of) {
    return of.kind == data::Kind::kImages
               ? fmt::format("images of {}×{}×{}", of.image.height,
                             of.image.width, of.image.channels)
               : std::string(data::Name(of.kind));
  };
  throw BadInput(fmt::format("references are {}, where the users have {}",
                             shape(info), shape(own)),
                 kKey, "give references of the same kind and shape");
}

dp::Ledger CensusLedger(const config::TrainConfig& config,
                        const CensusPlan& plan, const base::Path& folder,
                        const std::string& key) {
  const base::Path path = LedgerPath(config, plan.simulation, folder);
  if (!plan.simulation) {
    if (!std::filesystem::exists(path)) throw NoLedger(path, plan.root);
    dp::Ledger ledger = dp::Ledger::Open(path, key);
    RequireOwnLedger(config.data, ledger);
    return ledger;
  }
  if (std::filesystem::exists(path)) return dp::Ledger::Open(path);
  const std::vector<dp::Event> events = plan.Events();
  const double granted = std::max({config.privacy.epsilon, plan.epsilon,
                                   dp::ComposedEpsilon(events, plan.delta)});
  return dp::Ledger::Create(path, {.name = plan.root,
                                   .budget = {.epsilon = granted * 1.001,
                                              .delta = plan.delta,
                                              .adjacency = plan.adjacency()}});
}

LedgerPrice GrantedIn(dp::Ledger& ledger, const CensusPlan& plan) {
  LedgerPrice price = PriceIn(ledger, plan);
  if (price.fits()) return price;
  const dp::Totals totals = ledger.TotalsOf(plan.root);
  double fitting = 0;
  double too_much = plan.epsilon;
  for (int step = 0; step < 12; ++step) {
    const double middle = 0.5 * (fitting + too_much);
    if (middle < 0.001) break;
    const bool fits = PriceIn(ledger, WithVote(plan, middle)).fits();
    (fits ? fitting : too_much) = middle;
  }
  throw Error(ErrorKind::kBudgetSpent,
              fmt::format("the census (ε {} by itself) does not fit into what "
                          "is left of '{}': of ε {:g} granted {} is used",
                          report::BoundText(plan.epsilon), plan.root,
                          totals.budget.epsilon,
                          dp::ShareText(dp::SharesOf(totals).taken)),
              "ledger",
              fitting > 0
                  ? WayThatFits(plan, fitting)
                  : HintFor(price.price,
                            "no vote fits any more; a larger budget has to be "
                            "granted"));
}

std::string VoteText(const CensusPlan& plan) {
  return fmt::format(
      "one vote{} · {}{} · {}",
      plan.groups == 1 ? " per user" : " per user of two groups",
      base::HumanCount(static_cast<std::uint64_t>(plan.histogram.marks),
                       "mark"),
      plan.histogram.marks == 1 ? "" : " at most",
      NoiseText(plan.histogram.noise));
}

std::string PowerLine(const CensusPlan& plan,
                      const std::vector<census::LeastSeen>& seen) {
  if (!plan.no_verdict.empty()) {
    return fmt::format("Verdict  none can be given: {}.\n", plan.no_verdict);
  }
  std::string will_see =
      seen.empty() ? SeenWith(plan) : census::PowerText(seen);
  if (will_see.empty()) return "";
  if (!plan.power_if.empty()) will_see += " (" + plan.power_if + ")";
  return "Power    " + will_see + "\n";
}

std::string PriceLines(const CensusPlan& plan, const LedgerPrice* price,
                       const std::vector<census::LeastSeen>& seen) {
  std::string text = fmt::format("Plan     {}\n", VoteText(plan));
  for (std::size_t i = 0; i < plan.questions.size(); ++i) {
    text += fmt::format("{}{}{}", i == 0 ? "Asks     " : " · ",
                        plan.questions[i].words,
                        i + 1 == plan.questions.size() ? "\n" : "");
  }
  text += fmt::format(
      "Costs    ε {} at δ {} ({}, user, {}){}\n",
      report::BoundText(plan.epsilon), report::SmallText(plan.delta),
      plan.simulation ? "would cost: a simulation spends nothing" : "proven",
      AdjacencyNote(plan.adjacency()),
      price == nullptr || plan.simulation ? ""
                                          : GrantedText(plan.root, *price));
  for (const std::string& given : plan.taken_as_fixed) {
    text += LinesBelow("not in it: " + given);
  }
  text += HoldsAgainstLine(plan.against);
  text += MeansLine(plan.guessed_right, plan.adjacency());
  return text + PowerLine(plan, seen);
}

void RequireYesForMore(dp::Ledger& ledger, const CensusPlan& plan,
                       const dp::Event& more, const std::string& why,
                       bool yes) {
  std::vector<dp::Event> repeated = Repeated(ledger, plan);
  repeated.push_back(more);
  const Spent spent = PriceOf(plan, repeated);
  RequireYes(
      why +
          fmt::format("Costs    ε {} at δ {} for the whole census, with what "
                      "is repeated ({})\n",
                      EpsilonText(spent.guarantee),
                      report::SmallText(plan.delta), kIfRepeated) +
          MeansLine(spent.guessed_right, plan.adjacency()),
      yes);
}

void FillPrivacy(const CensusPlan& plan, runs::PrivacyRecord& record) {
  record.epsilon = plan.epsilon;
  record.delta = plan.delta;
  record.unit = std::string(dp::Name(dp::Unit::kUser));
  record.adjacency = std::string(dp::Name(plan.adjacency()));
  record.proof = plan.proof;
  record.against = plan.against;
  record.guessed_right = plan.guessed_right;
  record.seeded = plan.simulation;
  record.published = false;
  record.pays_once = plan.groups > 1;
  record.parts.clear();
  for (const QuestionPlan& part : plan.questions) {
    record.parts.push_back({.what = part.words,
                            .epsilon = part.epsilon,
                            .events = dp::Describe(dp::EventOf(
                                part.question, {.name = plan.root}))});
  }
  record.parts.push_back({.what = "the vote",
                          .epsilon = plan.EpsilonOfVote(),
                          .events = dp::Describe(plan.vote())});
  record.taken_as_fixed = plan.taken_as_fixed;
  record.population = plan.root;
}

}  // namespace sfumato::plan
