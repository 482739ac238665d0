// What a training run is asked to do, as plain structs: one per section of a
// config, each field with its default and one line on what it does. A config
// file is TOML with the same names; the table in config_fields.cc is the only
// place that knows both.
//
//   TrainConfig config = ReadTrainConfig("train.toml", {"rounds=20"});
//   std::string effective = ToToml(config);  // commented, every key
//
// A config that was read keeps every rule of its own: all numbers finite and in
// range, all words known, one source of data, noise where privacy is promised.
// Paths in it are relative to the folder in which the program is started.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "config/words.h"

namespace sfumato::config {

struct DataConfig {
  std::string path = "";       // a dataset's folder, or …
  std::string generate = "";   // … generated people: handwriting, forum
  std::int64_t users = 500;    // of a generated set
  std::int64_t examples = 60;  // of a generated user, on average
  std::int64_t seed = 1;       // of a generated set
  std::string test_path = "";  // examples that are evaluated on, never trained
  double test_share = 0;       // or: this share of the users is kept for that
  std::string public_path = "";  // a public set: train public or own (T6)
  std::string before_path = "";  // the same users before (before_after); with a
                                 // bug and without this: as they are without it
  std::string bug = "";  // simulations: this broken stage (`data bug`) is on …
  double bug_share = 0.5;              // … so many of the …
  BugScope bug_of = BugScope::kUsers;  // … users, or examples
  std::int64_t bug_seed = 1;

  bool operator==(const DataConfig&) const = default;
};

struct ModelConfig {
  std::string name = "emnist_cnn";

  bool operator==(const ModelConfig&) const = default;
};

// A language model, where model.name is word_lm or char_lm.
struct LstmConfig {
  std::int64_t embedding = 96;
  std::int64_t hidden = 670;
  std::int64_t layers = 1;
  std::int64_t projection = 96;
  bool tied = true;  // words are guessed by their embeddings

  bool operator==(const LstmConfig&) const = default;
};

// How text becomes symbols.
struct TextConfig {
  std::string vocabulary = "";  // a file of words; a simulation may have none …
  Provenance vocabulary_is = {};         // public, released; private data
  std::int64_t vocabulary_size = 10000;  // … and takes the most frequent
  std::int64_t longest_sentence = 20;    // words; the rest is cut off
  std::int64_t longest_word = 24;        // bytes
  std::int64_t sample_every = 0;         // rounds; 0: a tenth of all
  std::int64_t sample_count = 200;       // sentences, or words

  bool operator==(const TextConfig&) const = default;
};

// Sentences that nobody wrote, put into some users' data of a simulation, to
// see what a model of words remembers of one user (models/canaries.h).
struct CanaryConfig {
  std::int64_t users = 0;     // so many users get one sentence each; 0: nobody
  std::int64_t repeats = 10;  // how often it stands among the user's sentences
  std::int64_t words = 5;     // of such a sentence, drawn from the vocabulary

  bool operator==(const CanaryConfig&) const = default;
};

// A generative adversarial network: model.name names its two networks.
struct GanConfig {
  std::int64_t latent = 128;  // normal numbers that an image is drawn from
  bool conditional = false;   // draws images of a class that is asked for
  double penalty = 10;        // lambda of WGAN-GP
  double l2 = 0;              // times the sum of squared weights, both networks
  std::int64_t every = 1;     // rounds of the critic to one of the generator
  std::int64_t generator_steps = 6;
  std::int64_t generator_batch = 32;
  GeneratorRule generator_optimizer = GeneratorRule::kAdam;
  double generator_learning_rate = 2e-4;
  double generator_beta1 = 0.5;  // adam
  double generator_beta2 = 0.9;
  double ema = 0;  // images are drawn by an average of generators; 0: the last
  std::int64_t sample_every = 0;  // rounds; 0: a tenth of all
  std::int64_t sample_count = 256;

