#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "census/voter/made_up_text.h"
#include "census/voter/text_damages.h"
#include "census/voter/text_features.h"
#include "census/voter/text_knowledge.h"
#include "census/voter/text_voter.h"
#include "fmt/format.h"

namespace sfumato::census {
namespace {

using base::Rng;

constexpr std::size_t kFewestPeople = 40;  // with enough sentences
// Made-up users to learn from, and to set margins by; of one person at most
// kOfOne, since more would say little that is new.
constexpr std::size_t kLearned = 30'000;
constexpr std::size_t kMeasured = 8'000;
constexpr std::size_t kOfOne = 60;
// What a family must be noticed in, all sentences damaged, to be an answer.
constexpr double kLeastPower = 0.05;
// Two families are one answer if so many of one are taken for the other.
constexpr double kConfused = 0.4;

// Reference users in a state who may be taken for unlike it.
constexpr double kUnlike = 0.004;

struct Trial {
  std::vector<float> features = {};
  std::uint32_t families = 0;  // whose damage changed something
  bool healthy = false;        // nothing was changed
  double share = 1;            // of sentences that it touched
};

class Learner {
 public:
  Learner(const data::FederatedDataset& reference, const VoterOptions& options,
          fed::WorkerPool& pool)
      : options_(options),
        pool_(pool),
        form_(reference.info().text_form),
        people_(ReferencePeople(reference)) {
    TextPeople tokens;
    std::vector<std::string> sentences;
    for (const TextPerson& person : people_) {
      tokens.push_back(person.tokens);
      sentences.insert(sentences.end(), person.tokens.begin(),
                       person.tokens.end());
    }
    std::erase_if(people_, [&](const TextPerson& person) {
      return std::ssize(person.tokens) < options_.least_examples;
    });
    if (people_.size() < kFewestPeople) {
      throw BadInput(
          fmt::format("the references have {} people with {} sentences or "
                      "more, and a text voter is learned from {} at least",
                      people_.size(), options_.least_examples, kFewestPeople),
          reference.info().name,
          "give references with more people, or ask for fewer sentences");
    }
    known_.words = std::make_unique<TextWords>(tokens);
    source_ = SourceOf(std::move(sentences), known_.words->capitals());
    Rng rng(options_.seed, {base::Key("reference people")});
    rng.Shuffle(std::span(people_));
    learn_end_ = people_.size() * 6 / 10;
    measure_end_ = people_.size() * 8 / 10;
    known_.least_examples = options_.least_examples;
    known_.most_examples = options_.most_examples;
    known_.learned_from = {{"name", reference.info().name},
                           {"origin", Name(reference.info().origin)},
                           {"fingerprint", reference.Fingerprint()},
                           {"people", people_.size()},
                           {"seed", options_.seed}};
  }

  std::unique_ptr<Voter> Learn() {
    Report(0, "reading references");
    const std::vector<Trial> learned =
        TrialsOf(0, learn_end_, kLearned, "learn");
    std::vector<std::vector<float>> rows;
    std::vector<std::vector<float>> marks;
    for (const Trial& trial : learned) {
      rows.push_back(trial.features);
      std::vector<float>& mark = marks.emplace_back(kFamilies() + 1);
      for (std::size_t k = 0; k < kFamilies(); ++k) {
        mark[k] = static_cast<float>(trial.families >> k & 1);
      }
      mark[kFamilies()] = trial.healthy ? 1 : 0;
    }
    known_.network = TrainMarks(
        rows, marks, {.seed = options_.seed, .progress = [&](double done) {
                        Report(0.4 + 0.3 * done, "learning");
                      }});
    Report(0.7, "setting margins");
    SetMargins(learned,
               TrialsOf(learn_end_, measure_end_, kMeasured, "measure"));
    Report(0.8, "measuring confusion");
    ChooseCells();
    Measure();
    Report(1, "measuring confusion");
    return std::move(voter_);
  }

 private:
  static std::size_t kFamilies() { return TextDamages().size(); }

  void Report(double done, const char* what) const {
    if (options_.progress) options_.progress(done, what);
  }

  Fate FateOf(std::vector<std::size_t> damages, double share) const {
    return {.damages = std::move(damages),
            .share = share,
            .least = static_cast<std::size_t>(options_.least_examples),
            .most = static_cast<std::size_t>(options_.most_examples)};
  }

  Trial TryOf(const TextPerson& person, const Fate& fate, TextReader& reader,
              Rng& rng) const {
    const MadeUpText text = MakeUp(person, form_, fate, source_, rng);
    Trial trial{.healthy = true, .share = fate.share};
    for (std::size_t k = 0; k < text.changed.size(); ++k) {
      if (text.changed[k] == 0) continue;
      trial.healthy = false;
      if (k < fate.damages.size()) {
        trial.families |= std::uint32_t{1} << fate.damages[k];
      }
    }
    trial.features = reader.Features(text.sentences);
    return trial;
  }

