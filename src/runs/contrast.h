// What the models of two populations draw, side by side: the finding of an
// inspection, as plain data. eval/contrast.h fills it, report/ draws it, and
// contrast.json stores it.
//
// Everything here is computed from released models and public ones: it costs no
// privacy. What was computed from private records (a Fréchet distance to real
// data) is in `simulation_only`, and is filled in simulations only.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "nlohmann/json.hpp"
#include "runs/text_contrast.h"

namespace sfumato::runs {

enum class Verdict { kDiffers, kSame, kCannotSay };
std::string_view Name(Verdict verdict);  // "differs", "same", "cannot_say"

struct Estimate {
  double value = 0;
  double low = 0;  // of a 90 % interval
  double high = 0;
};

// One way in which side a's images would become side b's.
struct Hypothesis {
  std::string key = "";    // "rotate"
  std::string words = "";  // "turned by 90° clockwise"
  std::string cause = "";  // where this usually comes from
  // Share of the difference between a and b that goes away if the share
  // `affected` of a's images pass through it. 1: nothing is left. Two models of
  // one population differ too, so even the truth seldom explains all.
  Estimate explained = {};
  double affected = 0;  // best-fitting share of b's images that look like that
  std::string affects = "images";  // what that share is of: "sentences"
  // What it explains between two models of one population, as a share of the
  // same difference.
  double floor = 0;
  bool supported = false;  // clearly above the floor
  // The smallest share of b's images at which it would have been supported; 1:
  // not even on all.
  double visible_from = 1;
  std::string picture = "";  // PNG beside contrast.json: rows a, T(a), b
  // For text: the share of all words that show it, and some such words of b,
  // most frequent first.
  double mass_a = 0;
  double mass_b = 0;
  std::vector<std::string> examples = {};
};

// The answer for text: "In B, two words joined into one (“i have”, “i am”):
// about 8 % of sentences." Without examples it quotes nothing.
std::string FindingText(const Hypothesis& hypothesis);

// One number, measured on both sides.
struct Measure {
  std::string key = "";
  std::string words = "";
  bool distance = false;  // between the sides: in `b`; `a` is unused
  double a = 0;
  double b = 0;
  double floor = 0;  // |difference| between two models of one population
  Verdict verdict = Verdict::kCannotSay;
};

// One model's state.
struct Health {
  std::string model = "";  // "a1"
  // Mean distance between two images, divided by the mean distance of an image
  // from plain black or white.
  double diversity = 0;
  double sharpness = 0;
  double classifier_score = 0;  // 1 … classes; 0: no classifier
  bool collapsed = false;
  bool usable = true;      // its images can be compared
  std::string words = "";  // "draws varied images"; "draws one image"
};

// The grids of one step of the slider.
struct GridStep {
  std::int64_t round = 0;
  std::string a = "";  // PNG files beside contrast.json
  std::string b = "";
  std::string transformed = "";  // a after the winning hypothesis; may be empty
};

// The thresholds of the verdict (docs/diagnosis_rules.md), kept because the
// page quotes them.
struct Margins {
  double measure = 3;    // floors by which a measure differs
  double own = 2.5;      // floors that a hypothesis must gain, of its own …
  double highest = 1.5;  // … and of the highest of any;
  double lone = 4;       // its own alone, for what no training does
  double least_explained = 0.15;  // of the difference
  double least_of_best = 0.6;     // of what the best one explains
  // Text: what no training does needs to explain only `lone_explained`, if each
  // of b's models drew it at least `lone_draws` times.
  double lone_explained = 0.01;
  double lone_draws = 6;
};

// A drawn sample on the map of drawn samples.
struct MapPoint {
  double x = 0;
  double y = 0;
  std::string model = "";  // "a1"
};

struct Contrast {
  Verdict verdict = Verdict::kCannotSay;
  // False if a verification found nobody left on side B. Sentence and reason
  // say so, and no number below was computed.
  bool compared = true;
  std::string sentence = "";  // the answer: "B's images look inverted."
  std::string reason = "";    // of the verdict, in numbers
  // Separation: how often a test trained on one pair of models orders an image
  // of each side correctly on the other pair; 0.5 is a coin.
  Estimate separation = {};
  double separation_floor = 0.5;
  std::string floor_source = "";  // "twins", "checkpoints", "none"
  double difference = 0;          // energy distance of the two sides
  double difference_floor = 0;    // of two models of one population
  Margins margins = {};
  std::vector<Hypothesis> hypotheses = {};  // supported first, then by share
  std::vector<Measure> measures = {};       // most different first
  std::vector<Health> health = {};
  std::vector<GridStep> steps = {};
  std::vector<MapPoint> map = {};
  std::vector<std::string> warnings = {};
  std::optional<TextContrast> text = {};     // if language models drew
  nlohmann::json simulation_only = nullptr;  // {"frechet_distance_a": …}
};

nlohmann::json ToJson(const Contrast& contrast);
// Throws Corrupt when it is not a contrast.
Contrast ContrastFromJson(const nlohmann::json& json, const std::string& where);

// In an inspection's folder. Comparing again costs no privacy, so `sfumato
// resume` can replace a damaged one.
inline constexpr const char* kContrastFile = "contrast.json";
bool HasContrast(const base::Path& folder);
// Throws Corrupt, with how to replace it, or Unsupported for another format.
// REQUIRES: HasContrast.
Contrast ReadContrast(const base::Path& folder);
void WriteContrast(const base::Path& folder, const Contrast& contrast);

}  // namespace sfumato::runs
