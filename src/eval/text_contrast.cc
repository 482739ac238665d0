#include "eval/text_contrast.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "eval/lineup.h"
#include "eval/text_health.h"
#include "eval/text_measures.h"
#include "eval/text_separation.h"
#include "eval/text_tables.h"
#include "eval/verdict.h"
#include "fmt/format.h"

namespace sfumato::eval {
namespace {

constexpr double kLeastDraws = 50;
constexpr int kDraws = 200;
constexpr std::size_t kExamples = 8;
// A floor between twins may be small by luck: a trait's own one counts as this
// share of the highest at least, and as what luck alone would leave.
constexpr double kLeastOwn = 0.02;
// Joined words stand at the beginning where so much of what is unknown beyond
// A's share does.
constexpr double kMostlyFirst = 0.5;

// ---- What goes in.

void CheckModel(const DrawnText& drawn, const DrawnText& like) {
  const std::string where = fmt::format("model '{}'", drawn.model);
  if (drawn.sentences.empty() != like.sentences.empty() ||
      drawn.words.empty() != like.words.empty() ||
      (drawn.sentences.empty() && drawn.words.empty())) {
    throw BadInput("some models drew sentences or words, and some did not",
                   where, "draw the same from every model");
  }
  double words = 0;
  for (const CountedWord& word : drawn.words) {
    if (!(word.count > 0) || !std::isfinite(word.count)) {
      throw BadInput(fmt::format("a word that was drawn {} times", word.count),
                     where, "give every word a count above 0");
    }
    words += word.count;
  }
  const auto sentences = static_cast<double>(drawn.sentences.size());
  if ((sentences > 0 && sentences < kLeastDraws) ||
      (words > 0 && words < kLeastDraws)) {
    throw BadInput(fmt::format("too little to compare: {} sentences, {} words",
                               sentences, words),
                   where, fmt::format("draw at least {} of each", kLeastDraws));
  }
}

void CheckTop(const std::vector<ProbableWord>& top, const char* where) {
  for (const ProbableWord& word : top) {
    if (word.log_probability <= 1e-6) continue;
    throw BadInput(
        fmt::format("a word with log probability {}", word.log_probability),
        where, "logarithms of probabilities are 0 or less");
  }
}

// What models drew, by number.
struct Models {
  Lineup lineup;
  std::vector<DrawnText> drawn = {};
};

// Throws BadInput for what cannot be compared.
Models ModelsOf(const CompareTextOptions& options) {
  CheckTop(options.top_a, "side a");
  CheckTop(options.top_b, "side b");
  Models models{.lineup = LineUp(options.a, options.b)};
  if (options.vocabulary == nullptr || options.vocabulary->empty()) {
    throw BadInput("no vocabulary", "", "give the words that the models know");
  }
  for (const auto* side : {&options.a, &options.b}) {
    for (const DrawnText& drawn : *side) {
      CheckModel(drawn, options.a.front());
      models.drawn.push_back(drawn);
    }
  }
  if (!models.lineup.twins_of_both()) models.lineup.floor_source = "none";
  return models;
}

int Pick(const std::vector<int>& from, base::Rng& rng) {
  return from[rng.Below(from.size())];
}

// ---- What is compared, all draws of it: the excess and every trait's gain.

// A trait's mass in a model; of a template it depends on who is compared.
struct Meter {
  const TextDraws& draws;
  const TextDraws::Runs& runs;
  double operator()(int model, std::size_t trait,
                    const DrawWeights& weights) const {
    const auto which = static_cast<TextTrait>(trait);
    return which == TextTrait::kTemplate ? draws.Covered(runs, model, weights)
                                         : draws.Mass(model, which, weights);
  }
  double Side(const std::vector<int>& models, std::size_t trait) const {
    double sum = 0;
    for (const int model : models) {
      sum += (*this)(model, trait, draws.Whole(model));
    }
    return sum / static_cast<double>(models.size());
  }
};

struct Compared {
  runs::Estimate excess = {};
  double excess_floor = 0;
  std::array<runs::Estimate, kTextTraits> gains = {};
  std::array<double, kTextTraits> floors = {};
  std::array<double, kTextTraits> mass_a = {};
  std::array<double, kTextTraits> mass_b = {};
  std::vector<std::string> runs = {};
};

double MeanExcess(const TextDraws& draws, const Pairing& sides,
                  const Chosen& more) {
  double sum = 0;
  for (const int a : sides.from) {
    for (const int b : sides.to) {
      sum += draws.Excess(more, a, draws.Whole(a), b, draws.Whole(b));
    }
  }
  return sum / static_cast<double>(sides.from.size() * sides.to.size());
}

// What two models of one side show of each other. Trainings differ in
// proportion, so where B has more of a trait than A its twins differ more in it
// than they would if it had no more: their difference counts at A's level.
void AddFloors(const TextDraws& draws, const Lineup& lineup,
               Compared& compared) {
  for (const auto& [one, other] : lineup.alike) {
    const Pairing pair{.from = {one}, .to = {other}};
    compared.excess_floor = std::max(
        compared.excess_floor, MeanExcess(draws, pair, draws.MoreWords(pair)));
  }
  for (const Pairing& way : BothWays(lineup.alike)) {
    const bool of_b = std::ranges::count(lineup.sides.to, way.to.front()) > 0;
    const TextDraws::Runs runs = draws.RepeatedRuns(way);
    const Meter meter{draws, runs};
    for (std::size_t t = 0; t < kTextTraits; ++t) {
      const double scale = of_b && compared.mass_b[t] > compared.mass_a[t]
                               ? compared.mass_a[t] / compared.mass_b[t]
                               : 1;
      compared.floors[t] =
          std::max(compared.floors[t],
                   scale * (meter.Side(way.to, t) - meter.Side(way.from, t)));
    }
  }
}

Compared Measure(const TextDraws& draws, const Lineup& lineup,
                 std::uint64_t seed) {
  Compared compared;
  const Chosen more = draws.MoreWords(lineup.sides);
  const TextDraws::Runs runs = draws.RepeatedRuns(lineup.sides);
  const Meter meter{draws, runs};
  compared.runs = runs.examples;
  std::vector<double> excesses;
  std::array<std::vector<double>, kTextTraits> gains;
  for (int draw = 0; draw < kDraws; ++draw) {
    base::Rng rng(seed,
                  {base::Key("resample"), static_cast<std::uint64_t>(draw)});
    const int a = Pick(lineup.sides.from, rng);
    const int b = Pick(lineup.sides.to, rng);
    const DrawWeights of_a = draws.Resampled(a, rng);
    const DrawWeights of_b = draws.Resampled(b, rng);
    excesses.push_back(draws.Excess(more, a, of_a, b, of_b));
    for (std::size_t t = 0; t < kTextTraits; ++t) {
      gains[t].push_back(meter(b, t, of_b) - meter(a, t, of_a));
    }
  }
  compared.excess =
      EstimateOf(MeanExcess(draws, lineup.sides, more), std::move(excesses));
  for (std::size_t t = 0; t < kTextTraits; ++t) {
    compared.mass_a[t] = meter.Side(lineup.sides.from, t);
    compared.mass_b[t] = meter.Side(lineup.sides.to, t);
    compared.gains[t] = EstimateOf(compared.mass_b[t] - compared.mass_a[t],
                                   std::move(gains[t]));
  }
  AddFloors(draws, lineup, compared);
  return compared;
}

// ---- Hypotheses.

// The words of b that carry the trait, those that it draws more than a first.
std::vector<std::string> ExamplesOf(
    const std::vector<TextDraws::WordShare>& words, const Pairing& sides,
    std::size_t trait) {
  std::vector<std::pair<double, std::string>> found;
  const auto mean = [](const TextDraws::WordShare& word,
                       const std::vector<int>& models) {
    double sum = 0;
    for (const int model : models) {
      sum += word.shares[static_cast<std::size_t>(model)];
    }
    return sum / static_cast<double>(models.size());
  };
  for (const TextDraws::WordShare& word : words) {
    if ((word.traits >> trait & 1) == 0) continue;
    const double more = mean(word, sides.to) - mean(word, sides.from);
    if (more > 0) found.emplace_back(-more, word.word);
  }
  std::ranges::sort(found);
  std::vector<std::string> examples;
  for (const auto& [more, word] : found) {
    if (examples.size() == kExamples) break;
    examples.push_back(TableWord(word));
  }
  return examples;
}

// How many draws of the lesser twin of b carry the trait, about.
double Carriers(const TextDraws& draws, const Models& models,
                std::size_t trait) {
  double least = 1e300;
  for (const int model : models.lineup.sides.to) {
    const DrawnText& drawn = models.drawn[static_cast<std::size_t>(model)];
    double words = 0;
    for (const CountedWord& word : drawn.words) words += word.count;
    double tokens = 0;
    for (const auto& sentence : drawn.sentences) {
      tokens += static_cast<double>(sentence.size());
    }
    const DrawWeights whole = draws.Whole(model);
    const double mass = draws.Mass(model, static_cast<TextTrait>(trait), whole);
    // A spelling stands for an unknown word of the text.
    const double u = draws.UnknownShare(model, whole);
    const double drawn_from = u > 0 && words > 0 ? words / u : tokens;
    least = std::min(least, mass * std::max(tokens, drawn_from));
  }
  return least;
}

// What a trait's gain must exceed.
double LeastMass(const Compared& compared, std::size_t trait, double highest) {
  const double own = std::max(compared.floors[trait], kLeastOwn * highest);
  return LeastGain(own, highest, TextTraitCatalogue()[trait].never_by_chance);
}

std::vector<Explanation> Explain(const TextDraws& draws, const Models& models,
                                 const Compared& compared, bool separable) {
  const double difference = std::max(compared.excess.value, 1e-9);
  const double highest = *std::ranges::max_element(compared.floors);
  const Pairing& sides = models.lineup.sides;
  const auto words = draws.WordShares();
  std::vector<Explanation> all;
  for (std::size_t t = 0; t < kTextTraits; ++t) {
    const TextTraitInfo& info = TextTraitCatalogue()[t];
    const auto trait = static_cast<TextTrait>(t);
    const runs::Estimate& gain = compared.gains[t];
    // The difference is never less than one part of it.
    const double whole = std::max(difference, gain.value);
    const auto share = [&](double mass) {
      return std::clamp(mass / whole, -1.0, 1.0);
    };
    double most = 0;
    for (const int model : sides.from) {
      most +=
          draws.MostMass(model, trait) / static_cast<double>(sides.from.size());
    }
    const bool of_sentences =
        trait == TextTrait::kJoined || trait == TextTrait::kCase;
    const double least = LeastMass(compared, t, highest);
    const double luck = gain.value - gain.low;
    runs::Hypothesis hypothesis{
        .key = info.key,
        .words = info.words,
        .cause = info.cause,
        .explained = {share(gain.value), share(gain.low), share(gain.high)},
        .affected = std::clamp(gain.value / std::max(most, 1e-9), 0.0, 1.0),
        .affects = of_sentences ? "sentences" : "words",
        .floor = share(compared.floors[t]),
        .visible_from =
            std::clamp((least + luck) / std::max(most, 1e-9), 0.0, 1.0),
        .mass_a = compared.mass_a[t],
        .mass_b = compared.mass_b[t]};
    hypothesis.examples =
        trait == TextTrait::kTemplate
            ? std::vector(
                  compared.runs.begin(),
                  compared.runs.begin() + static_cast<std::ptrdiff_t>(std::min(
                                              kExamples, compared.runs.size())))
            : ExamplesOf(words, sides, t);
    // What no training does by itself is rare in a healthy text, and may be
    // small beside what else two trainings differ in; drawn often, it is more
    // than one user's.
    const bool never = info.never_by_chance;
    all.push_back(
        {.hypothesis = std::move(hypothesis),
         .entry = t,
         .never_by_chance = never,
         .gain_low = gain.low,
         .least_gain = least,
         .least_explained =
             never ? kMargins.lone_explained : kMargins.least_explained,
         .confirmed = models.lineup.floor_known() &&
                      (never ? Carriers(draws, models, t) >= kMargins.lone_draws
                             : separable)});
  }
  RankExplanations(all, kText);
  return all;
}

// ---- The answer.

// Whether the unknown words that b has more of stand at the beginning.
bool MostlyFirst(const runs::TextContrast& text) {
  if (text.unknown_by_position.empty()) return false;
  const runs::UnknownAt& first = text.unknown_by_position.front();
  double others = 0;
  for (std::size_t i = 1; i < text.unknown_by_position.size(); ++i) {
    const runs::UnknownAt& at = text.unknown_by_position[i];
    others += std::max(0.0, at.b - at.a);
  }
  return first.differs && first.b - first.a > kMostlyFirst * others &&
         first.b > first.a;
}

void Warn(const Models& models, runs::Contrast& contrast) {
  if (!models.lineup.floor_known()) {
    contrast.warnings.push_back(
        "Nothing shows how much two trainings on one side differ: there are no "
        "twins of both sides. All figures are estimates without a floor.");
  }
  for (const DrawnText& drawn : models.drawn) {
    if (!drawn.sentences.empty() && drawn.sentences.size() < 1000) {
      contrast.warnings.push_back(fmt::format(
          "{} drew {} sentences; 2,000 or more give clearer answers.",
          drawn.model, drawn.sentences.size()));
    }
  }
}

// A place in the sentence at which far more, or fewer, of one side's words are
// unknown: by twice what twins differ at any place, and four times what they do
// there. Word models see it long before character models can spell the words.
void DecideByPlace(runs::Contrast& contrast) {
  if (contrast.verdict == runs::Verdict::kDiffers) return;
  double highest = 0;
  for (const runs::UnknownAt& at : contrast.text->unknown_by_position) {
    highest = std::max(highest, at.floor);
  }
  for (const runs::UnknownAt& at : contrast.text->unknown_by_position) {
    const double gap = std::abs(at.b - at.a);
    const bool clear = gap > 2 * highest && gap > 4 * at.floor && gap > 0.02;
    if (!at.differs || !clear) continue;
    contrast.verdict = runs::Verdict::kDiffers;
    contrast.sentence = fmt::format(
        "Word {} of B's sentences is unknown in {:.1f} %, of A's in {:.1f} %; "
        "none of {} explanations fits what unknown words look like.",
        at.position, 100 * at.b, 100 * at.a, contrast.hypotheses.size());
    contrast.reason = fmt::format(
        "Two models of one population differ there by {:.1f} points, and at no "
        "place by more than {:.1f}. {}",
        100 * at.floor, 100 * highest, contrast.reason);
    return;
  }
}

}  // namespace

runs::Contrast CompareText(const CompareTextOptions& options) {
  const Models models = ModelsOf(options);
  const Lineup& lineup = models.lineup;
  const TextTraits traits(*options.vocabulary);
  const TextDraws draws(models.drawn, traits, options.seed);
  runs::Contrast contrast;
  contrast.floor_source = lineup.floor_source;
  contrast.margins = kMargins;
  runs::TextContrast& text = contrast.text.emplace();
  for (const DrawnText& drawn : models.drawn) {
    text.models.push_back(TextModelOf(drawn));
    contrast.health.push_back(TextHealthOf(drawn, options.vocabulary->size()));
  }
  Evidence evidence{.unusable = UnusableModels(contrast.health, kText),
                    .medium = kText};
  Warn(models, contrast);

  contrast.measures = TextMeasures(lineup, models.drawn, *options.vocabulary);
  text.unknown_by_position = UnknownByPosition(lineup, models.drawn);
  for (const runs::Measure& measure : contrast.measures) {
    if (measure.key != "unknown_share") continue;
    text.unknown_a = measure.a;
    text.unknown_b = measure.b;
    text.unknown_floor = measure.floor;
  }
  const Compared compared = Measure(draws, lineup, options.seed);
  evidence.difference = compared.excess;
  contrast.difference = compared.excess.value;
  contrast.difference_floor = compared.excess_floor;
  const Separation separation =
      MeasureTextSeparation(draws, models.drawn, lineup, options.seed);
  contrast.separation = separation.sides;
  contrast.separation_floor = separation.floor;

  TraitSet winning = 0;
  if (evidence.unusable.empty()) {
    std::vector<Explanation> ranked =
        Explain(draws, models, compared, separation.sides.low > 0.5);
    for (Explanation& each : ranked) {
      if (static_cast<TextTrait>(each.entry) == TextTrait::kJoined &&
          each.hypothesis.supported && MostlyFirst(text)) {
        each.hypothesis.words += " at the beginning of sentences";
      }
    }
    AddHypotheses(ranked, evidence, contrast);
    const Explanation& best = ranked.front();
    if (best.hypothesis.supported) {
      winning = TraitSet{1} << best.entry;
      evidence.finding = runs::FindingText(best.hypothesis);
    }
  }
  text.top_a = TopOf(options.top_a, traits, winning);
  text.top_b = TopOf(options.top_b, traits, winning);
  text.top_exact = options.top_exact;
  text.phrases_a = PhrasesOf(options.a);
  text.phrases_b = PhrasesOf(options.b);
  text.changed_words = ChangedWords(draws, lineup.sides);
  Decide(evidence, contrast);
  if (evidence.unusable.empty() && lineup.floor_known()) {
    DecideByPlace(contrast);
  }
  NameOutliers(contrast);
  return contrast;
}

}  // namespace sfumato::eval
