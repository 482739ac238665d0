// What a training run is asked to do, as plain structs: one per section of a
// config, each field with its default. A config file is TOML with the same
// names. The table in config_fields.cc says what each key does; docs/config.md
// is made from it.
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
  std::string path = "";
  std::string generate = "";
  std::int64_t users = 500;
  std::int64_t examples = 60;
  std::int64_t seed = 1;
  std::string test_path = "";
  double test_share = 0;
  std::string public_path = "";
  std::string before_path = "";
  std::string bug = "";
  double bug_share = 0.5;
  BugScope bug_of = BugScope::kUsers;
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
  bool tied = true;

  bool operator==(const LstmConfig&) const = default;
};

// How text becomes symbols.
struct TextConfig {
  std::string vocabulary = "";
  Provenance vocabulary_is = {};
  std::int64_t vocabulary_size = 10000;
  std::int64_t longest_sentence = 20;
  std::int64_t longest_word = 24;
  std::int64_t sample_every = 0;
  std::int64_t sample_count = 200;

  bool operator==(const TextConfig&) const = default;
};

// Random sentences put into some users' data in a simulation, to see what a
// word model remembers of one user (models/canaries.h).
struct CanaryConfig {
  std::int64_t users = 0;
  std::int64_t repeats = 10;
  std::int64_t words = 5;

  bool operator==(const CanaryConfig&) const = default;
};

// A generative adversarial network: model.name names its two networks.
struct GanConfig {
  std::int64_t latent = 128;
  bool conditional = false;
  double penalty = 10;
  double l2 = 0;
  std::int64_t every = 1;
  std::int64_t generator_steps = 6;
  std::int64_t generator_batch = 32;
  GeneratorRule generator_optimizer = GeneratorRule::kAdam;
  double generator_learning_rate = 2e-4;
  double generator_beta1 = 0.5;
  double generator_beta2 = 0.9;
  double ema = 0;
  std::int64_t sample_every = 0;
  std::int64_t sample_count = 256;

  bool operator==(const GanConfig&) const = default;
};

// Whose data is trained on, by a criterion that each device checks for itself.
// Side a is the healthy one, side b the one in question.
struct SelectConfig {
  By by = By::kEveryone;
  Side side = Side::kA;
  std::int64_t half = 0;
  std::string model = "";
  Provenance model_is = {};
  // For accuracy and perplexity a config that was read has each threshold or
  // its quantile.
  std::optional<double> above = {};
  std::optional<double> below = {};
  double above_quantile = 0;
  double below_quantile = 0;
  std::int64_t least_examples = 5;
  std::string column = "";
  std::string value = "";
  std::string census = "";
  std::string answer = "none_of_these";
  std::int64_t users_a = 0;
  std::int64_t users_b = 0;

  bool operator==(const SelectConfig&) const = default;
};

// Whether only some users or examples take part.
bool Selects(const SelectConfig& config);
// Whether the criterion asks a classifier, a discriminator or a word model.
bool NeedsModel(By by);
// Whether it asks a word model; its thresholds are perplexities.
bool NeedsWordModel(By by);
// Whether it has thresholds.
bool HasThresholds(By by);
// Whether thresholds can be private quantiles of the users.
bool HasQuantiles(By by);
// The quantiles used if no threshold is given: each side has a quarter.
inline constexpr double kUsualAboveQuantile = 0.75;
inline constexpr double kUsualBelowQuantile = 0.25;
// Throws BadInput for thresholds that overlap: a user would be on both sides.
// Does not check quantiles, whose thresholds only the survey finds.
void CheckThresholds(const SelectConfig& config);
// Whether nobody can be on both sides (rule 6 of docs/privacy_proofs.md). True
// for a user's accuracy or perplexity, whose thresholds do not overlap, and for
// a user's vote; by any other criterion a user may have examples on both sides.
bool SidesShareNobody(By by);

// The questions to all users before the models are trained, each with its own
// noise and price.
struct SurveyConfig {
  double quantile_epsilon = 0.1;
  double count_noise = 20;
  double histogram_noise = 20;
  double correction_noise = 20;
  double correction_level = 0.1;

