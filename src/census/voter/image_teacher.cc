#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "census/answer/confusion.h"
#include "census/answer/worth.h"
#include "census/voter/image_families.h"
#include "census/voter/image_voter.h"
#include "census/voter/reference_users.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

// How an image voter is learned: made-up devices with made-up damages teach the
// network; others set the margins and what fits; still others, whose examples
// nothing was learned from, say how it answers.

namespace sfumato::census {
namespace {

using base::Rng;

constexpr std::int64_t kImagesOfLesson = 20;
constexpr std::int64_t kBatches = 4;  // of a step
constexpr std::int64_t kSets = 16;    // of a batch
constexpr double kFirstRate = 2e-3;
constexpr double kLastRate = 1e-5;
constexpr double kHealthyFits = 0.998;
constexpr double kDamagedFits = 0.98;
// A strength that fewer reference users see is left out, and said.
constexpr double kLeastSeen = 0.5;
// Families of which the reference users of one mark the other that often, both
// ways together, are one answer.
constexpr double kSameAnswer = 0.4;
// Other damages are beside one alike if its users mark it as often: always or
// nearly, often, and hardly ever.
constexpr double kSeenBeside[] = {0.75, kLeastNoticed, 0};
// A strength that is not seen as itself, and that many take for another family,
// is said.
constexpr double kTakenForAnother = 0.25;
// A strength that fewer reference users with it are taken for is said.
constexpr double kTakenForItself = 0.5;

constexpr double kAsUsual = 0.7;  // of made-up users, where there are kinds

const ImageDamage kNoDamage = [](ImageSet&, Rng&) {};

// How much is learned from, and measured on.
struct Amounts {
  std::int64_t rounds = 1;        // each with lessons of its own
  std::int64_t lessons = 10'000;  // of a round
  std::int64_t steps = 3500;      // of a round
  std::int64_t healthy_for_margins = 3000;
  std::int64_t healthy_for_fit = 1500;     // to set what fits
  std::int64_t damaged_for_margins = 120;  // of a family
  std::int64_t fit_users = 150;            // of a family
  std::int64_t fit_healthy = 600;
  std::int64_t choice_users = 300;  // of a strength, of a family that is split
  std::int64_t healthy_for_confusion = 4000;
  std::int64_t users_of_strength = 60;
  std::int64_t users_of_pair = 40;  // of families, with several marks
};
Amounts AmountsFor(double effort, std::int64_t marks) {
  Amounts much;
  if (marks > 1) {  // there are more pairs than families
    much.rounds = 8;
    much.lessons = 18'000;
    much.steps = 2000;
    much.fit_users = 200;
    much.users_of_strength = 150;
  }
  for (std::int64_t* amount :
       {&much.lessons, &much.steps, &much.healthy_for_margins,
        &much.healthy_for_fit, &much.damaged_for_margins, &much.fit_healthy,
        &much.choice_users, &much.healthy_for_confusion,
        &much.users_of_strength, &much.users_of_pair}) {
    *amount = std::max<std::int64_t>(
        10, std::llround(effort * static_cast<double>(*amount)));
  }
  return much;
}

// Healthy users differ, and nobody knows of which kind those are who are asked:
// margins and confusions are of each kind by itself.
struct UserKind {
  std::string words = "";
  std::int64_t classes = 0;  // 0: as references are made
  bool few = false;          // hardly more examples than they need
  bool other_mix = false;    // of classes before than now
};

// What is true of one made-up device.
struct Truth {
  ImageDamage damage = kNoDamage;
  std::vector<std::int64_t> outputs = {};  // that should be high
  std::int64_t person = -1;                // of the part's; −1: any, or made up
  const UserKind* kind = nullptr;          // none: any
};

// Of two states of a user's data both have to be made.
ReferenceOptions UsersFor(const VoterOptions& options) {
  const std::int64_t states = options.change ? 2 : 1;
  return {.least = states * options.least_examples,
          .most = states * options.most_examples,
          .classes = options.classes,
          .labels = options.labels,
          .seed = options.seed};
}

// Of who has few examples, at most that many times what they need.
constexpr double kFew = 1.5;

// Those that a user of these references may be of; the first is the usual one.
std::vector<UserKind> KindsOfUsers(const VoterOptions& options, bool grouped) {
  std::vector<UserKind> kinds = {{.words = "as usual"},
                                 {.words = "with few examples", .few = true}};
  if (!grouped && options.classes == 0) {
    kinds.push_back({.words = "of one class", .classes = 1});
    kinds.push_back({.words = "of two classes", .classes = 2});
  }
  if (options.change) {
    kinds.push_back({.words = "of other classes before", .other_mix = true});
  }
  return kinds;
}

// Every image of one level throughout.
bool IsBlank(const ImageSet& set) {
  return std::ranges::all_of(set.images, [](const data::Pixels& image) {
    return std::ranges::all_of(
        image, [&](std::uint8_t level) { return level == image.front(); });
  });
}

// Of a device that marks `family` with this strength of it.
std::string KeyOf(const ImageFamily& family, const std::string& values) {
  return fmt::format("{}={}", family.key, values);
}

// A strength that images of this size make the same as another is left out.
void LeaveOutRepeated(ImageFamily& family) {
  std::set<std::string> known;
  std::erase_if(family.strengths, [&](const NamedDamage& strength) {
    return !known.insert(strength.values).second;
  });
}

std::vector<ImageFamily> FamiliesFor(const data::DatasetInfo& info,
                                     bool labelled) {
  std::vector<ImageFamily> families =
      ImageFamilies(info.image, labelled ? std::ssize(info.classes) : 0);
  for (ImageFamily& family : families) LeaveOutRepeated(family);
  return families;
}

void RequireSplittable(const std::vector<ImageFamily>& families,
                       const std::vector<std::string>& split) {
  std::vector<std::string> known;
  for (const ImageFamily& family : families) {
    if (family.strengths.size() > 1) known.push_back(family.key);
  }
  const std::string todo = fmt::format("one of {}", fmt::join(known, ", "));
  for (const std::string& key : split) {
    const auto found = std::ranges::find(families, key, &ImageFamily::key);
    if (found == families.end()) {
      throw BadInput(fmt::format("unknown family '{}'", key), "census.split",
                     todo);
    }
    if (found->strengths.size() < 2) {
      throw BadInput(fmt::format("'{}' has only one strength", key),
                     "census.split", todo);
    }
  }
}

class Teacher {
 public:
  Teacher(const data::FederatedDataset& reference, const VoterOptions& options,
          fed::WorkerPool& pool);

