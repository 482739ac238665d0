#include "census/voter/text_voter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/crc32c.h"
#include "base/error.h"
#include "base/json.h"
#include "base/random.h"
#include "base/safetensors.h"
#include "census/voter/made_up_text.h"
#include "census/voter/mark_network.h"
#include "census/voter/text_damages.h"
#include "census/voter/text_features.h"
#include "census/voter/text_fit.h"
#include "census/voter/text_margins.h"
#include "census/voter/text_words.h"
#include "data/text.h"
#include "fmt/format.h"
#include "nlohmann/json.hpp"

namespace sfumato::census {
namespace {

using base::Rng;
using nlohmann::json;

constexpr int kFormat = 1;
constexpr std::size_t kFewestPeople = 40;  // with enough sentences
// Made-up users to learn from, and to set margins by; of one person at most
// kOfOne, since more would say little that is new.
constexpr std::size_t kLearned = 30'000;
constexpr std::size_t kMeasured = 8'000;
constexpr std::size_t kOfOne = 60;
constexpr std::size_t kLongestText = 20'000;  // bytes of a sentence that count
// What a family must be noticed in, all sentences damaged, to be an answer.
constexpr double kLeastPower = 0.05;
// Two families are one answer if so many of one are taken for the other.
constexpr double kConfused = 0.4;

// Reference users in a state who may be taken for unlike it.
constexpr double kUnlike = 0.004;

constexpr const char* kSettings = "voter.json";
constexpr const char* kTensors = "voter.safetensors";

// Sentences of a user as the voter reads them: `most` at most, spread over all.
// Empty ones do not count.
std::vector<std::string> SentencesOf(const data::User& user,
                                     data::TextForm form, bool capitals,
                                     std::size_t most) {
  std::vector<std::string> out;
  const std::size_t read = std::min(user.size(), most);
  for (std::size_t i = 0; i < read; ++i) {
    std::string_view text = user[i * user.size() / read].text;
    if (text.size() > kLongestText) {
      std::size_t end = kLongestText;
      while (end > 0 && (text[end] & 0xC0) == 0x80) --end;
      text = text.substr(0, end);
    }
    std::string tokens = HealthyTokens(text, form, capitals);
    if (!data::SplitTokens(tokens).empty()) out.push_back(std::move(tokens));
  }
  return out;
}

class TextVoter final : public Voter {
 public:
  TextVoter() = default;

  Votes VotesOf(const data::FederatedDataset& set,
                const std::vector<std::int64_t>& users,
                fed::WorkerPool& pool) const override;
  void Write(const base::Path& folder) const override;

  // What a user with these features marks, as families and other cells.
  std::vector<std::int64_t> VoteOf(const std::vector<float>& features) const;

  std::unique_ptr<TextWords> words_;
  MarkNetwork network_;
  TextMargins margins_;
  std::vector<TextFit> fits_;          // [family], then of the healthy
  std::vector<std::int64_t> cell_of_;  // [family]; -1: it is no answer
  std::int64_t least_ = 8;
  std::int64_t most_ = 50;
  json learned_from_;

