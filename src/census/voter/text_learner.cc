#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "census/answer/worth.h"
#include "census/voter/made_up_text.h"
#include "census/voter/text_cells.h"
#include "census/voter/text_damages.h"
#include "census/voter/text_features.h"
#include "census/voter/text_knowledge.h"
#include "census/voter/text_voter.h"
#include "fmt/format.h"

namespace sfumato::census {
namespace {

using base::Rng;

constexpr std::size_t kFewestPeople = 40;  // with enough sentences
// Of the people: those whose users are learned from, and measured to set the
// margins. The confusion of the others counts as independent users (worth.h),
// so they are many.
constexpr double kToLearn = 0.45;
constexpr double kToMeasure = 0.15;

// How many users are made up. Whatever the effort, they are not fewer than the
// least.
struct Amount {
  double usual = 0;
  double least = 0;
};
constexpr Amount kLearned = {30'000, 1'500};
constexpr Amount kMeasured = {8'000, 600};
// Of one person, since more would say little that is new.
constexpr double kOfOne = 100;
// Of lessons on what changed.
constexpr double kBeforeToo = 0.2;
constexpr Amount kOfBar = {800, 100};  // to tell a family's bars apart
// Per person whose confusion counts; the least, of all of them.
constexpr double kLeastTried = 40;

// Reference users in a state who may be taken for unlike it: with a damage, and
// healthy.
constexpr double kUnlike = 0.008;
constexpr double kUnlikeHealthy = 0.004;
// What replaces text may be anything of its kind: times the limit.
constexpr float kMoreForReplaced = 1.5F;

// Each of `parts` alike, of a whole of at least that many.
std::size_t CeilOf(std::size_t whole, std::size_t parts) {
  return (whole + parts - 1) / parts;
}

struct Trial {
  std::vector<float> features = {};
  std::uint32_t families = 0;  // whose damage changed something
  bool healthy = false;        // nothing was changed
  double share = 1;            // of sentences that it touched
};

// Those with enough sentences: those before a change and those after it.
// Throws BadInput if they are too few.
std::vector<TextPerson> WithEnough(std::vector<TextPerson> people,
                                   const data::DatasetInfo& info,
                                   const VoterOptions& options) {
  const std::int64_t least = (options.change ? 2 : 1) * options.least_examples;
  std::erase_if(people, [&](const TextPerson& person) {
    return std::ssize(person.tokens) < least;
  });
  if (people.size() < kFewestPeople) {
    throw BadInput(
        fmt::format("the references have {} people with {} sentences or more, "
                    "and a text voter is learned from {} at least",
                    people.size(), least, kFewestPeople),
        info.name,
        "give references with more people, or ask for fewer sentences");
  }
  return people;
}

class Learner {
 public:
  Learner(const data::FederatedDataset& reference, const VoterOptions& options,
          fed::WorkerPool& pool)
      : options_(options),
        pool_(pool),
        form_(reference.info().text_form),
        people_(ReferencePeople(reference)) {
    CheckSplit(TextDamages(), options_.split);
    TextPeople tokens;
    std::vector<std::string> sentences;
    for (const TextPerson& person : people_) {
      tokens.push_back(person.tokens);
      sentences.insert(sentences.end(), person.tokens.begin(),
                       person.tokens.end());
    }
    people_ = WithEnough(std::move(people_), reference.info(), options_);
    known_.words = std::make_unique<TextWords>(tokens);
    source_ = SourceOf(std::move(sentences), known_.words->capitals());
    Rng rng(options_.seed, {base::Key("reference people")});
    rng.Shuffle(std::span(people_));
    const auto all = static_cast<double>(people_.size());
    learn_end_ = static_cast<std::size_t>(kToLearn * all);
    measure_end_ = static_cast<std::size_t>((kToLearn + kToMeasure) * all);
    known_.foreign = options_.foreign;
    known_.change = options_.change;
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
        TrialsOf({0, learn_end_}, "learn", CountOf(kLearned, learn_end_),
                 [this](Rng& rng) { return DrawLesson(rng); });
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
    SetMargins(learned, TrialsOf({learn_end_, measure_end_}, "measure",
                                 CountOf(kMeasured, measure_end_ - learn_end_),
                                 [this](Rng& rng) { return DrawFate(rng); }));
    Report(0.8, "measuring confusion");
    Measure(ChooseCells());
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
            .most = static_cast<std::size_t>(options_.most_examples),
            .has_before = options_.change};
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
    trial.features = options_.change
                         ? reader.ChangeFeatures(text.before, text.sentences)
                         : reader.Features(text.sentences);
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

  // Who had the damage before has not changed.
  Fate DrawLesson(Rng& rng) const {
    Fate fate = DrawFate(rng);
    fate.before_too = options_.change && rng.Bernoulli(kBeforeToo);
    return fate;
  }

  std::size_t Scaled(Amount amount) const {
    return static_cast<std::size_t>(
        std::max(amount.least, options_.effort * amount.usual));
  }
  // Of that many people.
  std::size_t CountOf(Amount amount, std::size_t people) const {
    const double most =
        std::min(amount.usual, kOfOne * static_cast<double>(people));
    return Scaled({most, std::min(amount.least, most)});
  }

  struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  // About `count` made-up users of these people, in an order of their own.
  std::vector<Trial> TrialsOf(Range people, std::string_view what,
                              std::size_t count,
                              const std::function<Fate(Rng&)>& draw) const {
    std::vector<std::vector<Trial>> made(people.end - people.begin);
    const std::size_t each = CeilOf(count, made.size());
    pool_.Run(made.size(), [&](int, std::size_t i) {
      Rng rng(options_.seed, {base::Key(what), i});
      const TextPerson& person = people_[people.begin + i];
      Hidden hidden = known_.words->Without(person.tokens);
      TextReader as_is(*known_.words, hidden);
      // Users asked may write of other things than the references do.
      hidden.share = rng.Uniform(0, 0.3);
      hidden.salt = rng();
      TextReader of_other_things(*known_.words, hidden);
      for (std::size_t k = 0; k < each; ++k) {
        TextReader& reader = rng.Bernoulli(0.5) ? as_is : of_other_things;
        made[i].push_back(TryOf(person, draw(rng), reader, rng));
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
    if (options_.foreign) known_.margins.MarkTheLikeliest();

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
      fits[k].scale.assign(known_.features(), 1);
      const auto has = [&](const Trial& trial) {
        return (trial.families >> k & 1) != 0;
      };
      const auto alone = [&](const Trial& trial) {
        return trial.families == std::uint32_t{1} << k;
      };
      fits[k].Learn(rows(learned, has), usual);
      fits[k].SetLimit(rows(measured, alone), kUnlike);
      if (TextDamages()[k].replaces) fits[k].limit *= kMoreForReplaced;
    }
    fits.back().Learn(usual_rows, usual);
    fits.back().SetLimit(rows(measured, healthy), kUnlikeHealthy);
  }

  // Made-up users of the people whose confusion counts.
  std::size_t TriedCount(double per_person) const {
    const auto people = static_cast<double>(people_.size() - measure_end_);
    return Scaled({per_person * people, kLeastTried});
  }

  // Of each person: so that there are `usual` in all, within these bounds, but
  // not more than `most` in all.
  static double OfEach(std::size_t people, double usual,
                       std::pair<double, double> bounds, double most) {
    const auto all = static_cast<double>(people);
    return std::min(std::clamp(usual / all, bounds.first, bounds.second),
                    most / all);
  }

  // What is tried on reference users who share nobody with those learned from
  // or measured.
  struct Trying {
    std::vector<std::size_t> damages = {};
    TextBar bar = {};
    std::string key = "";   // of its randomness
    std::size_t count = 0;  // of users, at least
    bool few = false;       // hardly more sentences than they need
  };
  Tried TriedOn(const Trying& trying) const {
    std::vector<Votes> votes(
        std::min(trying.count, people_.size() - measure_end_));
    const std::size_t each = CeilOf(trying.count, votes.size());
    pool_.Run(votes.size(), [&](int, std::size_t i) {
      Rng rng(options_.seed, {base::Key("confusion"), base::Key(trying.key),
                              base::Key(trying.bar.values), i});
      const TextPerson& person = people_[measure_end_ + i];
      TextReader reader(*known_.words, known_.words->Without(person.tokens));
      Fate fate = FateOf(trying.damages, trying.bar.share);
      if (trying.few) fate.most = fate.least * 3 / 2;
      for (std::size_t k = 0; k < each; ++k) {
        votes[i].push_back(
            voter_->VoteOf(TryOf(person, fate, reader, rng).features));
      }
    });
    const std::size_t cells = voter_->calibration().cells.size();
    Tried tried{.values = trying.few ? "with few sentences" : trying.bar.values,
                .votes = std::vector<std::int64_t>(cells)};
    std::vector<PersonAnswers> people;
    for (const Votes& of_person : votes) {
      PersonAnswers& person = people.emplace_back(
          PersonAnswers{.marks = std::vector<std::int64_t>(cells)});
      for (const auto& marks : of_person) {
        ++tried.users;
        ++person.asked;
        for (const std::int64_t cell : marks) {
          ++tried.votes[static_cast<std::size_t>(cell)];
          ++person.marks[static_cast<std::size_t>(cell)];
        }
      }
    }
    tried.worth = WorthsOf(people, cells);
    return tried;
  }

  bool IsToSplit(std::size_t k) const {
    return std::ranges::find(options_.split, TextDamages()[k].key) !=
           options_.split.end();
  }

  // One cell for each family, as long as it is not known which are asked.
  void GiveEachACell() {
    Calibration plain;
    plain.marks = options_.marks;
    plain.cells.push_back({kAsItShouldBe, "", ""});
    for (const TextDamage& damage : TextDamages()) {
      known_.cell_of.push_back(std::ssize(plain.cells));
      plain.cells.push_back({damage.key, "", ""});
    }
    plain.cells.push_back({kNoneOfThese, "", ""});
    plain.cells.push_back({kCannotTell, "", ""});
    voter_->Calibrate(std::move(plain));
  }

  TextCells ChooseCells() {
    GiveEachACell();
    const std::size_t people = people_.size() - measure_end_;
    const std::size_t count = TriedCount(OfEach(people, 300, {1, 5}, 800));
    std::vector<FamilyVotes> votes(kFamilies());
    for (std::size_t k = 0; k < kFamilies(); ++k) {
      for (const TextBar& bar : TextBars()) {
        const bool first = votes[k].taken_for.empty();
        if (!first && !IsToSplit(k)) break;
        const Tried tried = TriedOn({.damages = {k},
                                     .bar = bar,
                                     .key = "trial " + TextDamages()[k].key,
                                     .count = count});
        const auto rate = [&](std::size_t family) {
          const auto cell = static_cast<std::size_t>(known_.cell_of[family]);
          return static_cast<double>(tried.votes[cell]) /
                 static_cast<double>(tried.users);
        };
        if (IsToSplit(k)) votes[k].seen_at.push_back(rate(k));
        for (std::size_t other = 0; first && other < kFamilies(); ++other) {
          votes[k].taken_for.push_back(rate(other));
        }
      }
    }
    TextCells chosen = ChooseTextCells(TextDamages(), votes);
    std::vector<TextSplit> splits;
    for (std::size_t k = 0; k < kFamilies(); ++k) {
      if (chosen.bars[k].empty()) continue;
      splits.push_back(SplitOf(k, chosen.bars[k]));
    }
    known_.splits = std::move(splits);
    known_.cell_of = chosen.cell_of;
    voter_->Calibrate({.cells = chosen.cells,
                       .marks = options_.marks,
                       .split = options_.split,
                       .remarks = chosen.remarks});
    return chosen;
  }

  // REQUIRES: each family has a cell of its own.
  TextSplit SplitOf(std::size_t family,
                    const std::vector<BarCell>& bars) const {
    TextSplit split{.family = family};
    std::vector<std::vector<float>> rows;
    std::vector<std::int64_t> bar_of_row;
    // Only users who mark the family are asked which bar.
    const auto is_silent = [&](const Trial& trial) {
      const auto marks = voter_->VoteOf(trial.features);
      return std::ranges::find(marks, known_.cell_of[family]) == marks.end();
    };
    for (const BarCell& one : bars) {
      const TextBar& bar = TextBars()[one.bar];
      std::vector<Trial> trials = TrialsOf(
          {0, learn_end_},
          fmt::format("split {} {}", TextDamages()[family].key, bar.values),
          Scaled(kOfBar), [&](Rng&) { return FateOf({family}, bar.share); });
      // Unless none of them does.
      if (!std::ranges::all_of(trials, is_silent)) {
        std::erase_if(trials, is_silent);
      }
      for (Trial& trial : trials) {
        rows.push_back(std::move(trial.features));
        bar_of_row.push_back(std::ssize(split.cells));
      }
      split.cells.push_back(one.cell);
    }
    split.choice =
        StrengthChoice::Learn(rows, bar_of_row, std::ssize(split.cells));
    return split;
  }

  void Measure(const TextCells& chosen) {
    Calibration calibration = voter_->calibration();
    const std::size_t people = people_.size() - measure_end_;
    const double each = OfEach(people, 400, {2, 6}, 1600);
    // Healthy users may all be of one kind.
    State& healthy = calibration.states.emplace_back(State{kAsItShouldBe, {}});
    for (const bool few : {false, true}) {
      healthy.tried.push_back(
          TriedOn({.key = few ? "few sentences" : kAsItShouldBe,
                   .count = TriedCount(2 * each),
                   .few = few}));
    }
    const auto add = [&](std::size_t k, const TextBar& bar, std::int64_t cell) {
      const std::string& key =
          calibration.cells[static_cast<std::size_t>(cell)].key;
      auto state = std::ranges::find(calibration.states, key, &State::key);
      if (state == calibration.states.end()) {
        calibration.states.push_back({key, {}});
        state = std::prev(calibration.states.end());
      }
      state->tried.push_back(TriedOn({.damages = {k},
                                      .bar = bar,
                                      .key = TextDamages()[k].key,
                                      .count = TriedCount(each)}));
    };
    for (std::size_t k = 0; k < kFamilies(); ++k) {
      if (chosen.cell_of[k] < 0) continue;
      for (const BarCell& one : chosen.bars[k]) {
        add(k, TextBars()[one.bar], one.cell);
      }
      for (const TextBar& bar : TextBars()) {
        if (chosen.bars[k].empty()) add(k, bar, chosen.cell_of[k]);
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

void CheckTextReferences(const data::FederatedDataset& reference,
                         const VoterOptions& options) {
  WithEnough(ReferencePeople(reference), reference.info(), options);
}

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