  std::unique_ptr<Voter> Learn();

 private:
  using DrawTruth = std::function<Truth(std::size_t device, Rng&)>;
  // Calls `use(device, images, points, truth)` for devices that are reference
  // users of `part` with what `draw` says, on all threads.
  template <typename Use>
  void Devices(Part part, const char* stream, std::size_t count,
               const DrawTruth& draw, const Use& use) const;

  std::vector<ReferenceRow> Rows(Part part, const Truth& truth,
                                 const UserKind& kind, Rng& rng) const;
  std::vector<ReferenceRow> TakeBefore(std::vector<ReferenceRow>& rows,
                                       const UserKind& kind, Rng& rng) const;
  const UserKind& AnyKind(Rng& rng) const;
  std::int64_t OutputOf(std::string_view key) const;
  bool IsHard(std::size_t family) const;
  std::size_t AnyFamily(Rng& rng) const;
  bool IsBlankFamily(std::size_t family) const;
  ImageDamage Both(std::size_t first, ImageDamage one, std::size_t second,
                   ImageDamage two) const;
  Truth Pair(Rng& rng) const;
  Truth Any(Rng& rng) const;
  void Say(double done, const char* what) const;

  struct Lessons {
    at::Tensor points;   // [lesson, image, number]
    at::Tensor targets;  // [lesson, output]
  };
  void TrainNetwork();
  void Draw(std::int64_t round, Lessons& to) const;
  void Teach(SetNetwork& network, std::int64_t round, const Lessons& lessons,
             Rng& rng) const;
  double DoneOfRound(std::int64_t round, double part) const;
  // Of so many users of one kind: with more kinds, not that many of each.
  std::int64_t OfEachKind(std::int64_t users) const;
  void SetMargins();
  void LearnFit();
  void SayIfFewPeople();
  void Calibrate();

  struct Tally {
    std::int64_t family = -1;  // −1: healthy
    std::string values = "";
    std::vector<std::vector<std::int64_t>> marks = {};  // [user]
    std::vector<at::Tensor> vectors = {};    // [user] of those who mark a split
    std::vector<std::int64_t> persons = {};  // [user]; −1: made up
  };
  Tally AskUsers(std::int64_t family, const std::string& values,
                 std::int64_t users,
                 const std::function<ImageDamage(Rng&)>& damage,
                 const UserKind* kind = nullptr) const;
  std::vector<Tally> Ask() const;
  bool IsSplit(std::size_t family) const;
  StrengthChoice LearnChoice(std::size_t family,
                             const std::vector<std::string>& values) const;
  void AddStrengths(std::size_t family, const std::vector<std::string>& values);
  std::string MostlyTakenFor(const Tally& tally) const;
  void GiveCells(const std::vector<Tally>& tallies);
  std::size_t StateOf(const Tally& tally) const;
  struct Asked {
    const Tally* tally = nullptr;
    std::int64_t beside = -1;  // cell of another damage that they have
  };
  Tried CellsOf(const std::vector<Asked>& all) const;
  using Strengths = std::vector<const NamedDamage*>;
  void AddBeside(const std::vector<Strengths>& seen);