  Fate DrawFate(Rng& rng) const {
    const double kind = rng.Uniform();
    const double share = rng.Bernoulli(0.6) ? 1.0 : rng.Uniform(0.15, 1.0);
    const double two = options_.marks > 1 ? 0.3 : 0.18;
    if (kind < 0.28) return FateOf({}, 1);
    if (kind < 0.58) return FateOf({rng.Below(kFamilies())}, share);
    if (kind < 0.58 + two) {
      while (true) {
        const std::size_t a = rng.Below(kFamilies());
        const std::size_t b = rng.Below(kFamilies());
        if (a != b && !TextDamages()[b].replaces) return FateOf({a, b}, share);
      }
    }
    Fate fate = FateOf({}, share);
    fate.unlisted = true;
    return fate;
  }

  // About `count` made-up users of these people, in an order of their own.
  std::vector<Trial> TrialsOf(std::size_t begin, std::size_t end,
                              std::size_t count, std::string_view what) const {
    const std::size_t each = std::min(kOfOne, count / (end - begin) + 1);
    std::vector<std::vector<Trial>> made(end - begin);
    pool_.Run(made.size(), [&](int, std::size_t i) {
      Rng rng(options_.seed, {base::Key(what), i});
      const TextPerson& person = people_[begin + i];
      Hidden hidden = known_.words->Without(person.tokens);
      TextReader as_is(*known_.words, hidden);
      // Users asked may write of other things than the references do.
      hidden.share = rng.Uniform(0, 0.3);
      hidden.salt = rng();
      TextReader of_other_things(*known_.words, hidden);
      for (std::size_t k = 0; k < each; ++k) {
        TextReader& reader = rng.Bernoulli(0.5) ? as_is : of_other_things;
        made[i].push_back(TryOf(person, DrawFate(rng), reader, rng));
      }
    });
    std::vector<Trial> all;
    for (auto& trials : made) {
      std::ranges::move(trials, std::back_inserter(all));
    }
    return all;
  }

  void SetMargins(const std::vector<Trial>& learned,
                  const std::vector<Trial>& measured) {
    std::vector<Scored> scored;
    for (const Trial& trial : measured) {
      scored.push_back({.logits = known_.network.Logits(trial.features),
                        .families = trial.families,
                        .healthy = trial.healthy,
                        .share = trial.share});
    }
    known_.margins = TextMargins::Set(scored, kFamilies());

    const auto rows = [&](const std::vector<Trial>& trials, const auto& is) {
      std::vector<std::vector<float>> out;
      for (const Trial& trial : trials) {
        if (is(trial)) out.push_back(trial.features);
      }
      return out;
    };
    const auto healthy = [](const Trial& trial) { return trial.healthy; };
    const auto usual_rows = rows(learned, healthy);
    const std::vector<float> usual = SpreadOf(usual_rows);
    std::vector<TextFit>& fits = known_.fits;
    fits.assign(kFamilies() + 1, {});
    for (std::size_t k = 0; k < kFamilies(); ++k) {
      fits[k].scale.assign(kTextFeatures, 1);
      // What replaces text may be anything of its kind.
      if (TextDamages()[k].replaces) continue;
      const auto has = [&](const Trial& trial) {
        return (trial.families >> k & 1) != 0;
      };
      const auto alone = [&](const Trial& trial) {
        return trial.families == std::uint32_t{1} << k;
      };
      fits[k].Learn(rows(learned, has), usual);
      fits[k].SetLimit(rows(measured, alone), kUnlike);
    }
    fits.back().Learn(usual_rows, usual);
    fits.back().SetLimit(rows(measured, healthy), kUnlike);
  }

  // Reference users who share nobody with those learned from or measured.
  Tried TriedOn(std::vector<std::size_t> damages, double share,
                const std::string& values, std::size_t each,
                std::string_view key) const {
    std::vector<Votes> votes(people_.size() - measure_end_);
    pool_.Run(votes.size(), [&](int, std::size_t i) {
      Rng rng(options_.seed,
              {base::Key("confusion"), base::Key(key), base::Key(values), i});
      const TextPerson& person = people_[measure_end_ + i];
      TextReader reader(*known_.words, known_.words->Without(person.tokens));
      const Fate fate = FateOf(damages, share);
      for (std::size_t k = 0; k < each; ++k) {
        votes[i].push_back(
            voter_->VoteOf(TryOf(person, fate, reader, rng).features));
      }
    });
    Tried tried{
        .values = values,
        .votes = std::vector<std::int64_t>(voter_->calibration().cells.size())};
    for (const Votes& of_person : votes) {
      for (const auto& marks : of_person) {
        ++tried.users;
        for (const std::int64_t cell : marks) ++tried.votes[cell];
      }
    }
    return tried;
  }

