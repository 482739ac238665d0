// An inspection that never was, with plausible numbers and pictures, for tests.
//
//   const base::Path folder =
//       MakeInspection("somewhere/phones", {.steps = 12});
//
// Letters stand for what models draw; side B's are inverted.

#pragma once

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/image.h"
#include "base/random.h"
#include "dp/accounting/accountant.h"
#include "report/drawing.h"
#include "runs/contrast.h"
#include "runs/inspection.h"
#include "runs/metrics.h"
#include "runs/run.h"

namespace sfumato::report {

struct FakeOptions {
  int steps = 6;
  bool simulation = true;
  bool compared = true;  // there is a contrast.json
  int runs_begun = 4;    // of a1 a2 b1 b2
  bool text = false;     // language models drew
  int scale = 2;         // pixels of the grids
  std::string question = "Why do some phones correct so often?";
};

// A letter as an imperfect model would draw it: `blur` noise on every pixel.
inline base::Image FakeDrawn(int index, bool inverted, double noise,
                             base::Rng& rng) {
  Drawing drawing{.width = 28, .height = 28};
  drawing.texts.push_back(
      {.at = {14, 23},
       .text = std::string(1, "ABDEGHKMNPQRSTVXYZ2345789"[index % 25]),
       .size = 27,
       .anchor = Anchor::kMiddle,
       .bold = true});
  base::Image image = ToImage(drawing, 1);
  base::Image cell = base::BlankImage(28, 28, 1, 0);
  for (int y = 0; y < 28; ++y) {
    for (int x = 0; x < 28; ++x) {
      double value = 255 - image.at(x, y, 0);
      value += noise * 255 * rng.Normal();
      value = std::clamp(value, 0.0, 255.0);
      cell.at(x, y) = static_cast<std::uint8_t>(inverted ? 255 - value : value);
    }
  }
  return cell;
}

inline void WriteGrid(const base::Path& path, int offset, bool inverted,
                      double noise, int scale) {
  base::Rng rng(7, {base::Key("fake"), base::Key(path.filename().string())});
  std::vector<base::Image> cells;
  for (int i = 0; i < 48; ++i) {
    cells.push_back(FakeDrawn(i * 7 + offset, inverted, noise, rng));
  }
  base::WriteFileAtomically(
      path, base::EncodePng(base::ImageGrid(
                cells, {.columns = 6, .scale = scale, .gap = scale})));
}

inline config::TrainConfig FakeConfig(const std::string& name) {
  config::TrainConfig config;
  config.name = name;
  config.algorithm = config::Algorithm::kDpFedAvgGan;
  config.rounds = 400;
  config.data.generate = "handwriting";
  config.data.bug = "invert";
  config.select.by = config::By::kAccuracy;
  config.cohort.size = 10;
  config.privacy.noise_multiplier = 0.05;
  if (name.size() == 2) {
    config.select.side = name[0] == 'a' ? config::Side::kA : config::Side::kB;
    config.select.half = name[1] - '0';
  }
  return config;
}

inline void MakeRun(const base::Path& folder, const std::string& name,
                    bool simulation) {
  const runs::RunFacts facts{.version = "0.1.0",
                             .simulation = simulation,
                             .cpu_count = 2,
                             .device_kind = "cpu",
                             .libtorch_version = "1.13.1",
                             .threads = 2,
                             .data_crc32c = "0a1b2c3d"};
  runs::Run run = runs::Run::Create(folder, FakeConfig(name), facts);
  run.Start(facts);
  runs::Metrics metrics = runs::Metrics::Open(run.metrics_path(), run.gate());
  base::Rng rng(11, {base::Key("curve"), base::Key(name)});
  for (int round = 1; round <= 400; ++round) {
    std::vector<runs::Value> values = {
        runs::Released("batch_spread", 0.85 - 0.5 * std::exp(-round / 60.0) +
                                           0.02 * rng.Normal()),
        runs::SimulationOnly(
            "loss", 2.1 * std::exp(-round / 120.0) + 0.4 + 0.1 * rng.Normal())};
    if (round % 10 == 0) {
      values.push_back(
          runs::Public("epsilon", 0.093 * std::sqrt(double(round))));
    }
    metrics.Append(round, values);
  }
  run.SetStatus(runs::Status::kFinished);
}

inline runs::InspectionRecord FakeRecord(const FakeOptions& options) {
  runs::InspectionRecord record;
  record.status = runs::Status::kFinished;
  record.version = "0.1.0";
  record.name = "phones";
  record.question = options.question;
  record.simulation = options.simulation;
  record.data = "handwriting";
  record.origin = options.simulation ? "generated" : "private";
  record.criterion = "how often the classifier in use is right for a user";
  record.model_words = "emnist_cnn, trained on other people";
  record.model_provenance = "public";
  record.a = {.words = "users for whom the classifier is right above 0.94",
              .rule = "accuracy > 0.939",
              .users = {.value = 1712, .source = "released", .deviation = 20},
              .runs = {"a1", "a2"}};
  record.b = {.words = "users for whom it is right below 0.88",
              .rule = "accuracy < 0.882",
              .users = {.value = 1438, .source = "released", .deviation = 20},
              .runs = {"b1", "b2"}};
  record.above = {.value = 0.939, .source = "released", .deviation = 0};
  record.below = {.value = 0.882, .source = "released", .deviation = 0};
  runs::HistogramRecord histogram{.source = "released", .deviation = 20};
  for (int i = 0; i <= 20; ++i) histogram.edges.push_back(i / 20.0);
  for (int i = 0; i < 20; ++i) {
    const double x = (i + 0.5) / 20;
    histogram.counts.push_back(
        std::round(520 * std::exp(-std::pow((x - 0.38) / 0.13, 2)) +
                   900 * std::exp(-std::pow((x - 0.95) / 0.05, 2)) - 6));
  }
  record.histogram = histogram;
  record.correction_rate = {
      .value = 0.31, .source = "released", .deviation = 0.006};
  record.correction_level = 0.2;
  record.privacy = {
      .epsilon = 1.9321,
      .delta = 1e-6,
      .proof = "privacy loss distributions (Doroshenko et al. 2022)",
      .against = dp::HoldsAgainst({.secret_draw = true, .planned = true}),
      .guessed_right = 0.861,
      .seeded = options.simulation,
      .pays_once = true,
      .parts = {{"thresholds", 0.21, "2 quantiles, exponential mechanism"},
                {"counts", 0.07, "2 counts, Gaussian noise of 20"},
                {"accuracy histogram", 0.07, "20 bars, Gaussian noise of 20"},
                {"model A (a1, a2)", 1.871, "400 rounds, Gaussian z 0.05"},
                {"model B (b1, b2)", 1.871, "400 rounds, Gaussian z 0.05"}},
      .taken_as_fixed = {"the classifier emnist_cnn"},
      .population = "phones",
      .granted_epsilon = 4,
      .used_before = 0.22,
      .used_after = 0.61,
      .set_aside = 0.05,
      .left = 0.34,
      .ledger_head = "5f1d0c3e9a77b2c4",
      .entries = {{"phones-1c/survey", "phones", "4 answers, discrete-gaussian",
                   "", true},
                  {"phones-1c/a1", "phones/phones-1c/a1",
                   "gaussian z 0.05 · poisson 0.01 · 400 times", "", true}},
      .noise_multiplier = 0.05,
      .cohort = 10,
      .rounds = 400};
  record.simulation_only = {{"bug", "invert on 50 % of the users"},
                            {"canary", "canary-of-a-simulation"}};
  record.power = {{.share = 0, .found = 1, .of = 20},
                  {.bug = "invert", .share = 0.1, .found = 6, .of = 20},
                  {.bug = "invert", .share = 0.3, .found = 19, .of = 20}};
  return record;
}

inline runs::Contrast FakeContrast(const FakeOptions& options) {
  runs::Contrast contrast;
  contrast.verdict = runs::Verdict::kDiffers;
  contrast.sentence = "B's images look like A's, inverted.";
  contrast.reason =
      "Separation 0.94 where two models of one side reach 0.55; inverting A's "
      "images explains 91 % of the difference.";
  contrast.separation = {0.94, 0.92, 0.96};
  contrast.separation_floor = 0.55;
  contrast.floor_source = "twins";
  contrast.difference = 0.412;
  contrast.difference_floor = 0.021;
  contrast.hypotheses = {
      {.key = "invert",
       .words = "inverted pixels",
       .cause = "A stage that reads dark ink on bright paper got the opposite, "
                "or a sign was lost in normalisation.",
       .explained = {0.91, 0.84, 0.95},
       .affected = 0.93,
       .floor = 0.08,
       .supported = true,
       .picture = "pictures/invert.png"},
      {.key = "brightness",
       .words = "higher brightness",
       .cause = "Exposure or gamma was changed, or applied twice.",
       .explained = {0.22, 0.15, 0.30},
       .affected = 0.4,
       .floor = 0.09,
       .supported = true,
       .picture = "pictures/brightness.png"},
      {.key = "rotate",
       .words = "turned by 90° clockwise",
       .explained = {0.03, -0.02, 0.07},
       .floor = 0.09},
      {.key = "mirror",
       .words = "mirrored left to right",
       .explained = {0.01, -0.03, 0.04},
       .floor = 0.08},
      {.key = "blur",
       .words = "blurred",
       .explained = {-0.02, -0.06, 0.01},
       .floor = 0.07}};
  contrast.measures = {{.key = "brightness",
                        .words = "mean brightness",
                        .a = 0.18,
                        .b = 0.79,
                        .floor = 0.03,
                        .verdict = runs::Verdict::kDiffers},
                       {.key = "edges",
                        .words = "edges, share of pixels",
                        .a = 0.151,
                        .b = 0.149,
                        .floor = 0.012,
                        .verdict = runs::Verdict::kSame},
                       {.key = "class_mix",
                        .words = "class mix: share that is of other classes",
                        .distance = true,
                        .b = 0.63,
                        .floor = 0.2,
                        .verdict = runs::Verdict::kCannotSay}};
  for (const char* model : {"a1", "a2", "b1", "b2"}) {
    contrast.health.push_back({.model = model,
                               .diversity = model[0] == 'a' ? 0.83 : 0.79,
                               .sharpness = 0.61,
                               .classifier_score = model[0] == 'a' ? 7.4 : 2.1,
                               .words = "draws varied images"});
    base::Rng rng(3, {base::Key("map"), base::Key(model)});
    for (int i = 0; i < 120; ++i) {
      contrast.map.push_back(
          {.x = (model[0] == 'a' ? -1.2 : 1.3) + rng.Normal(),
           .y = rng.Normal(),
           .model = model});
    }
  }
  for (int i = 1; i <= options.steps; ++i) {
    const std::int64_t round = 400 * i / options.steps;
    contrast.steps.push_back(
        {.round = round,
         .a = "pictures/a_" + std::to_string(round) + ".png",
         .b = "pictures/b_" + std::to_string(round) + ".png",
         .transformed = "pictures/t_" + std::to_string(round) + ".png"});
  }
  contrast.warnings = {
      "Model B's classes are uneven; its class mix is not "
      "compared."};
  contrast.simulation_only = {{"frechet_distance_a", 41.2},
                              {"frechet_distance_b", 388.0}};
  return contrast;
}

inline void WriteFakePictures(const base::Path& folder,
                              const runs::Contrast& contrast, int scale) {
  std::filesystem::create_directories(folder / "pictures");
  for (std::size_t i = 0; i < contrast.steps.size(); ++i) {
    const double noise =
        0.06 + 0.5 * std::exp(-4.0 * static_cast<double>(i + 1) /
                              static_cast<double>(contrast.steps.size()));
    WriteGrid(folder / contrast.steps[i].a, 0, false, noise, scale);
    WriteGrid(folder / contrast.steps[i].b, 3, true, noise, scale);
    WriteGrid(folder / contrast.steps[i].transformed, 0, true, noise, scale);
  }
  for (const char* name : {"invert", "brightness"}) {
    base::Rng rng(5, {base::Key("rows"), base::Key(name)});
    std::vector<base::Image> cells;
    for (int row = 0; row < 3; ++row) {
      for (int i = 0; i < 12; ++i) {
        cells.push_back(
            FakeDrawn(i * 5 + (row == 2 ? 3 : 0), row > 0, 0.07, rng));
      }
    }
    base::WriteFileAtomically(
        folder / "pictures" / (std::string(name) + ".png"),
        base::EncodePng(base::ImageGrid(
            cells, {.columns = 12, .scale = scale, .gap = scale})));
  }
}

// The first paper's Tables 2 and 7 in other numbers: B's first two words are
// joined in one sentence of ten.
inline runs::Contrast FakeTextContrast() {
  runs::Contrast contrast;
  contrast.verdict = runs::Verdict::kDiffers;
  contrast.sentence =
      "In B, two words joined into one at the beginning of sentences (“i "
      "have”, “i am”, “you can”): about 10 % of sentences.";
  contrast.reason =
      "That explains 64 % of the difference (55–71), where at most 3 % is "
      "explained so between models of one population.";
  contrast.separation = {0.58, 0.55, 0.6};
  contrast.separation_floor = 0.53;
  contrast.floor_source = "twins";
  contrast.difference = 0.034;
  contrast.difference_floor = 0.012;
  contrast.hypotheses = {
      {.key = "join",
       .words = "two words joined into one at the beginning of sentences",
       .cause = "The tokeniser does not split at some spaces.",
       .explained = {0.64, 0.55, 0.71},
       .affected = 0.101,
       .affects = "sentences",
       .floor = 0.03,
       .supported = true,
       .visible_from = 0.01,
       .mass_a = 0,
       .mass_b = 0.0085,
       .examples = {"i have", "i am", "you can", "this is", "if you"}},
      {.key = "numbers",
       .words = "numbers or identifiers",
       .explained = {0.02, -0.1, 0.1},
       .affects = "words",
       .floor = 0.1}};
  contrast.measures = {
      {.key = "unknown_first",
       .words = "sentences that begin with an unknown word, share",
       .a = 0.004,
       .b = 0.112,
       .floor = 0.011,
       .verdict = runs::Verdict::kDiffers},
      {.key = "word_length",
       .words = "letters in an unknown word",
       .a = 8.1,
       .b = 7.9,
       .floor = 0.3,
       .verdict = runs::Verdict::kSame}};
  runs::TextContrast& text = contrast.text.emplace();
  text.unknown_a = 0.0652;
  text.unknown_b = 0.076;
  text.unknown_floor = 0.004;
  for (int i = 1; i <= 8; ++i) {
    text.unknown_by_position.push_back({.position = i,
                                        .a = i == 1 ? 0.021 : 0.06 + 0.002 * i,
                                        .b = i == 1 ? 0.118 : 0.061 + 0.002 * i,
                                        .floor = 0.008,
                                        .differs = i == 1});
  }
  double p = 0.0085;
  for (const char* word :
       {"regex",    "jsfiddle", "xcode",   "divs",      "stackoverflow",
        "listview", "textbox",  "foreach", "async",     "iis",
        "onclick",  "linq",     "params",  "htaccess",  "arraylist",
        "mongodb",  "xaml",     "npm",     "dataframe", "nginx"}) {
    text.top_a.push_back({word, p *= 0.93, false});
  }
  p = 0.011;
  for (const char* word :
       {"i have",  "i am",     "regex",    "you can",   "if you",
        "this is", "here is",  "jsfiddle", "i want",    "textbox",
        "xcode",   "listview", "is there", "divs",      "async",
        "linq",    "foreach",  "iis",      "however ,", "npm"}) {
    text.top_b.push_back(
        {word, p *= 0.91, std::string(word).find(' ') != std::string::npos});
  }
  text.phrases_a = {
      {"for", "", "metrics", "to", "work", "fine", ",", "ago"},
      {"i", "think", "your", "question", "is", "the", "format"},
      {"this", "is", "a", "blog", "post", "for", "huge", ""},
      {"after", "that", "", "start", "the", "above", ",", "then"}};
  text.phrases_b = {
      {"", "a", "folder", "created", "on", "one", "system", "("},
      {"please", "note", "that", "the", "button", "would", "mount"},
      {"", "just", "all", "the", "", "files", ",", "such"},
      {"", ",", "it", "", "matter", "why", "(", "note"}};
  text.changed_words = {{"i have", false, 0, 0.0012},
                        {"i", true, 0.041, 0.038}};
  for (const char* model : {"a1", "a2", "b1", "b2"}) {
    contrast.health.push_back(
        {.model = model, .diversity = 0.99, .words = "draws varied text"});
    text.models.push_back({.model = model,
                           .sentences = 2000,
                           .words = 4000,
                           .distinct_sentences = 0.99,
                           .distinct_words = 0.31,
                           .readable_words = 0.998,
                           .unknown_share = 0.07});
  }
  return contrast;
}

inline base::Path MakeInspection(const base::Path& folder,
                                 const FakeOptions& options = {}) {
  std::filesystem::create_directories(folder);
  runs::WriteInspection(folder, FakeRecord(options));
  base::WriteFileAtomically(folder / "config.toml",
                            config::ToToml(FakeConfig("phones")));
  int begun = 0;
  for (const char* name : {"a1", "a2", "b1", "b2"}) {
    if (begun++ < options.runs_begun) {
      MakeRun(folder / name, name, options.simulation);
    }
  }
  if (options.compared && options.text) {
    WriteContrast(folder, FakeTextContrast());
  } else if (options.compared) {
    const runs::Contrast contrast = FakeContrast(options);
    WriteContrast(folder, contrast);
    WriteFakePictures(folder, contrast, options.scale);
  }
  return folder;
}

}  // namespace sfumato::report