  const data::FederatedDataset& reference_;
  VoterOptions options_;
  Amounts much_;
  fed::WorkerPool& pool_;
  ReferenceUsers users_;
  std::vector<UserKind> kinds_;
  std::vector<ImageFamily> families_;
  std::int64_t outputs_ = 0;
  std::unique_ptr<ImageVoter> voter_;
};

ClassTemplates TemplatesOf(const data::FederatedDataset& reference,
                           const ReferenceUsers& users, bool labels,
                           fed::WorkerPool& pool) {
  if (!labels || reference.info().classes.empty()) return {};
  return {reference, users.All(Part::kLearn),
          ImagePoints(reference.info().image), pool};
}

Teacher::Teacher(const data::FederatedDataset& reference,
                 const VoterOptions& options, fed::WorkerPool& pool)
    : reference_(reference),
      options_(options),
      much_(AmountsFor(options.effort, options.marks)),
      pool_(pool),
      users_(reference, UsersFor(options)),
      kinds_(KindsOfUsers(options, users_.grouped())) {
  Say(0, "comparing classes");
  ImageReader reader(reference.info().image,
                     TemplatesOf(reference, users_, options.labels, pool));
  const bool labelled = reader.templates().labelled();
  families_ = FamiliesFor(reference.info(), labelled);
  RequireSplittable(families_, options.split);
  outputs_ = static_cast<std::int64_t>(families_.size()) + 1;
  SetNetwork network(
      {.inputs = reader.size(), .outputs = outputs_, .seed = options.seed},
      at::kCPU);
  voter_ = std::make_unique<ImageVoter>(
      ImageVoter::Parts{.options = options,
                        .classes = labelled ? reference.info().classes
                                            : std::vector<std::string>(),
                        .reader = std::move(reader),
                        .network = std::move(network)});
  voter_->parts().options.progress = {};
}

std::unique_ptr<Voter> Teacher::Learn() {
  TrainNetwork();
  SetMargins();
  LearnFit();
  Calibrate();
  Say(1, "learned");
  return std::move(voter_);
}

void Teacher::Say(double done, const char* what) const {
  if (options_.progress) options_.progress(done, what);
}

std::vector<ReferenceRow> Teacher::Rows(Part part, const Truth& truth,
                                        const UserKind& kind, Rng& rng) const {
  std::vector<ReferenceRow> rows =
      truth.person < 0
          ? users_.Draw(part, rng, kind.classes)
          : users_.DrawOf(part, static_cast<std::size_t>(truth.person), rng);
  if (kind.few) {  // they come in any order
    const auto least = static_cast<double>(UsersFor(options_).least);
    const double few = rng.Uniform(least, kFew * least + 1);
    rows.resize(std::min(rows.size(), static_cast<std::size_t>(few)));
  }
  return rows;
}

// Takes those before out of a user's examples, few or most of them.
std::vector<ReferenceRow> Teacher::TakeBefore(std::vector<ReferenceRow>& rows,
                                              const UserKind& kind,
                                              Rng& rng) const {
  if (kind.other_mix) {
    std::ranges::stable_sort(rows, {}, [this](const ReferenceRow& row) {
      return reference_
          .user(static_cast<std::size_t>(
              row.user))[static_cast<std::size_t>(row.example)]
          .label;
    });
  }
  const auto size = static_cast<double>(rows.size());
  const double least =
      std::min(static_cast<double>(options_.least_examples), size / 2);
  const double fewer =
      std::exp(rng.Uniform(std::log(least), std::log(size / 2)));
  const double before = rng.Bernoulli(0.5) ? fewer : size - fewer;
  const auto cut = rows.begin() + std::lround(before);
  std::vector<ReferenceRow> taken(rows.begin(), cut);
  rows.erase(rows.begin(), cut);
  const auto most = static_cast<std::size_t>(options_.most_examples);
  for (std::vector<ReferenceRow>* part : {&taken, &rows}) {
    rng.Shuffle(std::span(*part));
    part->resize(std::min(part->size(), most));
  }
  return taken;
}

template <typename Use>
void Teacher::Devices(Part part, const char* stream, std::size_t count,
                      const DrawTruth& draw, const Use& use) const {
  pool_.Run(count, [&](int, std::size_t i) {
    Rng rng(options_.seed, {base::Key(stream), i});
    const Truth truth = draw(i, rng);
    const UserKind& kind = truth.kind != nullptr ? *truth.kind : AnyKind(rng);
    std::vector<ReferenceRow> rows = Rows(part, truth, kind, rng);
    std::vector<ReferenceRow> before;
    if (options_.change) before = TakeBefore(rows, kind, rng);
    ImageSet set = ImagesOf(reference_, rows);
    truth.damage(set, rng);
    const ImageReader& reader = voter_->parts().reader;
    const at::Tensor points =
        options_.change ? reader.Read(set, ImagesOf(reference_, before))
                        : reader.Read(set);
    use(i, set, points, truth);
  });
}

const UserKind& Teacher::AnyKind(Rng& rng) const {
  if (kinds_.size() == 1 || rng.Bernoulli(kAsUsual)) return kinds_.front();
  return kinds_[1 + rng.Below(kinds_.size() - 1)];
}

std::int64_t Teacher::OutputOf(std::string_view key) const {
  const auto found = std::ranges::find(families_, key, &ImageFamily::key);
  return found - families_.begin();
}

// Takes more lessons than the others.
bool Teacher::IsHard(std::size_t family) const {
  static constexpr std::array<std::string_view, 6> kHard = {
      "stuck", "rotate", "gamma", "dead_rows", "dead_columns", "labels"};
  return std::ranges::find(kHard, families_[family].key) != kHard.end();
}

std::size_t Teacher::AnyFamily(Rng& rng) const {
  while (true) {
    const std::size_t family = rng.Below(families_.size());
    if (IsHard(family) || rng.Bernoulli(0.4)) return family;
  }
}

// Nothing is seen beside a blank image.
bool Teacher::IsBlankFamily(std::size_t family) const {
  return families_[family].key == "blank";
}

// One damage after the other. Rows that are lost before they become columns are
// seen as columns, so a transposition comes first.
ImageDamage Teacher::Both(std::size_t first, ImageDamage one,
                          std::size_t second, ImageDamage two) const {
  assert(first != second);
  if (families_[second].key == "transpose") std::swap(one, two);
  return
      [one = std::move(one), two = std::move(two)](ImageSet& set, Rng& each) {
        one(set, each);
        two(set, each);
      };
}

Truth Teacher::Pair(Rng& rng) const {
  const auto draw = [&] {
    std::size_t family = AnyFamily(rng);
    while (IsBlankFamily(family)) family = AnyFamily(rng);
    return family;
  };
  const std::size_t first = draw();
  std::size_t second = draw();
  while (second == first) second = draw();
  return {.damage = Both(first, families_[first].draw(rng), second,
                         families_[second].draw(rng)),
          .outputs = {static_cast<std::int64_t>(first),
                      static_cast<std::int64_t>(second)}};
}

Truth Teacher::Any(Rng& rng) const {
  const double kind = rng.Uniform();
  if (kind < 0.25) return {};
  if (kind < 0.45) {
    return {.damage = DrawOddity(reference_.info().image, rng),
            .outputs = {outputs_ - 1}};
  }
  if (rng.Bernoulli(options_.marks > 1 ? 0.75 : 0.25)) return Pair(rng);
  const std::size_t family = AnyFamily(rng);
  return {.damage = families_[family].draw(rng),
          .outputs = {static_cast<std::int64_t>(family)}};
}

void Teacher::TrainNetwork() {
  ImageVoter::Parts& parts = voter_->parts();
  SetNetwork network({.inputs = parts.reader.size(),
                      .outputs = outputs_,
                      .seed = options_.seed},
                     options_.gpu ? at::kCUDA : at::kCPU);
  Rng rng(options_.seed, {base::Key("steps")});
  Lessons lessons;
  for (std::int64_t round = 0; round < much_.rounds; ++round) {
    Draw(round, lessons);
    if (round == 0) {
      const at::Tensor all = lessons.points.flatten(0, 1);
      const at::Tensor some = all.slice(0, 0, all.size(0), 7);
      network.SetScale(some.mean(0),
                       some.std(0, /*unbiased=*/false).clamp_min_(1e-3));
    }
    Teach(network, round, lessons, rng);
  }
  parts.network = network.OnCpu();
}

void Teacher::Draw(std::int64_t round, Lessons& to) const {
  Say(0.02 + DoneOfRound(round, 0), "damaging references");
  if (!to.points.defined()) {
    to.points = at::empty(
        {much_.lessons, kImagesOfLesson, voter_->parts().reader.size()});
  }
  to.targets = at::zeros({much_.lessons, outputs_});
  Devices(
      Part::kLearn, fmt::format("lesson {}", round).c_str(), much_.lessons,
      [this](std::size_t, Rng& rng) { return Any(rng); },
      [&](std::size_t i, const ImageSet& set, const at::Tensor& own,
          const Truth& truth) {
        const auto lesson = static_cast<std::int64_t>(i);
        const at::Tensor rows =
            at::arange(kImagesOfLesson, at::kLong).remainder(own.size(0));
        to.points[lesson].copy_(own.index_select(0, rows));
        // Whatever was done, what is left is blank.
        const std::vector<std::int64_t> outputs =
            IsBlank(set) ? std::vector{OutputOf("blank")} : truth.outputs;
        for (const std::int64_t output : outputs)
          to.targets[lesson][output] = 1;
      });
}

// Of all that is done until the network is learned, how much is then.
double Teacher::DoneOfRound(std::int64_t round, double part) const {
  return 0.7 * (static_cast<double>(round) + part) /
         static_cast<double>(much_.rounds);
}

// In batches side by side on the processor's threads, in one on a GPU.
void Teacher::Teach(SetNetwork& network, std::int64_t round,
                    const Lessons& lessons, Rng& rng) const {
  const std::int64_t batches = options_.gpu ? 1 : kBatches;
  at::Tensor chosen =
      at::empty({much_.steps, batches, kBatches * kSets / batches}, at::kLong);
  auto* of_set = chosen.data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < chosen.numel(); ++i) {
    of_set[i] = static_cast<std::int64_t>(rng.Below(much_.lessons));
  }
  const at::Device device = options_.gpu ? at::kCUDA : at::kCPU;
  const at::Tensor points = lessons.points.to(device);
  const at::Tensor targets = lessons.targets.to(device);
  chosen = chosen.to(device);
  for (std::int64_t step = 0; step < much_.steps; ++step) {
    // Sets of all sizes, so that few images are judged by few.
    const std::int64_t each =
        4 + static_cast<std::int64_t>(rng.Below(kImagesOfLesson - 3));
    std::vector<SetNetwork::Batch> sets;
    for (std::int64_t b = 0; b < batches; ++b) {
      const auto from = static_cast<std::int64_t>(
          rng.Below(static_cast<std::uint64_t>(kImagesOfLesson - each + 1)));
      sets.push_back(
          {points.narrow(1, from, each).index_select(0, chosen[step][b]),
           targets.index_select(0, chosen[step][b])});
    }
    const double part = static_cast<double>(step) / much_.steps;
    const double done =
        (static_cast<double>(round) + part) / static_cast<double>(much_.rounds);
    const double rate =
        kLastRate + kFirstRate / 2 * (1 + std::cos(done * std::numbers::pi));
    network.Step(sets, rate, pool_);
    if (step % 50 == 0) {
      Say(0.05 + DoneOfRound(round, 0.2 + 0.8 * part), "learning to vote");
    }
  }
}

std::int64_t Teacher::OfEachKind(std::int64_t users) const {
  return kinds_.size() == 1 ? users : (users + 1) / 2;
}

void Teacher::SetMargins() {
  Say(0.75, "setting margins");
  const auto logits = [this](const char* stream, std::int64_t count,
                             const DrawTruth& draw) {
    at::Tensor all = at::empty({count, outputs_});
    Devices(Part::kMargins, stream, static_cast<std::size_t>(count), draw,
            [&](std::size_t i, const ImageSet&, const at::Tensor& points,
                const Truth&) {
              all[static_cast<std::int64_t>(i)].copy_(voter_->Logits(points));
            });
    return all;
  };
  Ballot& ballot = voter_->parts().ballot;
  for (const UserKind& kind : kinds_) {
    const Ballot of_kind = BallotFor(
        logits(("margins " + kind.words).c_str(),
               OfEachKind(much_.healthy_for_margins),
               [&](std::size_t, Rng&) { return Truth{.kind = &kind}; }));
    if (&kind == &kinds_.front()) {
      ballot = of_kind;
    } else {
      Widen(ballot, of_kind);
    }
  }
  const std::size_t families = families_.size();
  std::vector<std::int64_t> family_of_user;
  for (std::size_t i = 0; i < families * much_.damaged_for_margins; ++i) {
    family_of_user.push_back(static_cast<std::int64_t>(i % families));
  }
  if (options_.foreign) MarkTheLikeliest(ballot);
  SetBeside(ballot,
            logits("beside", static_cast<std::int64_t>(family_of_user.size()),
                   [&](std::size_t i, Rng& rng) {
                     return Truth{.damage = families_[i % families].draw(rng)};
                   }),
            family_of_user);
  if (options_.marks > 1) {
    SetPairs(ballot, logits("pairs beside", 5 * much_.damaged_for_margins,
                            [&](std::size_t, Rng& rng) { return Pair(rng); }));
  }
}

void Teacher::LearnFit() {
  Say(0.8, "learning what fits");
  const auto families = static_cast<std::int64_t>(families_.size());
  const auto vectors = [this](Part part, const char* stream, std::size_t count,
                              const DrawTruth& draw,
                              std::vector<std::int64_t>& examples) {
    at::Tensor all = at::empty(
        {static_cast<std::int64_t>(count), 2 * voter_->parts().reader.size()});
    examples.resize(count);
    Devices(part, stream, count, draw,
            [&](std::size_t i, const ImageSet&, const at::Tensor& points,
                const Truth&) {
              examples[i] = points.size(0);
              all[static_cast<std::int64_t>(i)].copy_(voter_->Vector(points));
            });
    return all;
  };
  // States: healthy, each family, two at once; then oddities, in no state.
  const auto users_of = [&](std::int64_t state) {
    if (state == 0) return much_.fit_healthy;
    // Those with many ways to be take more users to be known.
    const bool varied =
        state == families + 1 || (state > 0 && state <= families &&
                                  IsHard(static_cast<std::size_t>(state) - 1));
    return (varied ? 4 : 1) * much_.fit_users;
  };
  const auto draw = [&](std::int64_t state, Rng& rng) -> Truth {
    if (state == 0) return {};
    if (state < 0) return {.damage = DrawOddity(reference_.info().image, rng)};
    if (state > families) return Pair(rng);
    return {.damage = families_[static_cast<std::size_t>(state) - 1].draw(rng)};
  };
  std::vector<std::int64_t> states(
      static_cast<std::size_t>(4 * much_.fit_users), -1);
  for (std::int64_t state = 0; state <= families + 1; ++state) {
    states.insert(states.end(), static_cast<std::size_t>(users_of(state)),
                  state);
  }
  std::vector<std::int64_t> sizes;
  Fit& fit = voter_->parts().fit.emplace(
      vectors(
          Part::kLearn, "fit", states.size(),
          [&](std::size_t i, Rng& rng) { return draw(states[i], rng); }, sizes),
      states, 0);
  for (const UserKind& kind : kinds_) {
    const at::Tensor healthy = vectors(
        Part::kMargins, ("fit " + kind.words).c_str(),
        OfEachKind(much_.healthy_for_fit),
        [&](std::size_t, Rng&) { return Truth{.kind = &kind}; }, sizes);
    if (&kind == &kinds_.front()) fit.SetScatter(healthy, sizes);
    fit.Admit(0, healthy, sizes, kHealthyFits);
  }
  for (std::int64_t state = 1; state <= families + 1; ++state) {
    const at::Tensor others = vectors(
        Part::kMargins, fmt::format("fit of {}", state).c_str(),
        much_.fit_users,
        [&](std::size_t, Rng& rng) { return draw(state, rng); }, sizes);
    fit.Admit(state, others, sizes, kDamagedFits);
  }
}

// What reference users that nothing was learned from mark. Where they are users
// of the set, each is asked as often as the others, or once more.
Teacher::Tally Teacher::AskUsers(std::int64_t family, const std::string& values,
                                 std::int64_t users,
                                 const std::function<ImageDamage(Rng&)>& damage,
                                 const UserKind* kind) const {
  Tally tally{.family = family, .values = values};
  const auto count = static_cast<std::size_t>(users);
  tally.marks.resize(count);
  tally.vectors.resize(count);
  const std::string stream = fmt::format("confusion {} {}", family, values);
  Rng rng(options_.seed, {base::Key("round"), base::Key(stream)});
  tally.persons = users_.Round(Part::kConfusion, count, rng);
  Devices(
      Part::kConfusion, stream.c_str(), count,
      [&](std::size_t i, Rng& each) {
        return Truth{
            .damage = damage(each), .person = tally.persons[i], .kind = kind};
      },
      [&](std::size_t i, const ImageSet&, const at::Tensor& points,
          const Truth&) {
        tally.marks[i] = voter_->Marks(points);
        const bool split =
            std::ranges::any_of(tally.marks[i], [this](std::int64_t mark) {
              return mark >= 0 && IsSplit(static_cast<std::size_t>(mark));
            });
        if (split) tally.vectors[i] = voter_->Vector(points);
      });
  return tally;
}

std::vector<Teacher::Tally> Teacher::Ask() const {
  std::vector<Tally> tallies;
  for (const UserKind& kind : kinds_) {
    tallies.push_back(AskUsers(
        -1, kind.words, OfEachKind(much_.healthy_for_confusion),
        [](Rng&) { return kNoDamage; }, &kind));
  }
  for (std::size_t k = 0; k < families_.size(); ++k) {
    Say(0.88 + 0.12 * static_cast<double>(k) /
                   static_cast<double>(families_.size()),
        "asking reference users");
    for (const NamedDamage& strength : families_[k].strengths) {
      tallies.push_back(AskUsers(static_cast<std::int64_t>(k), strength.values,
                                 much_.users_of_strength,
                                 [&](Rng&) { return strength.damage; }));
    }
  }
  return tallies;
}

bool Teacher::IsSplit(std::size_t family) const {
  return std::ranges::find(options_.split, families_[family].key) !=
         options_.split.end();
}

StrengthChoice Teacher::LearnChoice(
    std::size_t family, const std::vector<std::string>& values) const {
  std::vector<const ImageDamage*> damages;
  for (const std::string& one : values) {
    damages.push_back(&std::ranges::find(families_[family].strengths, one,
                                         &NamedDamage::values)
                           ->damage);
  }
  const std::size_t strengths = values.size();
  std::vector<std::vector<float>> rows(
      strengths * static_cast<std::size_t>(much_.choice_users));
  std::vector<std::int64_t> strength_of_row(rows.size());
  Devices(
      Part::kLearn, fmt::format("choice {}", families_[family].key).c_str(),
      rows.size(),
      [&](std::size_t i, Rng&) {
        return Truth{.damage = *damages[i % strengths]};
      },
      [&](std::size_t i, const ImageSet&, const at::Tensor& points,
          const Truth&) {
        const at::Tensor vector = voter_->Vector(points).contiguous();
        rows[i].assign(vector.data_ptr<float>(),
                       vector.data_ptr<float>() + vector.numel());
        strength_of_row[i] = static_cast<std::int64_t>(i % strengths);
      });
  return StrengthChoice::Learn(rows, strength_of_row,
                               static_cast<std::int64_t>(strengths));
}

// A cell for each of these strengths of a family.
void Teacher::AddStrengths(std::size_t family,
                           const std::vector<std::string>& values) {
  std::vector<Cell>& cells = voter_->own_calibration().cells;
  SplitFamily split{.family = static_cast<std::int64_t>(family)};
  for (const std::string& one : values) {
    split.cells.push_back(std::ssize(cells));
    cells.push_back(
        {.key = KeyOf(families_[family], one),
         .words = fmt::format("{}: {}", families_[family].words, one),
         .cause = families_[family].cause});
  }
  split.choice = LearnChoice(family, values);
  voter_->parts().splits.push_back(std::move(split));
}

double ShareThatMark(const std::vector<std::vector<std::int64_t>>& marks,
                     std::int64_t mark) {
  const auto found = std::ranges::count_if(marks, [&](const auto& of_user) {
    return std::ranges::find(of_user, mark) != of_user.end();
  });
  return static_cast<double>(found) / static_cast<double>(marks.size());
}

// The other family, in words, if many of these users mark one.
std::string Teacher::MostlyTakenFor(const Tally& tally) const {
  for (std::size_t other = 0; other < families_.size(); ++other) {
    const auto mark = static_cast<std::int64_t>(other);
    if (mark != tally.family &&
        ShareThatMark(tally.marks, mark) >= kTakenForAnother) {
      return families_[other].words;
    }
  }
  return "";
}

void Teacher::GiveCells(const std::vector<Tally>& tallies) {
  Calibration& calibration = voter_->own_calibration();
  const std::size_t families = families_.size();
  // Which strengths are seen, and what they are taken for.
  std::vector<std::vector<double>> taken_for(families,
                                             std::vector<double>(families));
  std::vector<std::vector<std::string>> seen(families);
  std::vector<std::vector<std::string>> hidden(families);
  for (const Tally& tally : tallies) {
    if (tally.family < 0) continue;
    const auto k = static_cast<std::size_t>(tally.family);
    if (ShareThatMark(tally.marks, tally.family) < kLeastSeen) {
      const std::string other = MostlyTakenFor(tally);
      if (!other.empty()) {
        calibration.remarks.push_back(
            fmt::format("With these references {} ({}) is often taken for: {}.",
                        families_[k].words, tally.values, other));
      }
      hidden[k].push_back(tally.values);
    } else {
      seen[k].push_back(tally.values);
    }
    for (std::size_t other = 0; other < families; ++other) {
      taken_for[k][other] +=
          ShareThatMark(tally.marks, static_cast<std::int64_t>(other)) /
          static_cast<double>(families_[k].strengths.size());
    }
  }
  // One answer for families that are taken for each other: `together[k]` is the
  // first of them.
  std::vector<std::size_t> together(families);
  for (std::size_t k = 0; k < families; ++k) together[k] = k;
  for (std::size_t k = 0; k < families; ++k) {
    for (std::size_t other = 0; other < k; ++other) {
      if (taken_for[k][other] + taken_for[other][k] < kSameAnswer) continue;
      const std::size_t from = together[k];
      const std::size_t to = together[other];
      for (std::size_t& first : together) {
        if (first == from) first = to;
      }
    }
  }
  calibration.cells = {{.key = kAsItShouldBe, .words = "as it should be"}};
  std::vector<std::int64_t> cells(families, -1);
  for (std::size_t first = 0; first < families; ++first) {
    if (together[first] != first) continue;
    std::vector<std::string> keys;
    std::vector<std::string> words;
    std::vector<std::string> causes;
    std::size_t visible = 0;
    for (std::size_t k = first; k < families; ++k) {
      if (together[k] != first) continue;
      keys.push_back(families_[k].key);
      words.push_back(families_[k].words);
      causes.push_back(families_[k].cause);
      visible += seen[k].size();
    }
    if (visible == 0) {
      calibration.remarks.push_back(
          fmt::format("Not seen with these references, and so not asked: {}.",
                      fmt::join(words, ", ")));
      continue;
    }
    for (std::size_t k = first; k < families; ++k) {
      if (together[k] == first) {
        cells[k] = static_cast<std::int64_t>(calibration.cells.size());
      }
    }
    for (std::size_t k = first; k < families; ++k) {
      if (together[k] != first || !IsSplit(k)) continue;
      if (keys.size() == 1 && visible > 1) continue;
      calibration.remarks.push_back(fmt::format(
          "Not split by strength: {}, {}.", families_[k].words,
          keys.size() > 1 ? "which is one answer with others"
                          : "of which these references show one strength"));
    }
    if (keys.size() == 1 && visible > 1 && IsSplit(first)) {
      AddStrengths(first, seen[first]);
      continue;
    }
    if (keys.size() > 1) {
      calibration.remarks.push_back(
          fmt::format("One answer, because these references cannot tell them "
                      "apart: {}.",
                      fmt::join(words, ", ")));
    }
    calibration.cells.push_back(
        {.key = fmt::format("{}", fmt::join(keys, "_or_")),
         .words = fmt::format("{}", fmt::join(words, " or ")),
         .cause = fmt::format("{}", fmt::join(causes, "; or "))});
  }
  calibration.cells.push_back(
      {.key = kNoneOfThese, .words = "none of these damages"});
  calibration.cells.push_back({.key = kCannotTell, .words = "cannot tell"});
  for (std::size_t k = 0; k < families; ++k) {
    if (cells[k] < 0) {
      cells[k] = static_cast<std::int64_t>(calibration.cells.size()) - 1;
    } else if (!hidden[k].empty()) {
      calibration.remarks.push_back(
          fmt::format("Too mild for these references: {} ({}).",
                      families_[k].words, fmt::join(hidden[k], "; ")));
    }
  }
  voter_->parts().cell_of_family = std::move(cells);
}

// The place of the state, and of its cell; the number of states where users
// with that damage are in none.
std::size_t Teacher::StateOf(const Tally& tally) const {
  if (tally.family < 0) return 0;
  const Calibration& calibration = voter_->calibration();
  const std::size_t none = calibration.states.size();
  if (ShareThatMark(tally.marks, tally.family) < kLeastSeen) return none;
  const auto k = static_cast<std::size_t>(tally.family);
  const auto& splits = voter_->parts().splits;
  const bool split = std::ranges::find(splits, tally.family,
                                       &SplitFamily::family) != splits.end();
  const auto cell =
      split ? calibration.CellOf(KeyOf(families_[k], tally.values))
            : static_cast<std::size_t>(voter_->parts().cell_of_family[k]);
  return std::min(cell, none);
}

// What all of these users mark, but for what they were asked beside.
Tried Teacher::CellsOf(const std::vector<Asked>& all) const {
  Tried tried{
      .values = all.front().tally->values,
      .votes = std::vector<std::int64_t>(voter_->calibration().cells.size())};
  const std::size_t cells = tried.votes.size();
  std::vector<PersonAnswers> persons(
      users_.persons(Part::kConfusion),
      {.marks = std::vector<std::int64_t>(cells)});
  for (const auto& [tally, beside] : all) {
    tried.users += std::ssize(tally->marks);
    for (std::size_t i = 0; i < tally->marks.size(); ++i) {
      PersonAnswers* const person =
          persons.empty()
              ? nullptr
              : &persons[static_cast<std::size_t>(tally->persons[i])];
      if (person != nullptr) ++person->asked;
      for (const std::int64_t cell :
           voter_->CellsOf(tally->marks[i], tally->vectors[i])) {
        if (cell == beside) continue;
        ++tried.votes[static_cast<std::size_t>(cell)];
        if (person != nullptr) ++person->marks[static_cast<std::size_t>(cell)];
      }
    }
  }
  tried.worth = WorthsOf(persons, cells);
  // Of a pool there are no more independent users than examples.
  const auto examples = std::ssize(users_.All(Part::kConfusion));
  if (persons.empty() && examples < tried.users) {
    tried.worth.assign(cells, examples);
  }
  return tried;
}

// With several marks: how often a damage is marked beside each other one, in
// the strengths that are `seen` alone, of each family.
void Teacher::AddBeside(const std::vector<Strengths>& seen) {
  const std::size_t families = families_.size();
  const auto& cells = voter_->parts().cell_of_family;
  std::vector<std::vector<Tally>> beside(families);  // [family][partner]
  for (std::size_t k = 0; k < families; ++k) beside[k].resize(families);
  for (std::size_t k = 0; k < families; ++k) {
    Say(0.95 + 0.05 * static_cast<double>(k) / static_cast<double>(families),
        "asking about two damages");
    for (std::size_t other = 0; other < k; ++other) {
      if (seen[k].empty() || seen[other].empty() || cells[k] == cells[other]) {
        continue;
      }
      const auto draw = [&](Rng& rng) {
        const auto one = [&](std::size_t family) {
          return seen[family][rng.Below(seen[family].size())]->damage;
        };
        return rng.Bernoulli(0.5) ? Both(k, one(k), other, one(other))
                                  : Both(other, one(other), k, one(k));
      };
      beside[k][other] =
          AskUsers(static_cast<std::int64_t>(k),
                   "beside " + families_[other].key, much_.users_of_pair, draw);
      beside[other][k] = beside[k][other];
    }
  }
  for (std::size_t k = 0; k < families; ++k) {
    const auto state = static_cast<std::size_t>(cells[k]);
    double below = 2;
    for (const double least : kSeenBeside) {
      std::vector<Asked> alike;
      std::vector<std::string> words;
      for (std::size_t other = 0; other < families; ++other) {
        if (beside[k][other].marks.empty()) continue;
        const double share =
            ShareThatMark(beside[k][other].marks, static_cast<std::int64_t>(k));
        if (share < least || share >= below) continue;
        alike.push_back({&beside[k][other], cells[other]});
        words.push_back(fmt::format("“{}”", families_[other].words));
      }
      below = least;
      if (alike.empty()) continue;
      Tried tried = CellsOf(alike);
      tried.values = fmt::format("beside {}", fmt::join(words, ", "));
      tried.beside = true;
      voter_->own_calibration().states[state].tried.push_back(std::move(tried));
    }
  }
}

// People of a set are known by a number of them.
void Teacher::SayIfFewPeople() {
  if (!reference_.info().grouped || users_.grouped()) return;
  voter_->own_calibration().remarks.push_back(fmt::format(
      "The references have too few people with enough examples to know how "
      "people differ: reference users are mixtures of all of them, and the "
      "level holds for users who are no more different than these."));
}

void Teacher::Calibrate() {
  const std::vector<Tally> tallies = Ask();
  GiveCells(tallies);
  Calibration& calibration = voter_->own_calibration();
  calibration.marks = options_.marks;
  calibration.split = options_.split;
  SayIfFewPeople();
  calibration.states = {{.key = kAsItShouldBe}};
  for (std::size_t c = 1; c <= calibration.families(); ++c) {
    calibration.states.push_back({.key = calibration.cells[c].key});
  }
  std::vector<Strengths> seen(families_.size());
  for (const Tally& tally : tallies) {
    const std::size_t state = StateOf(tally);
    if (state == calibration.states.size()) continue;
    calibration.states[state].tried.push_back(CellsOf({{&tally}}));
    if (tally.family < 0) continue;
    const auto k = static_cast<std::size_t>(tally.family);
    if (IsBlankFamily(k) || IsSplit(k)) continue;
    seen[k].push_back(&*std::ranges::find(families_[k].strengths, tally.values,
                                          &NamedDamage::values));
  }
  if (options_.marks > 1) AddBeside(seen);
  for (const SplitFamily& split : voter_->parts().splits) {
    for (const std::int64_t cell : split.cells) {
      const auto c = static_cast<std::size_t>(cell);
      const Tried& tried = calibration.states[c].tried.front();
      if (static_cast<double>(tried.votes[c]) >=
          kTakenForItself * static_cast<double>(tried.users)) {
        continue;
      }
      calibration.remarks.push_back(fmt::format(
          "Hard to tell from other strengths with these references: {}.",
          calibration.cells[c].words));
    }
  }
}

}  // namespace

void CheckImageReferences(const data::FederatedDataset& reference,
                          const VoterOptions& options) {
  ReferenceUsers(reference, UsersFor(options));
}

void CheckImageSplit(const data::DatasetInfo& info,
                     const VoterOptions& options) {
  RequireSplittable(FamiliesFor(info, options.labels), options.split);
}

std::unique_ptr<Voter> LearnImageVoter(const data::FederatedDataset& reference,
                                       const VoterOptions& options,
                                       fed::WorkerPool& pool) {
  const at::NoGradGuard no_gradient;
  return Teacher(reference, options, pool).Learn();
}

}  // namespace sfumato::census