  // One cell for each family; then fewer, where references cannot tell.
  void ChooseCells() {
    Calibration plain;
    plain.marks = options_.marks;
    plain.cells.push_back({kAsItShouldBe, "as it should be", ""});
    std::vector<std::int64_t> cells;
    for (const TextDamage& damage : TextDamages()) {
      cells.push_back(std::ssize(plain.cells));
      plain.cells.push_back({damage.key, damage.words, damage.cause});
    }
    plain.cells.push_back({kNoneOfThese, "none of these", ""});
    plain.cells.push_back({kCannotTell, "cannot tell", ""});
    known_.cell_of = cells;
    voter_->Calibrate(plain);

    Calibration chosen = plain;
    chosen.cells.clear();
    chosen.cells.push_back(plain.cells.front());
    std::vector<std::int64_t> cell_of(kFamilies(), -1);
    const std::size_t each =
        std::clamp<std::size_t>(300 / (people_.size() - measure_end_), 1, 5);
    for (std::size_t k = 0; k < kFamilies(); ++k) {
      const TextDamage& damage = TextDamages()[k];
      const Tried tried = TriedOn({k}, 1, "trial", each, damage.key);
      const auto rate = [&](std::size_t family) {
        return static_cast<double>(tried.votes[family + 1]) /
               static_cast<double>(tried.users);
      };
      for (std::size_t other = 0; other < k; ++other) {
        if (cell_of[other] < 0 || rate(other) < kConfused) continue;
        cell_of[k] = cell_of[other];
        Cell& cell = chosen.cells[static_cast<std::size_t>(cell_of[k])];
        chosen.remarks.push_back(
            fmt::format("“{}” and “{}” are one answer: reference users do not "
                        "tell one from the other.",
                        cell.words, damage.words));
        cell.words += ", or " + damage.words;
        break;
      }
      if (cell_of[k] >= 0) continue;
      if (rate(k) < kLeastPower) {
        chosen.remarks.push_back(fmt::format(
            "“{}” is not asked: of reference users who have it, {:.0f} % "
            "notice.",
            damage.words, 100 * rate(k)));
        continue;
      }
      cell_of[k] = std::ssize(chosen.cells);
      chosen.cells.push_back(plain.cells[k + 1]);
    }
    chosen.cells.push_back(plain.cells[kFamilies() + 1]);
    chosen.cells.push_back(plain.cells.back());
    known_.cell_of = cell_of;
    voter_->Calibrate(chosen);
  }

  void Measure() {
    Calibration calibration = voter_->calibration();
    const std::size_t people = people_.size() - measure_end_;
    const std::size_t each = std::clamp<std::size_t>(400 / people, 2, 6);
    calibration.states.push_back(
        {kAsItShouldBe, {TriedOn({}, 1, "", 4 * each, kAsItShouldBe)}});
    for (std::size_t k = 0; k < kFamilies(); ++k) {
      const std::int64_t cell = known_.cell_of[k];
      if (cell < 0) continue;
      const std::string& key =
          calibration.cells[static_cast<std::size_t>(cell)].key;
      auto state = std::ranges::find(calibration.states, key, &State::key);
      if (state == calibration.states.end()) {
        calibration.states.push_back({key, {}});
        state = std::prev(calibration.states.end());
      }
      for (const auto& [share, values] : {std::pair{1.0, "all sentences"},
                                          {0.3, "30 % of sentences"},
                                          {0.1, "10 % of sentences"}}) {
        state->tried.push_back(
            TriedOn({k}, share, values, each, TextDamages()[k].key));
      }
      Report(
          0.8 + 0.2 * static_cast<double>(k) / static_cast<double>(kFamilies()),
          "measuring confusion");
    }
    voter_->Calibrate(std::move(calibration));
  }

  const VoterOptions& options_;
  fed::WorkerPool& pool_;
  data::TextForm form_;
  std::vector<TextPerson> people_;
  TextSource source_;
  std::size_t learn_end_ = 0;
  std::size_t measure_end_ = 0;
  std::unique_ptr<TextVoter> voter_ = std::make_unique<TextVoter>();
  TextKnowledge& known_ = voter_->knowledge();
};

}  // namespace

std::unique_ptr<Voter> LearnTextVoter(const data::FederatedDataset& reference,
                                      const VoterOptions& options,
                                      fed::WorkerPool& pool) {
  if (reference.info().kind != data::Kind::kText) {
    throw BadInput("the references are not text", reference.info().name,
                   "give references of the kind that is asked about");
  }
  return Learner(reference, options, pool).Learn();
}

}  // namespace sfumato::census