  bool operator==(const GanConfig&) const = default;
};

// Whose data are trained on, by a criterion that each device checks for itself.
// Side a is the healthy one, side b the one in question.
struct SelectConfig {
  By by = By::kEveryone;
  Side side = Side::kA;      // which one `train` trains
  std::int64_t half = 0;     // 1, 2: only that half of the users; 0: all
  std::string model = "";    // a run's folder: the model that judges
  Provenance model_is = {};  // where it came from
  // Side a is above the one and side b below the other; of perplexity and
  // likelihood, where little is good, side a is below and side b above.
  // A threshold that is not given is a private quantile of the users: for
  // accuracy and perplexity a config that was read has one or the other.
  std::optional<double> above = {};
  std::optional<double> below = {};
  double above_quantile = 0;  // above this private quantile of the users
  double below_quantile = 0;
  std::int64_t least_examples = 5;  // examples: of users who have so many
  std::string column = "";          // column: its name
  std::string value = "";    // class, column: side b has it, side a has not
  std::int64_t users_a = 0;  // about how many there are; in a simulation 0:
  std::int64_t users_b = 0;  // as many as there are

  bool operator==(const SelectConfig&) const = default;
};

// Whether not everybody takes part.
bool Selects(const SelectConfig& config);
// Whether the criterion asks a classifier, a discriminator or a word model.
bool NeedsModel(By by);
// Whether it asks a word model; its thresholds are perplexities.
bool NeedsWordModel(By by);
// Whether it has thresholds.
bool HasThresholds(By by);
// Whether thresholds can be private quantiles of the users.
bool HasQuantiles(By by);
// The quantiles of thresholds that nobody gave: sides of a quarter each.
inline constexpr double kUsualAboveQuantile = 0.75;
inline constexpr double kUsualBelowQuantile = 0.25;
// Throws BadInput for thresholds that overlap: a user would be on both sides.
// Where a quantile is asked for, a survey will say.
void CheckThresholds(const SelectConfig& config);
// Whether nobody can be on both sides (rule 6 of docs/privacy_proofs.md): of a
// user's own accuracy or perplexity, whose thresholds do not overlap. Elsewhere
// a user's examples may be on both.
bool SidesShareNobody(By by);

// What is asked of all users before a pair is trained, each with noise and a
// price of its own; 0: not asked.
struct SurveyConfig {
  double quantile_epsilon = 0.1;  // of each private quantile
  double count_noise = 20;        // deviation on the size of each side
  double histogram_noise = 20;    // deviation on each bar of users' accuracy
  double correction_noise = 20;   // deviation on the users who correct often …
  double correction_level = 0.1;  // … of their examples this share, or more

  bool operator==(const SurveyConfig&) const = default;
};

// The classifier in use, where the config names none and people are generated:
// trained on other generated people, so it is public.
struct PrimaryConfig {
  std::string name = "emnist_cnn";
  std::int64_t users = 300;
  std::int64_t epochs = 3;
  std::int64_t batch_size = 32;
  double learning_rate = 1e-3;  // of Adam

  bool operator==(const PrimaryConfig&) const = default;
};

struct InspectConfig {
  std::string question = "";    // for people; empty: from the criterion
  std::int64_t twins = 2;       // models of each side, on halves; 1 or 2
  std::int64_t samples = 1000;  // drawn from each model
  // Text: unknown words are modelled as this preset says; empty: not at all.
  std::string character_preset = "";
  std::int64_t character_rounds = 0;  // 0: as that preset says

  bool operator==(const InspectConfig&) const = default;
};

struct CohortConfig {
  Sampling sampling = Sampling::kPoisson;
  double size = 10;  // expected users a round; what sums are divided by
  std::int64_t population =
      0;  // users the rate refers to; 0: those of the data
  Weights weights = Weights::kUniform;
  double weight_cap = 100;  // examples beyond this add no weight
  double expected_weight =
      0.5;  // mean of min(examples, cap) / cap; divides too

  bool operator==(const CohortConfig&) const = default;
};

struct LocalConfig {
  std::int64_t epochs = 1;
  std::int64_t max_steps = 0;  // 0: as many as the epochs take
  std::int64_t batch_size = 10;
  double learning_rate = 0.1;
  double momentum = 0;