  bool operator==(const SurveyConfig&) const = default;
};

// The classifier in use if the config names none and people are generated. It
// is trained on other generated people, so it is public.
struct PrimaryConfig {
  std::string name = "emnist_cnn";
  std::int64_t users = 300;
  std::int64_t epochs = 3;
  std::int64_t batch_size = 32;
  double learning_rate = 1e-3;

  bool operator==(const PrimaryConfig&) const = default;
};

struct InspectConfig {
  std::string question = "";
  std::int64_t twins = 2;
  std::int64_t samples = 1000;
  std::string character_preset = "";
  std::int64_t character_rounds = 0;

  bool operator==(const InspectConfig&) const = default;
};

// A vote of all users on which damage their own examples have, or which classes
// (census/stages.h).
struct CensusConfig {
  About about = About::kDamage;
  std::string split = "";  // families, with commas between
  std::string reference = "";
  References reference_is = References::kAuto;
  double epsilon = 0.5;
  std::int64_t marks = 1;
  Adjacency adjacency = Adjacency::kAddRemove;
  Groups groups = Groups::kEverybody;
  std::int64_t least_examples = 8;
  std::int64_t most_examples = 50;
  std::int64_t classes = 0;
  double level = 0.01;
  double effort = 1;
  std::string voter = "";

  bool operator==(const CensusConfig&) const = default;
};
// Whether the references are generated people, by the name of their generator,
// and not a dataset.
bool GeneratesReference(const CensusConfig& config);

struct CohortConfig {
  Sampling sampling = Sampling::kPoisson;
  double size = 10;
  std::int64_t population = 0;
  Weights weights = Weights::kUniform;
  double weight_cap = 100;
  double expected_weight = 0.5;

  bool operator==(const CohortConfig&) const = default;
};

struct LocalConfig {
  std::int64_t epochs = 1;
  std::int64_t max_steps = 0;
  std::int64_t batch_size = 10;
  double learning_rate = 0.1;
  double momentum = 0;

  bool operator==(const LocalConfig&) const = default;
};

struct ServerConfig {
  ServerRule optimizer = ServerRule::kSgd;
  double learning_rate = 1;
  double momentum = 0.9;
  double beta2 = 0.99;
  double epsilon = 1e-3;

  bool operator==(const ServerConfig&) const = default;
};

struct PrivacyConfig {
  double noise_multiplier = 0;
  double epsilon = 0;
  double delta = 0;
  Clipping clipping = Clipping::kFixed;
  double clip_norm = 0.1;
  double target_quantile = 0.5;
  double clip_learning_rate = 0.2;
  std::int64_t spare_rounds = 0;
  std::string population = "";
  std::string ledger = "";

  bool operator==(const PrivacyConfig&) const = default;
};

struct EvaluationConfig {
  std::int64_t every = 10;
  std::int64_t users = 0;

  bool operator==(const EvaluationConfig&) const = default;
};

struct CheckpointConfig {
  std::int64_t every = 1;
  std::int64_t keep_every = 0;

  bool operator==(const CheckpointConfig&) const = default;
};

struct DeviceConfig {
  DeviceKind name = DeviceKind::kAuto;
  std::int64_t threads = 0;
  std::int64_t lanes = 0;
  bool tf32 = true;

  bool operator==(const DeviceConfig&) const = default;
};

struct TrainConfig {
  std::string name = "run";
  std::string preset = "";
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
  CensusConfig census = {};
  CohortConfig cohort = {};
  LocalConfig local = {};
  ServerConfig server = {};
  PrivacyConfig privacy = {};
  EvaluationConfig evaluation = {};
  CheckpointConfig checkpoint = {};
  DeviceConfig device = {};

  bool operator==(const TrainConfig&) const = default;
};

// Whether the model is a language model: of words (word_lm), or of the bytes of
// words outside the vocabulary (char_lm).
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
// value of another type or out of its range, NaN, or invalid TOML.
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
