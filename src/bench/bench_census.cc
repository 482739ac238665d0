#include "bench/bench_census.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/secure_random.h"
#include "bench/census_simulation.h"
#include "bench/outside_damages.h"
#include "census/voter/image_families.h"
#include "census/voter/made_up_text.h"
#include "census/voter/text_words.h"
#include "census/voter/voter.h"
#include "data/dataset_writer.h"
#include "data/generate/forum.h"
#include "data/generate/handwriting.h"
#include "fed/worker_pool.h"
#include "fmt/format.h"
#include "train/device.h"

namespace sfumato::bench {
namespace {

namespace fs = std::filesystem;
using base::Path;
using census::Design;
using data::FederatedDataset;
using Row = std::function<void(const CensusFigure&)>;

constexpr std::uint64_t kPeople = 1200;  // generated
constexpr std::uint64_t kReferencePeople = 5000;
constexpr double kExamples = 60;
constexpr std::size_t kLeast = 8;      // examples of who is asked
constexpr std::size_t kMost = 50;      // that a device looks at
constexpr std::size_t kDamaged = 240;  // users whose damaged votes are taken
// Reference users of a strength of whom fewer mark it: declared too mild.
constexpr double kLeastSeen = 0.5;

double Seconds(const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// A folder that is gone when this is.
class Scratch {
 public:
  Scratch()
      : folder_(
            base::FreeName(fs::temp_directory_path() /
                           fmt::format("sfumato_bench_{:08x}",
                                       base::SecureRandom()() & 0xffffffffu))) {
    fs::create_directories(folder_);
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  Path operator/(const std::string& name) const { return folder_ / name; }

 private:
  Path folder_;
};

// What one device does to its own examples.
struct Damage {
  std::string key = "";    // of a family; "" outside the catalogue
  std::string words = "";  // of the family
  std::string values = "";
  census::ImageDamage images = {};
  std::function<census::TextChange(base::Rng&)> text = {};
  double share = 1;  // of sentences
  bool first = false;

  std::string Text() const {
    const std::string& name = key.empty() ? words : key;
    return values.empty() ? name : fmt::format("{}, {}", name, values);
  }
};

bool IsGenerator(const std::string& name) {
  return name == "handwriting" || name == "forum";
}

std::unique_ptr<FederatedDataset> Open(const std::string& name,
                                       std::uint64_t users, std::uint64_t seed,
                                       const Path& folder) {
  if (!IsGenerator(name)) {
    auto set = std::make_unique<FederatedDataset>(name);
    if (set->info().origin == data::Origin::kPrivate) {
      throw Unsupported(
          "private data in a measurement that shows what people "
          "vote, without noise",
          name,
          "give a set that is declared public or generated; "
          "sfumato census asks private users, with noise");
    }
    return set;
  }
  if (name == "forum") {
    data::MakeForum({.users = users, .seed = seed, .mean_sentences = kExamples},
                    folder, name);
  } else {
    data::MakeHandwriting(
        {.users = users, .seed = seed, .mean_examples = kExamples}, folder,
        name);
  }
  return std::make_unique<FederatedDataset>(folder);
}

// Where the cell of a family is; none if the voter does not ask for it.
std::optional<std::size_t> CellOf(const census::Calibration& calibration,
                                  const Damage& damage) {
  for (std::size_t c = 1; c <= calibration.families(); ++c) {
    const census::Cell& cell = calibration.cells[c];
    const std::string keys = "_or_" + cell.key + "_or_";
    if (keys.find("_or_" + damage.key + "_or_") != std::string::npos ||
        cell.words.find(damage.words) != std::string::npos) {
      return c;
    }
  }
  return {};
}

// The share of reference users with that strength who mark it; 0 if it was left
// out of the calibration as too mild.
double ReferencesRight(const census::Calibration& calibration,
                       const Damage& damage) {
  const auto cell = CellOf(calibration, damage);
  if (!cell) return 0;
  double best = 0;
  for (const census::State& state : calibration.states) {
    if (state.key != calibration.cells[*cell].key) continue;
    for (const census::Tried& tried : state.tried) {
      if (tried.values != damage.values || tried.users == 0) continue;
      best = std::max(best, static_cast<double>(tried.votes[*cell]) /
                                static_cast<double>(tried.users));
    }
  }
  return best;
}

// Whether the voter promises to see it, by its own reference users.
bool IsPromised(const census::Calibration& calibration, const Damage& damage) {
  return ReferencesRight(calibration, damage) >= kLeastSeen;
}

double PeopleRight(const census::Calibration& calibration, const Damage& damage,
                   const census::Votes& votes) {
  const auto cell = CellOf(calibration, damage);
  if (!cell) return 0;
  const auto right = std::ranges::count_if(votes, [&](const auto& marks) {
    return std::ranges::find(marks, static_cast<std::int64_t>(*cell)) !=
           marks.end();
  });
  return static_cast<double>(right) / static_cast<double>(votes.size());
}

// What is asked of a kind of censuses: shares of them.
struct Promise {
  const char* words;
  double differs = 1;  // at most
  double wrong = 1;
  double named = 0;  // at least
  double covered = 0;
  double open = 0;
};
constexpr Promise kQuiet = {.words = "differs in ≤ 2 %", .differs = 0.02};
constexpr Promise kNames = {.words = "named ≥ 95 %, share inside ≥ 90 %",
                            .named = 0.95,
                            .covered = 0.9};
constexpr Promise kNamesBoth = {.words = "both named ≥ 80 %", .named = 0.8};
constexpr Promise kStaysOpen = {
    .words = "none of these or cannot say ≥ 80 %, a wrong name ≤ 10 %",
    .wrong = 0.1,
    .open = 0.8};

// P(at most `count` of n), each with probability p.
double LowerTail(std::int64_t count, std::int64_t n, double p) {
  if (count >= n || p <= 0) return 1;
  if (p >= 1) return 0;
  double sum = 0;
  for (std::int64_t k = 0; k <= count; ++k) {
    const auto x = static_cast<double>(k);
    const auto y = static_cast<double>(n - k);
    sum += std::exp(std::lgamma(x + y + 1) - std::lgamma(x + 1) -
                    std::lgamma(y + 1) + x * std::log(p) + y * std::log1p(-p));
  }
  return sum;
}

// There are few censuses of one damage: it falls short if chance would explain
// that in fewer than 5 % of cases.
bool IsKept(const Promise& promise, const CensusTally& tally, bool one_damage) {
  const std::int64_t n = tally.censuses;
  const auto reaches = [&](std::int64_t count, double share) {
    return one_damage
               ? LowerTail(count, n, share) >= 0.05
               : static_cast<double>(count) >= share * static_cast<double>(n);
  };
  return reaches(n - tally.differs, 1 - promise.differs) &&
         reaches(n - tally.wrong, 1 - promise.wrong) &&
         reaches(tally.named, promise.named) &&
         reaches(tally.covered, promise.covered) &&
         reaches(tally.open, promise.open);
}

class CensusMeasurement {
 public:
  CensusMeasurement(const CensusBench& job, const Row& row)
      : job_(job),
        row_(row),
        device_(train::DeviceFor(job.device)),
        pool_(device_.threads) {
    OpenData();
    ChooseUsers();
  }

  void Run() {
    const bool voters = Asked("healthy") || Asked("catalogue") ||
                        Asked("outside") || Asked("speed");
    if (voters) {
      Learn(1);
      if (Asked("speed")) Speed();
      TakeHealthy();
      if (Asked("healthy")) Healthy();
      if (Asked("catalogue")) Catalogue();
      if (Asked("outside")) Outside();
    }
    if (Asked("pairs") && job_.design == "everybody" && !job_.foreign) {
      Learn(2);
      TakeHealthy();
      Pairs();
    }
  }

 private:
  bool Asked(const char* figure) const {
    return job_.figure == "all" || job_.figure == figure;
  }
  bool is_text() const { return people_->info().kind == data::Kind::kText; }
  // Of one damage and voter.
  std::int64_t censuses() const { return job_.quick ? 5 : 20; }
  bool two_groups() const { return job_.design == "two_groups"; }
  bool change() const { return job_.design == "change"; }
  // Labels say something only if they mean the same as the references'.
  bool labelled() const {
    return people_->info().classes == reference_->info().classes;
  }

  void OpenData() {
    people_ = Open(job_.people, kPeople, job_.seed, scratch_ / "people");
    std::string reference = job_.reference;
    if (reference.empty() && IsGenerator(job_.people)) reference = job_.people;
    if (reference.empty()) {
      HalveUsers();
    } else {
      reference_ = Open(reference, kReferencePeople, job_.seed + 7777,
                        scratch_ / "reference");
    }
    if (reference_->info().kind != people_->info().kind) {
      throw BadInput("people and references of two kinds", "--reference",
                     "give images for images, or text for text");
    }
    if (change()) HalveExamples();
    if (is_text()) {
      std::vector<std::string> sentences;
      census::TextPeople people;
      for (census::TextPerson& person : census::ReferencePeople(*reference_)) {
        people.push_back(person.tokens);
        sentences.insert(sentences.end(), person.tokens.begin(),
                         person.tokens.end());
      }
      source_ = census::SourceOf(std::move(sentences),
                                 census::TextWords(people).capitals());
    }
  }

  // A dataset of these users, each with the examples that `keep` takes.
  std::unique_ptr<FederatedDataset> Part(
      const char* name, std::span<const std::size_t> users,
      const std::function<bool(std::size_t example)>& keep) {
    data::DatasetWriter out(scratch_ / name, people_->info());
    for (const std::size_t u : users) {
      const data::User user = people_->user(u);
      out.BeginUser(user.id());
      for (std::size_t i = 0; i < user.size(); ++i) {
        if (keep(i)) out.Add(user[i]);
      }
    }
    out.Finish();
    return std::make_unique<FederatedDataset>(scratch_ / name);
  }

  // One half of the users are the references, the others are asked.
  void HalveUsers() {
    std::vector<std::size_t> users(people_->users());
    std::iota(users.begin(), users.end(), 0);
    base::Rng rng(job_.seed, {base::Key("halves")});
    rng.Shuffle(std::span(users));
    const std::size_t half = users.size() / 2;
    const auto all = [](std::size_t) { return true; };
    reference_ = Part("half_reference", std::span(users).first(half), all);
    people_ = Part("half_people", std::span(users).subspan(half), all);
  }

  // Every other example of each user was there before.
  void HalveExamples() {
    std::vector<std::size_t> users;
    for (std::size_t u = 0; u < people_->users(); ++u) {
      if (people_->user_size(u) >= 2 * kLeast) users.push_back(u);
    }
    before_ = Part("before", users, [](std::size_t i) { return i % 2 == 0; });
    people_ = Part("now", users, [](std::size_t i) { return i % 2 == 1; });
  }

  void ChooseUsers() {
    for (std::size_t u = 0; u < people_->users(); ++u) {
      if (people_->user_size(u) >= kLeast) {
        users_.push_back(static_cast<std::int64_t>(u));
      }
    }
    if (users_.size() < 2) {
      throw BadInput(
          fmt::format("fewer than two users with {} examples", kLeast),
          "--people", "give a set with users");
    }
    base::Rng rng(job_.seed, {base::Key("asked")});
    rng.Shuffle(std::span(users_));
    Note(fmt::format(
        "{}: {} users of {} examples or more; references: {}, {} "
        "examples; {} voters, ε {:g}",
        people_->info().name, users_.size(), kLeast, reference_->info().name,
        reference_->examples(), job_.seeds, job_.epsilon));
  }

  void Learn(std::int64_t marks) {
    voters_.clear();
    seconds_learning_ = 0;
    for (std::int64_t s = 0; s < job_.seeds; ++s) {
      base::CheckInterrupted();
      base::Note(fmt::format("learning voter {} of {} …", s + 1, job_.seeds));
      seconds_learning_ += Seconds([&] {
        voters_.push_back(census::LearnVoter(
            *reference_,
            {.marks = marks,
             .labels = labelled(),
             .foreign = job_.foreign,
             .change = change(),
             .seed = job_.seed + static_cast<std::uint64_t>(s),
             .gpu = device_.torch.is_cuda(),
             .effort = job_.effort},
            pool_));
      });
    }
    seconds_learning_ /= static_cast<double>(job_.seeds);
    if (marks > 1) return;
    std::set<std::string> remarks;
    for (const auto& voter : voters_) {
      remarks.insert(voter->calibration().remarks.begin(),
                     voter->calibration().remarks.end());
    }
    for (const std::string& remark : remarks) Note(remark);
  }

  void Report(CensusFigure figure, const Promise& promise) {
    figure.met = IsKept(promise, figure.tally, !figure.damage.empty());
    row_(figure);
  }

  void Note(const std::string& text) {
    CensusFigure figure;
    figure.note = text;
    row_(figure);
  }

  void Speed() {
    std::vector<std::int64_t> many;
    for (const std::int64_t user : users_) {
      if (people_->user_size(static_cast<std::size_t>(user)) >= kMost) {
        many.push_back(user);
      }
    }
    if (many.empty()) many = users_;
    std::vector<std::int64_t> asked(job_.quick ? 1000 : 10'000);
    for (std::size_t i = 0; i < asked.size(); ++i) {
      asked[i] = many[i % many.size()];
    }
    const double votes =
        Seconds([&] { VotesOf(*voters_[0], *people_, asked, asked); });
    const auto time = [&](std::string question, double seconds,
                          std::string ask) {
      CensusFigure figure;
      figure.question = std::move(question);
      figure.ask = std::move(ask);
      figure.is_time = true;
      figure.seconds = seconds;
      row_(figure);
    };
    const double size = std::min<double>(
        kMost, static_cast<double>(
                   people_->user_size(static_cast<std::size_t>(many[0]))));
    time("a voter learns", seconds_learning_, "");
    time(fmt::format("votes of {} users of about {:.0f} examples", asked.size(),
                     size),
         votes, "");
    time("both", seconds_learning_ + votes, "≤ 60 s on two cores");
  }

  // `from`: who they are in people_ and before_.
  census::Votes VotesOf(const census::Voter& voter, const FederatedDataset& set,
                        const std::vector<std::int64_t>& users,
                        const std::vector<std::int64_t>& from) {
    return change() ? voter.VotesOnChange(*before_, from, set, users, pool_)
                    : voter.VotesOf(set, users, pool_);
  }

  void TakeHealthy() {
    healthy_.clear();
    for (const auto& voter : voters_) {
      base::CheckInterrupted();
      healthy_.push_back(VotesOf(*voter, *people_, users_, users_));
    }
  }

  // [voter]: votes of the first users with these damages, one after the other.
  std::vector<census::Votes> TakeDamaged(
      const std::vector<const Damage*>& damages) {
    base::CheckInterrupted();
    const std::size_t count = std::min(kDamaged, users_.size());
    const Path folder = scratch_ / "damaged";
    fs::remove_all(folder);
    data::DatasetInfo info = people_->info();
    if (is_text()) info.text_form = data::TextForm::kTokens;
    info.sums.clear();
    data::DatasetWriter out(folder, info);
    std::uint64_t stream = 0;
    for (const Damage* damage : damages) stream ^= base::Key(damage->Text());
    for (std::size_t u = 0; u < count; ++u) {
      const data::User user =
          people_->user(static_cast<std::size_t>(users_[u]));
      base::Rng rng(job_.seed, {base::Key("damaged"), stream, u});
      out.BeginUser(user.id());
      if (is_text()) {
        WriteText(user, damages, rng, out);
      } else {
        WriteImages(user, damages, rng, out);
      }
    }
    out.Finish();
    const FederatedDataset damaged(folder);
    std::vector<std::int64_t> all(count);
    std::iota(all.begin(), all.end(), 0);
    std::vector<census::Votes> votes;
    for (const auto& voter : voters_) {
      votes.push_back(
          VotesOf(*voter, damaged, all,
                  {users_.begin(), users_.begin() + std::ssize(all)}));
    }
    return votes;
  }

  static void WriteImages(const data::User& user,
                          const std::vector<const Damage*>& damages,
                          base::Rng& rng, data::DatasetWriter& out) {
    census::ImageSet set{.shape = out.info().image};
    const std::size_t n = std::min(user.size(), kMost);
    std::vector<std::span<const std::int32_t>> columns;
    for (std::size_t i = 0; i < n; ++i) {
      const data::Example example = user[i * user.size() / n];
      set.images.emplace_back(example.pixels.begin(), example.pixels.end());
      set.labels.push_back(example.label);
      columns.push_back(example.columns);
    }
    for (const Damage* damage : damages) damage->images(set, rng);
    for (std::size_t i = 0; i < n; ++i) {
      out.Add({.pixels = set.images[i],
               .label = set.labels[i],
               .columns = columns[i]});
    }
  }

  void WriteText(const data::User& user,
                 const std::vector<const Damage*>& damages, base::Rng& rng,
                 data::DatasetWriter& out) {
    std::vector<census::TextChange> changes;
    for (const Damage* damage : damages) changes.push_back(damage->text(rng));
    const std::size_t n = std::min(user.size(), kMost);
    for (std::size_t i = 0; i < n; ++i) {
      const data::Example example = user[i * user.size() / n];
      std::string text(example.text);
      data::TextForm form = people_->info().text_form;
      for (std::size_t d = 0; d < damages.size(); ++d) {
        if (!rng.Bernoulli(damages[d]->share)) continue;
        text = changes[d](text, form, rng);
        form = data::TextForm::kTokens;
      }
      out.Add({.text = census::HealthyTokens(text, form, source_.capitals),
               .label = example.label,
               .columns = example.columns});
    }
  }

  SimulatedCensus Setup(std::int64_t users, double share, std::int64_t censuses,
                        std::size_t voter) const {
    return {.users = users,
            .share = share,
            .design = two_groups() ? Design::kTwoGroups : Design::kEverybody,
            .alike = !job_.foreign,
            .epsilon = job_.epsilon,
            .censuses = censuses,
            .seed = job_.seed + 1000 * voter};
  }

  std::string Question(const std::string& what, double share,
                       std::int64_t users) const {
    return fmt::format(
        "{}{} of {} users{}", what,
        share > 0 ? fmt::format(" on {:g} %", 100 * share) : "", users,
        two_groups()
            ? share > 0 ? ", in the second of two groups" : ", two groups"
            : "");
  }

  void Healthy() {
    for (const std::int64_t users : {600, two_groups() ? 1200 : 6000}) {
      CensusFigure figure{.question = Question("no bug:", 0, users),
                          .ask = kQuiet.words};
      for (std::size_t v = 0; v < voters_.size(); ++v) {
        const TakenVotes votes{.healthy = healthy_[v]};
        const SimulatedCensus setup =
            Setup(users, 0, (500 + job_.seeds - 1) / job_.seeds, v);
        figure.resampled = setup.Resamples(votes);
        figure.tally.Add(
            Simulate(votes, setup, voters_[v]->calibration(), pool_));
      }
      Report(figure, kQuiet);
    }
  }

  std::vector<Damage> InCatalogue() const {
    std::vector<Damage> all;
    if (is_text()) {
      for (const census::TextDamage& damage : census::TextDamages()) {
        for (const auto& [share, values] :
             {std::pair{1.0, "all sentences"}, {0.3, "30 % of sentences"}}) {
          all.push_back(
              {.key = damage.key,
               .words = damage.words,
               .values = values,
               .text = [this, draw = damage.draw](
                           base::Rng& rng) { return draw(source_, rng); },
               .share = share,
               .first = damage.replaces});
        }
      }
      return all;
    }
    const std::int64_t classes =
        labelled() ? std::ssize(people_->info().classes) : 0;
    for (const census::ImageFamily& family :
         census::ImageFamilies(people_->info().image, classes)) {
      for (const census::NamedDamage& strength : family.strengths) {
        all.push_back({.key = family.key,
                       .words = family.words,
                       .values = strength.values,
                       .images = strength.damage});
      }
    }
    return all;
  }

  struct OutsideDamage {
    Damage damage;
    bool fresh = false;
  };
  std::vector<OutsideDamage> OutsideOfIt() const {
    std::vector<OutsideDamage> all;
    if (is_text()) {
      for (const OutsideText& one : OutsideTexts()) {
        all.push_back(
            {{.words = one.words,
              .text = [change = one.change](base::Rng&) { return change; }},
             one.fresh});
      }
    } else {
      for (const OutsideImage& one : OutsideImages()) {
        all.push_back({{.words = one.words, .images = one.change}, one.fresh});
      }
    }
    return all;
  }

  // Censuses of a damage, by all voters.
  CensusFigure Ask(CensusFigure figure,
                   const std::vector<const Damage*>& damages,
                   const std::vector<census::Votes>& votes,
                   const SimulatedCensus& like) {
    for (std::size_t v = 0; v < voters_.size(); ++v) {
      const census::Calibration& calibration = voters_[v]->calibration();
      SimulatedCensus setup = like;
      setup.seed += 1000 * v;
      for (const Damage* damage : damages) {
        setup.seed ^= base::Key(damage->Text());
        if (damage->key.empty()) continue;
        const auto cell = CellOf(calibration, *damage);
        setup.nameable = setup.nameable && cell;
        if (cell &&
            std::ranges::find(setup.right, *cell) == setup.right.end()) {
          setup.right.push_back(*cell);
        }
      }
      if (damages.size() == 1 && !damages[0]->key.empty()) {
        const auto voters = static_cast<double>(voters_.size());
        if (v == 0) figure.people_right = figure.references_right = 0;
        figure.people_right +=
            PeopleRight(calibration, *damages[0], votes[v]) / voters;
        figure.references_right +=
            ReferencesRight(calibration, *damages[0]) / voters;
      }
      for (const auto& marks : votes[v]) {
        for (const std::int64_t cell : marks) {
          figure
              .marked[calibration.cells[static_cast<std::size_t>(cell)].key] +=
              100. / static_cast<double>(votes[v].size() * voters_.size());
        }
      }
      const TakenVotes taken{.healthy = healthy_[v], .damaged = votes[v]};
      figure.resampled = setup.Resamples(taken);
      figure.tally.Add(Simulate(taken, setup, calibration, pool_));
    }
    return figure;
  }

  void Catalogue() {
    const std::vector<Damage> damages = InCatalogue();
    struct Size {
      std::int64_t users;
      double share;
    };
    const std::vector<Size> sizes =
        two_groups()   ? std::vector<Size>{{600, 0.1}, {1200, 0.1}}
        : job_.foreign ? std::vector<Size>{{600, 0.1}}
                       : std::vector<Size>{{600, 0.05}, {6000, 0.01}};
    std::vector<CensusFigure> all;
    std::vector<CensusFigure> promised;
    for (const Size& size : sizes) {
      const std::string question =
          Question("damage of the catalogue", size.share, size.users);
      all.push_back(
          {.question = question + ", every strength", .ask = kNames.words});
      promised.push_back(
          {.question = question + ", strengths that the voter promises",
           .ask = kNames.words});
    }
    base::Progress progress("catalogue", damages.size(), "damages");
    for (const Damage& damage : damages) {
      const std::vector<census::Votes> votes = TakeDamaged({&damage});
      const bool is_promised = std::ranges::all_of(voters_, [&](const auto& v) {
        return IsPromised(v->calibration(), damage);
      });
      for (std::size_t s = 0; s < sizes.size(); ++s) {
        const CensusFigure figure =
            Ask({.question = Question("damage of the catalogue", sizes[s].share,
                                      sizes[s].users),
                 .damage = damage.Text() + (is_promised ? "" : " (too mild)"),
                 .ask = kNames.words},
                {&damage}, votes,
                Setup(sizes[s].users, sizes[s].share, censuses(), 0));
        Report(figure, kNames);
        for (CensusFigure* sum : {&all[s], &promised[s]}) {
          if (sum == &promised[s] && !is_promised) continue;
          sum->tally.Add(figure.tally);
          sum->resampled = figure.resampled;
        }
      }
      progress.Advance();
    }
    for (std::size_t s = 0; s < sizes.size(); ++s) {
      Report(all[s], kNames);
      Report(promised[s], kNames);
    }
  }

  void Outside() {
    const double share = 0.3;
    for (const bool fresh : {false, true}) {
      CensusFigure all{
          .question = Question(fresh ? "fresh damage outside the catalogue"
                                     : "damage outside the catalogue",
                               share, 600),
          .ask = kStaysOpen.words};
      for (const OutsideDamage& outside : OutsideOfIt()) {
        if (outside.fresh != fresh) continue;
        const Damage& damage = outside.damage;
        CensusFigure figure = all;
        figure.tally = {};
        figure.damage = damage.Text();
        figure = Ask(std::move(figure), {&damage}, TakeDamaged({&damage}),
                     Setup(600, share, censuses(), 0));
        Report(figure, kStaysOpen);
        all.tally.Add(figure.tally);
        all.resampled = figure.resampled;
      }
      if (all.tally.censuses > 0) Report(all, kStaysOpen);
    }
  }

  // Pairs of families that all voters promise to see alone, as different cells.
  void Pairs() {
    constexpr int kPairs = 30;
    const double share = 0.3;
    std::vector<Damage> damages = InCatalogue();
    std::erase_if(damages, [&](const Damage& damage) {
      return damage.key == "blank" || damage.share < 1 ||
             !std::ranges::all_of(
                 voters_,
                 [&](const auto& voter) {
                   return IsPromised(voter->calibration(), damage);
                 });
    });
    CensusFigure all{
        .question = Question("two damages at once, two marks,", share, 600),
        .ask = kNamesBoth.words};
    base::Rng rng(job_.seed, {base::Key("pairs")});
    base::Progress progress("pairs", kPairs, "pairs");
    for (int i = 0; i < kPairs && damages.size() > 1; ++i) {
      const Damage* one = &damages[rng.Below(damages.size())];
      const Damage* two = &damages[rng.Below(damages.size())];
      const bool apart = std::ranges::all_of(voters_, [&](const auto& voter) {
        return CellOf(voter->calibration(), *one) !=
               CellOf(voter->calibration(), *two);
      });
      if (!apart || (one->first && two->first)) {
        --i;
        continue;
      }
      // Rows that are lost before they become columns are seen as columns.
      if (two->first || two->key == "transpose") std::swap(one, two);
      CensusFigure figure = all;
      figure.tally = {};
      figure.damage = one->Text() + " + " + two->Text();
      figure = Ask(std::move(figure), {one, two}, TakeDamaged({one, two}),
                   Setup(600, share, censuses(), 0));
      Report(figure, kNamesBoth);
      all.tally.Add(figure.tally);
      all.resampled = figure.resampled;
      progress.Advance();
    }
    Report(all, kNamesBoth);
  }

  const CensusBench& job_;
  const Row& row_;
  const train::Device device_;
  fed::WorkerPool pool_;
  Scratch scratch_;
  std::unique_ptr<FederatedDataset> people_;
  std::unique_ptr<FederatedDataset> before_;  // of the same users, if asked
  std::unique_ptr<FederatedDataset> reference_;
  census::TextSource source_;
  std::vector<std::int64_t> users_;  // who is asked, in any order
  std::vector<std::unique_ptr<census::Voter>> voters_;
  std::vector<census::Votes> healthy_;  // [voter]
  double seconds_learning_ = 0;
};

}  // namespace

extern "C" void SfumatoBenchCensus(const CensusBench* job, const Row* row) {
  CensusMeasurement(*job, *row).Run();
}

}  // namespace sfumato::bench