  bool operator==(const LocalConfig&) const = default;
};

struct ServerConfig {
  ServerRule optimizer = ServerRule::kSgd;
  double learning_rate = 1;
  double momentum = 0.9;  // of momentum and nesterov; beta1 of adam and yogi
  double beta2 = 0.99;
  double epsilon = 1e-3;  // adam and yogi

  bool operator==(const ServerConfig&) const = default;
};

struct PrivacyConfig {
  double noise_multiplier = 0;  // z: noise on the sum over the clip norm …
  double epsilon = 0;  // … or: find z for this epsilon; also the budget
  double delta = 0;    // 0: 1 / population^1.1
  Clipping clipping = Clipping::kFixed;
  double clip_norm = 0.1;           // S; where adaptive clipping starts
  double target_quantile = 0.5;     // adaptive: of the updates' norms
  double clip_learning_rate = 0.2;  // adaptive
  // Private data: paid in advance, for rounds that a crash repeats.
  std::int64_t spare_rounds = 0;
  std::string population = "";  // name in the ledger; empty: the data's name
  std::string ledger =
      "";  // empty: beside the data; of a simulation: in the run

  bool operator==(const PrivacyConfig&) const = default;
};

struct EvaluationConfig {
  std::int64_t every = 10;  // rounds; 0: only at the end
  std::int64_t users = 0;   // judge so many of the test users; 0: all

  bool operator==(const EvaluationConfig&) const = default;
};

struct CheckpointConfig {
  std::int64_t every = 1;  // rounds
  std::int64_t keep_every =
      0;  // keep first, last and each so many-th; 0: only those

  bool operator==(const CheckpointConfig&) const = default;
};

struct DeviceConfig {
  DeviceKind name = DeviceKind::kAuto;
  std::int64_t threads = 0;  // clients at a time on CPUs; 0: all cores
  std::int64_t lanes = 0;    // clients at a time on a GPU; 0: by memory
  bool tf32 = true;          // GPU matrix products with 10-bit mantissas

  bool operator==(const DeviceConfig&) const = default;
};

struct TrainConfig {
  std::string name = "run";
  std::string preset = "";  // values that the file then changes
  Algorithm algorithm = Algorithm::kDpFedAvg;
  std::int64_t rounds = 100;
  std::int64_t seed = 1;
  DataConfig data = {};
  ModelConfig model = {};
  LstmConfig lstm = {};
  TextConfig text = {};
  CanaryConfig canary = {};
  GanConfig gan = {};
  SelectConfig select = {};
  SurveyConfig survey = {};
  PrimaryConfig primary = {};
  InspectConfig inspect = {};
  CohortConfig cohort = {};
  LocalConfig local = {};
  ServerConfig server = {};
  PrivacyConfig privacy = {};
  EvaluationConfig evaluation = {};
  CheckpointConfig checkpoint = {};
  DeviceConfig device = {};

  bool operator==(const TrainConfig&) const = default;
};

// Whether the model is one of language: of words (word_lm), or of the bytes of
// words that the vocabulary does not know (char_lm).
bool ModelsWords(const TrainConfig& config);
bool ModelsCharacters(const TrainConfig& config);
bool ModelsLanguage(const TrainConfig& config);

// Whether a mechanism stands between the users and the model.
bool Protects(Algorithm algorithm);
// Whether samples can be drawn from the trained model.
bool Draws(const TrainConfig& config);

// Reads a TOML file, then `sets` ("cohort.size=50") over it. The value of a set
// is TOML, or else the text as it stands (model.name=mlp). Throws BadInput
// naming file, line and key: an unknown key (with the nearest known one), a
// value of another type or out of its range, NaN, or TOML that is none.
TrainConfig ReadTrainConfig(const base::Path& path,
                            const std::vector<std::string>& sets = {});
TrainConfig ParseTrainConfig(std::string_view toml, const std::string& where,
                             const std::vector<std::string>& sets = {});

// Every key with its value and its comment; reading it gives the same config.
std::string ToToml(const TrainConfig& config);

// The keys whose values are not the defaults, without comments: equal for equal
// configs, also when a later program has more keys or other comments.
std::string ChangedKeys(const TrainConfig& config);

}  // namespace sfumato::config