  void Calibrate(Calibration calibration) {
    calibration_ = std::move(calibration);
  }
  Calibration& MutableCalibration() { return calibration_; }
};

std::vector<std::int64_t> TextVoter::VoteOf(
    const std::vector<float>& features) const {
  const Verdict verdict = margins_.Judge(network_.Logits(features));
  const auto cells = static_cast<std::int64_t>(calibration_.cells.size());
  switch (verdict.kind) {
    case Verdict::kHealthy:
      return {fits_.back().IsLike(features) ? 0 : cells - 1};
    case Verdict::kUnexplained:
      return {cells - 2};
    case Verdict::kUndecided:
      return {cells - 1};
    case Verdict::kDamaged:
      break;
  }
  std::vector<std::int64_t> marks;
  // Two at once are rarer among reference users than they are different.
  const bool one = verdict.families.size() == 1 || calibration_.marks == 1;
  for (const std::size_t family : verdict.families) {
    if (one && !fits_[family].IsLike(features)) continue;
    const std::int64_t cell = cell_of_[family];
    if (cell < 0 || std::ranges::find(marks, cell) != marks.end()) continue;
    if (std::ssize(marks) < calibration_.marks) marks.push_back(cell);
  }
  if (marks.empty()) return {cells - 2};
  std::ranges::sort(marks);
  return marks;
}

Votes TextVoter::VotesOf(const data::FederatedDataset& set,
                         const std::vector<std::int64_t>& users,
                         fed::WorkerPool& pool) const {
  const auto cannot_tell =
      static_cast<std::int64_t>(calibration_.cells.size()) - 1;
  Votes votes(users.size(), std::vector<std::int64_t>{cannot_tell});
  if (set.info().kind != data::Kind::kText) return votes;
  std::vector<std::optional<TextReader>> readers(pool.size());
  pool.Run(users.size(), [&](int worker, std::size_t i) {
    auto& reader = readers[worker];
    if (!reader) reader.emplace(*words_);
    try {
      const std::vector<std::string> sentences = SentencesOf(
          set.user(static_cast<std::size_t>(users[i])), set.info().text_form,
          words_->capitals(), static_cast<std::size_t>(most_));
      if (std::ssize(sentences) < least_) return;
      votes[i] = VoteOf(reader->Features(sentences));
    } catch (const Error&) {
      // A damaged record is one user's, and is not spoken of.
    }
  });
  return votes;
}

// ---- Learning.

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
    voter_->words_ = std::make_unique<TextWords>(tokens);
    source_ = SourceOf(std::move(sentences), voter_->words_->capitals());
    Rng rng(options_.seed, {base::Key("reference people")});
    rng.Shuffle(std::span(people_));
    learn_end_ = people_.size() * 6 / 10;
    measure_end_ = people_.size() * 8 / 10;
    voter_->least_ = options_.least_examples;
    voter_->most_ = options_.most_examples;
    voter_->learned_from_ = {{"name", reference.info().name},
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
    voter_->network_ = TrainMarks(
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
      Hidden hidden = voter_->words_->Without(person.tokens);
      TextReader as_is(*voter_->words_, hidden);
      // Users asked may write of other things than the references do.
      hidden.share = rng.Uniform(0, 0.3);
      hidden.salt = rng();
      TextReader of_other_things(*voter_->words_, hidden);
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
      scored.push_back({.logits = voter_->network_.Logits(trial.features),
                        .families = trial.families,
                        .healthy = trial.healthy,
                        .share = trial.share});
    }
    voter_->margins_ = TextMargins::Set(scored, kFamilies());

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
    std::vector<TextFit>& fits = voter_->fits_;
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
      TextReader reader(*voter_->words_,
                        voter_->words_->Without(person.tokens));
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
    voter_->cell_of_ = cells;
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
            "“{}” is not asked: in {:.0f} % of reference users nothing would "
            "show it.",
            damage.words, 100 * (1 - rate(k))));
        continue;
      }
      cell_of[k] = std::ssize(chosen.cells);
      chosen.cells.push_back(plain.cells[k + 1]);
    }
    chosen.cells.push_back(plain.cells[kFamilies() + 1]);
    chosen.cells.push_back(plain.cells.back());
    voter_->cell_of_ = cell_of;
    voter_->Calibrate(chosen);
  }

  void Measure() {
    Calibration calibration = voter_->calibration();
    const std::size_t people = people_.size() - measure_end_;
    const std::size_t each = std::clamp<std::size_t>(400 / people, 2, 6);
    calibration.states.push_back(
        {kAsItShouldBe, {TriedOn({}, 1, "", 4 * each, kAsItShouldBe)}});
    for (std::size_t k = 0; k < kFamilies(); ++k) {
      const std::int64_t cell = voter_->cell_of_[k];
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
};

// ---- Files.

template <typename T>
base::TensorOut Out(std::string name, const std::vector<T>& values) {
  return {std::move(name),
          base::DTypeOf<T>::value,
          {values.size()},
          std::as_bytes(std::span(values))};
}

template <typename T>
std::vector<T> In(const base::SafetensorsFile& file, std::string_view name) {
  const std::span<const T> values = file.Get<T>(name);
  return {values.begin(), values.end()};
}

void TextVoter::Write(const base::Path& folder) const {
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint64_t> ends;
  for (const std::string& word : words_->words()) {
    bytes.insert(bytes.end(), word.begin(), word.end());
    ends.push_back(bytes.size());
  }
  std::vector<std::uint64_t> people(words_->people().begin(),
                                    words_->people().end());
  std::vector<base::TensorOut> tensors = {
      Out("words.bytes", bytes),
      Out("words.ends", ends),
      Out("words.people", people),
      Out("words.letters", words_->letters()),
      Out("words.pairs", words_->pairs()),
      Out("network.centre", network_.centre),
      Out("network.scale", network_.scale),
      Out("network.in", network_.in),
      Out("network.in_bias", network_.in_bias),
      Out("network.out", network_.out),
      Out("network.out_bias", network_.out_bias),
      Out("margins.first", margins_.first),
      Out("margins.second", margins_.second),
      Out("margins.healthy", margins_.healthy)};
  for (std::size_t k = 0; k < fits_.size(); ++k) {
    tensors.push_back(Out(fmt::format("fit.{}.scale", k), fits_[k].scale));
    tensors.push_back(Out(fmt::format("fit.{}.rows", k), fits_[k].rows));
  }
  std::vector<float> limits;
  for (const TextFit& fit : fits_) limits.push_back(fit.limit);
  tensors.push_back(Out("fit.limits", limits));
  base::StagedFolder out(folder);
  base::WriteSafetensors(out.path() / kTensors, tensors);
  const json settings = {{"format", kFormat},
                         {"kind", "text"},
                         {"calibration", ToJson(calibration_)},
                         {"cell_of", cell_of_},
                         {"least_examples", least_},
                         {"most_examples", most_},
                         {"capitals", words_->capitals()},
                         {"learned_from", learned_from_}};
  const std::string text = settings.dump(1);
  const std::string sum = fmt::format(
      "{:08x}",
      base::Crc32c(base::ReadFile(out.path() / kTensors), base::Crc32c(text)));
  json whole = settings;
  whole["sum"] = sum;
  base::WriteFileAtomically(out.path() / kSettings, whole.dump(1) + "\n");
  out.Commit();
}

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

std::unique_ptr<Voter> ReadTextVoter(const base::Path& folder) {
  const std::string where = (folder / kSettings).string();
  const auto damaged = [&](const std::string& what) {
    return Corrupt(fmt::format("not a text voter: {}", what), where,
                   "learn it again from the references");
  };
  for (const char* name : {kSettings, kTensors}) {
    if (!std::filesystem::is_regular_file(folder / name)) {
      throw damaged(fmt::format("{} is missing", name));
    }
  }
  json settings = base::ParseJson(base::ReadFile(folder / kSettings));
  if (!settings.is_object() || !settings.contains("sum") ||
      !settings["sum"].is_string()) {
    throw damaged("not JSON, or without a sum");
  }
  const std::string sum = settings["sum"];
  settings.erase("sum");
  if (sum !=
      fmt::format("{:08x}", base::Crc32c(base::ReadFile(folder / kTensors),
                                         base::Crc32c(settings.dump(1))))) {
    throw damaged("its sum is another");
  }
  auto voter = std::make_unique<TextVoter>();
  try {
    if (settings.at("format") != kFormat || settings.at("kind") != "text") {
      throw damaged("another format or kind");
    }
    voter->Calibrate(CalibrationFromJson(settings.at("calibration"), where));
    settings.at("cell_of").get_to(voter->cell_of_);
    settings.at("least_examples").get_to(voter->least_);
    settings.at("most_examples").get_to(voter->most_);
    voter->learned_from_ = settings.at("learned_from");
    const bool capitals = settings.at("capitals").get<bool>();

    const base::SafetensorsFile file(folder / kTensors);
    const auto bytes = In<std::uint8_t>(file, "words.bytes");
    const auto people = In<std::uint64_t>(file, "words.people");
    std::vector<std::string> words;
    std::uint64_t begin = 0;
    for (const std::uint64_t end : In<std::uint64_t>(file, "words.ends")) {
      if (end < begin || end > bytes.size()) throw damaged("words overlap");
      words.emplace_back(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                         bytes.begin() + static_cast<std::ptrdiff_t>(end));
      begin = end;
    }
    auto letters = In<double>(file, "words.letters");
    auto pairs = In<double>(file, "words.pairs");
    MarkNetwork& network = voter->network_;
    network.centre = In<float>(file, "network.centre");
    network.scale = In<float>(file, "network.scale");
    network.in = In<float>(file, "network.in");
    network.in_bias = In<float>(file, "network.in_bias");
    network.out = In<float>(file, "network.out");
    network.out_bias = In<float>(file, "network.out_bias");
    voter->margins_ = {.first = In<float>(file, "margins.first"),
                       .second = In<float>(file, "margins.second"),
                       .healthy = In<float>(file, "margins.healthy")};
    const std::size_t families = TextDamages().size();
    const auto limits = In<float>(file, "fit.limits");
    if (limits.size() != families + 1) throw damaged("fits of other families");
    for (std::size_t k = 0; k <= families; ++k) {
      voter->fits_.push_back(
          {.scale = In<float>(file, fmt::format("fit.{}.scale", k)),
           .rows = In<float>(file, fmt::format("fit.{}.rows", k)),
           .limit = limits[k]});
    }
    const std::size_t hidden = network.in_bias.size();
    const auto cells =
        static_cast<std::int64_t>(voter->calibration().cells.size());
    const bool fits =
        people.size() == words.size() &&
        letters.size() == TextWords::kLetterCounts &&
        pairs.size() == TextWords::kPairCounts &&
        network.centre.size() == kTextFeatures &&
        network.scale.size() == kTextFeatures &&
        network.in.size() == kTextFeatures * hidden &&
        network.out.size() == hidden * (families + 1) &&
        network.out_bias.size() == families + 1 &&
        voter->margins_.first.size() == families &&
        voter->margins_.second.size() == families &&
        voter->margins_.healthy.size() == 2 &&
        voter->cell_of_.size() == families && cells >= 3 &&
        std::ranges::all_of(voter->fits_,
                            [](const TextFit& fit) {
                              return fit.scale.size() == kTextFeatures &&
                                     fit.rows.size() % kTextFeatures == 0;
                            }) &&
        std::ranges::all_of(voter->cell_of_, [&](std::int64_t cell) {
          return cell >= -1 && cell != 0 && cell < cells - 2;
        });
    if (!fits) throw damaged("tensors of another shape");
    voter->words_ = std::make_unique<TextWords>(
        std::move(words),
        std::vector<std::int64_t>(people.begin(), people.end()),
        std::move(letters), std::move(pairs), capitals);
  } catch (const json::exception& error) {
    throw damaged(error.what());
  }
  return voter;
}

}  // namespace sfumato::census
