#include "config/config_fields.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/suggest.h"
#include "config/presets.h"
#include "fmt/format.h"

namespace sfumato::config {
namespace {

Range AtLeast(double low) { return {.low = low}; }
Range Above(double low) { return {.low = low, .open_low = true}; }
// As `sfumato data make` has it.
constexpr double kMostPeople = 10'000'000;

Range Between(double low, double high) { return {.low = low, .high = high}; }
Range FromToBelow(double low, double high) {
  return {.low = low, .high = high, .open_high = true};
}
Range AboveTo(double low, double high) {
  return {.low = low, .high = high, .open_low = true};
}
Range AboveToBelow(double low, double high) {
  return {.low = low, .high = high, .open_low = true, .open_high = true};
}

template <typename Value>
Slot SlotOf(Value& value) {
  if constexpr (std::is_enum_v<Value>) {
    return Choice{
        .words = AllWords<Value>(),
        .get = [&value] { return static_cast<std::size_t>(value); },
        .set = [&value](std::size_t i) { value = static_cast<Value>(i); }};
  } else {
    return &value;
  }
}

template <typename Value>
Rule UsualRule() {
  if constexpr (std::is_enum_v<Value>) return OneOf{AllWords<Value>()};
  return {};
}

// One line of a section's table.
template <typename Struct>
struct Row {
  template <typename Value>
  Row(const char* row_key, Value Struct::* member, const char* row_comment,
      Rule row_rule = UsualRule<Value>())
      : key(row_key),
        slot([member](Struct& part) { return SlotOf(part.*member); }),
        comment(row_comment),
        rule(std::move(row_rule)) {}

  std::string key;
  std::function<Slot(Struct&)> slot;
  std::string comment;
  Rule rule;
};

template <typename Struct, typename Get>
void Add(std::vector<Field>& fields, const std::string& section, Get get,
         std::vector<Row<Struct>> rows) {
  for (Row<Struct>& row : rows) {
    fields.push_back(
        {section, row.key, row.comment, row.rule,
         [get, slot = row.slot](TrainConfig& c) { return slot(get(c)); }});
  }
}

template <typename Struct>
void Section(std::vector<Field>& fields, const std::string& name,
             Struct TrainConfig::* part, std::vector<Row<Struct>> rows) {
  Add(
      fields, name,
      [part](TrainConfig& config) -> Struct& { return config.*part; },
      std::move(rows));
}

// Names of checkpoints have room for six digits.
constexpr double kMostRounds = 999'999;

std::vector<Field> MakeFields() {
  std::vector<Field> f;
  Add<TrainConfig>(
      f, "", [](TrainConfig& config) -> TrainConfig& { return config; },
      {{"name", &TrainConfig::name, "for people; part of the run's folder"},
       {"preset", &TrainConfig::preset,
        "values to begin with, which the file then changes: gan_paper, gan, "
        "gan_quick, word_lm_paper, char_lm_paper, word_lm_quick, "
        "char_lm_quick",
        OneOf{PresetNames()}},
       {"algorithm", &TrainConfig::algorithm,
        "dp_fedavg and dp_fedavg_gan, or fedavg without any privacy"},
       {"rounds", &TrainConfig::rounds, "how many", Between(1, kMostRounds)},
       {"seed", &TrainConfig::seed,
        "of everything random in a simulation; never of noise that protects",
        AtLeast(0)}});
  Section<DataConfig>(
      f, "data", &TrainConfig::data,
      {{"path", &DataConfig::path,
        "a dataset's folder (relative: to where the program is started), or",
        Input::kDataset},
       {"generate", &DataConfig::generate,
        "generated people: handwriting, forum",
        OneOf{{"", "handwriting", "forum"}}},
       {"users", &DataConfig::users, "of a generated set",
        Between(1, kMostPeople)},
       {"examples", &DataConfig::examples, "of a generated user, on average",
        Between(1, 100'000)},
       {"seed", &DataConfig::seed, "of a generated set", AtLeast(0)},
       {"test_path", &DataConfig::test_path,
        "examples that are evaluated on and never trained, or",
        Input::kDataset},
       {"test_share", &DataConfig::test_share,
        "this share of the users is kept for that", FromToBelow(0, 1)},
       {"public_path", &DataConfig::public_path,
        "a public set: then two classes are trained, public examples or the "
        "users' own (the discriminator of select.by = \"unlike_public\")",
        Input::kDataset},
       {"before_path", &DataConfig::before_path,
        "select.by = \"before_after\": the same users before; without it, the "
        "data without the bug",
        Input::kDataset},
       {"bug", &DataConfig::bug,
        "simulations: a broken stage of `data bug`, on"},
       {"bug_share", &DataConfig::bug_share, "so many of the", Between(0, 1)},
       {"bug_of", &DataConfig::bug_of, "users, or examples"},
       {"bug_seed", &DataConfig::bug_seed, "chooses who", AtLeast(0)}});
  Section<ModelConfig>(f, "model", &TrainConfig::model,
                       {{"name", &ModelConfig::name, "what is trained"}});
  Section<LstmConfig>(
      f, "lstm", &TrainConfig::lstm,
      {{"embedding", &LstmConfig::embedding,
        "numbers that a symbol becomes; of the models word_lm and char_lm",
        Between(1, 4096)},
       {"hidden", &LstmConfig::hidden, "cells of a layer", Between(1, 8192)},
       {"layers", &LstmConfig::layers, "one above the other", Between(1, 16)},
       {"projection", &LstmConfig::projection, "numbers that a layer says",
        Between(1, 4096)},
       {"tied", &LstmConfig::tied,
        "symbols are guessed by their embeddings; then projection is "
        "embedding"}});
  Section<TextConfig>(
      f, "text", &TrainConfig::text,
      {{"vocabulary", &TextConfig::vocabulary,
        "a file of words that a model knows, a word a line, public or chosen "
        "privately (sfumato data vocabulary); empty: of generated or public "
        "data",
        Input::kVocabulary},
       {"vocabulary_is", &TextConfig::vocabulary_is,
        "public: that file never saw these users' words; released: chosen from "
        "them by `data vocabulary`, and its cost is part of an inspection's",
        OneOf{{"", "public", "released"}}},
       {"vocabulary_size", &TextConfig::vocabulary_size,
        "the most frequent ones, so many", Between(1, 1000000)},
       {"longest_sentence", &TextConfig::longest_sentence,
        "words of a sentence; the rest is cut off", Between(1, 1000)},
       {"longest_word", &TextConfig::longest_word,
        "bytes of a word that char_lm reads", Between(1, 1000)},
       {"sample_every", &TextConfig::sample_every,
        "rounds from one set of drawn text to the next; 0: a tenth of all",
        AtLeast(0)},
       {"sample_count", &TextConfig::sample_count,
        "sentences or words of such a set", Between(1, 100000)}});
  Section<CanaryConfig>(
      f, "canary", &TrainConfig::canary,
      {{"users", &CanaryConfig::users,
        "simulations of word_lm: so many users get a sentence of random words, "
        "each one of their own (sfumato eval --exposure); 0: nobody",
        AtLeast(0)},
       {"repeats", &CanaryConfig::repeats,
        "how often it stands among the user's sentences", Between(1, 100000)},
       {"words", &CanaryConfig::words,
        "of such a sentence, drawn from the vocabulary", Between(1, 1000)}});
  Section<GanConfig>(
      f, "gan", &TrainConfig::gan,
      {{"latent", &GanConfig::latent,
        "normal numbers that an image is drawn from", Between(1, 65536)},
       {"conditional", &GanConfig::conditional,
        "draw images of a class that is asked for"},
       {"penalty", &GanConfig::penalty, "lambda of WGAN-GP", AtLeast(0)},
       {"l2", &GanConfig::l2, "times the sum of squared weights", AtLeast(0)},
       {"every", &GanConfig::every,
        "rounds of the critic to one of the generator", AtLeast(1)},
       {"generator_steps", &GanConfig::generator_steps, "then", AtLeast(1)},
       {"generator_batch", &GanConfig::generator_batch, "images a step",
        Between(2, 65536)},
       {"generator_optimizer", &GanConfig::generator_optimizer, "sgd, adam"},
       {"generator_learning_rate", &GanConfig::generator_learning_rate,
        "of that", Above(0)},
       {"generator_beta1", &GanConfig::generator_beta1, "adam",
        FromToBelow(0, 1)},
       {"generator_beta2", &GanConfig::generator_beta2, "adam",
        FromToBelow(0, 1)},
       {"ema", &GanConfig::ema,
        "draw by an average of generators that forgets at this rate a step; "
        "0: by the last",
        FromToBelow(0, 1)},
       {"sample_every", &GanConfig::sample_every,
        "rounds from one set of drawn images to the next; 0: a tenth of all",
        AtLeast(0)},
       {"sample_count", &GanConfig::sample_count, "images of such a set",
        Between(1, 100000)}});
  Section<SelectConfig>(
      f, "select", &TrainConfig::select,
      {{"by", &SelectConfig::by,
        "whose data: everyone; or by accuracy of the user, examples that are "
        "judged right or wrong, class, column, unlike_public; of text by "
        "perplexity of the user, likelihood of the sentence; before_after: "
        "everyone in two states"},
       {"side", &SelectConfig::side,
        "a: the healthy side; b: the one in question"},
       {"half", &SelectConfig::half, "1, 2: only half of the users; 0: all",
        Between(0, 2)},
       {"model", &SelectConfig::model, "a run's folder: the model that judges",
        Input::kRun},
       {"model_is", &SelectConfig::model_is,
        "where it came from: public, released (its cost is in the ledger), "
        "fixed (declared: its own leakage is not counted)"},
       {"above", &SelectConfig::above,
        "side a: accuracy (or score) above; side b: perplexity above",
        AtLeast(0)},
       {"below", &SelectConfig::below,
        "side b: accuracy (or score) below; side a: perplexity below",
        AtLeast(0)},
       {"above_quantile", &SelectConfig::above_quantile,
        "or above this private quantile of the users; by accuracy and "
        "perplexity 0.75 where no threshold is given",
        FromToBelow(0, 1)},
       {"below_quantile", &SelectConfig::below_quantile,
        "or below that; 0.25 where no threshold is given", FromToBelow(0, 1)},
       {"least_examples", &SelectConfig::least_examples,
        "by examples, unlike_public, likelihood: of users who have so many of "
        "them",
        AtLeast(1)},
       {"column", &SelectConfig::column, "by column: its name"},
       {"value", &SelectConfig::value,
        "by class or column: side b has it, side a has not"},
       {"users_a", &SelectConfig::users_a,
        "about how many users side a has; in a simulation 0: as many as it has",
        AtLeast(0)},
       {"users_b", &SelectConfig::users_b, "and side b", AtLeast(0)}});
  Section<SurveyConfig>(
      f, "survey", &TrainConfig::survey,
      {{"quantile_epsilon", &SurveyConfig::quantile_epsilon,
        "price of each private quantile", Above(0)},
       {"count_noise", &SurveyConfig::count_noise,
        "deviation of the noise on the size of each side; 0: not asked",
        AtLeast(0)},
       {"histogram_noise", &SurveyConfig::histogram_noise,
        "deviation on each bar of the users' accuracy, or of their share of "
        "unknown words (before_after); 0: not asked",
        AtLeast(0)},
       {"correction_noise", &SurveyConfig::correction_noise,
        "deviation on the number of users who correct often; 0: not asked",
        AtLeast(0)},
       {"correction_level", &SurveyConfig::correction_level,
        "often: of their examples this share or more", AboveToBelow(0, 1)}});
  Section<PrimaryConfig>(
      f, "primary", &TrainConfig::primary,
      {{"name", &PrimaryConfig::name,
        "the classifier in use, where select.model names none and people are "
        "generated"},
       {"users", &PrimaryConfig::users,
        "other generated people that it is trained on",
        Between(1, kMostPeople)},
       {"epochs", &PrimaryConfig::epochs, "over their examples", AtLeast(1)},
       {"batch_size", &PrimaryConfig::batch_size, "examples a step",
        AtLeast(1)},
       {"learning_rate", &PrimaryConfig::learning_rate, "of Adam", Above(0)}});
  Section<InspectConfig>(
      f, "inspect", &TrainConfig::inspect,
      {{"question", &InspectConfig::question,
        "for people; empty: made from the criterion"},
       {"twins", &InspectConfig::twins,
        "2: two models of each side, on halves of its users; what the two "
        "differ in is the noise floor. 1: one, and a floor that is estimated",
        Between(1, 2)},
       {"samples", &InspectConfig::samples, "drawn from each model",
        Between(50, 100000)},
       {"character_preset", &InspectConfig::character_preset,
        "text: the preset by which unknown words are modelled; empty: not at "
        "all",
        OneOf{{"", "char_lm_paper", "char_lm_quick"}}},
       {"character_rounds", &InspectConfig::character_rounds,
        "of those models; 0: as the preset says", Between(0, kMostRounds)}});
  Section<CohortConfig>(
      f, "cohort", &TrainConfig::cohort,
      {{"sampling", &CohortConfig::sampling,
        "poisson (a private coin for each user), fixed, everyone"},
       {"size", &CohortConfig::size,
        "expected users a round; sums are divided by it (of everyone, by the "
        "population)",
        Above(0)},
       {"population", &CohortConfig::population,
        "users that the rate refers to; 0: those of the data", AtLeast(0)},
       {"weights", &CohortConfig::weights,
        "uniform, or by a user's examples up to weight_cap"},
       {"weight_cap", &CohortConfig::weight_cap,
        "examples beyond this add no weight", Above(0)},
       {"expected_weight", &CohortConfig::expected_weight,
        "mean of min(examples, cap) / cap; divides too", AboveTo(0, 1)}});
  Section<LocalConfig>(
      f, "local", &TrainConfig::local,
      {{"epochs", &LocalConfig::epochs, "over a user's examples", AtLeast(1)},
       {"max_steps", &LocalConfig::max_steps, "0: as many as the epochs take",
        AtLeast(0)},
       {"batch_size", &LocalConfig::batch_size,
        "examples a step; the last batch may be smaller", AtLeast(1)},
       {"learning_rate", &LocalConfig::learning_rate, "of the user's SGD",
        Above(0)},
       {"momentum", &LocalConfig::momentum, "of the user's SGD",
        FromToBelow(0, 1)}});
  Section<ServerConfig>(
      f, "server", &TrainConfig::server,
      {{"optimizer", &ServerConfig::optimizer,
        "what moves the model by the released mean: sgd, momentum, nesterov, "
        "adam, yogi"},
       {"learning_rate", &ServerConfig::learning_rate, "of that", Above(0)},
       {"momentum", &ServerConfig::momentum,
        "of momentum and nesterov; beta1 of adam and yogi", FromToBelow(0, 1)},
       {"beta2", &ServerConfig::beta2, "of adam and yogi", FromToBelow(0, 1)},
       {"epsilon", &ServerConfig::epsilon,
        "of adam and yogi; nothing to do with privacy", Above(0)}});
  Section<PrivacyConfig>(
      f, "privacy", &TrainConfig::privacy,
      {{"noise_multiplier", &PrivacyConfig::noise_multiplier,
        "z: deviation of the noise on the sum, over the clip norm; 0: found "
        "from epsilon",
        AtLeast(0)},
       {"epsilon", &PrivacyConfig::epsilon,
        "the budget; 0: none, the noise alone decides", AtLeast(0)},
       {"delta", &PrivacyConfig::delta,
        "0: of private data the ledger's, else 1 / population^1.1, at most "
        "1e-3",
        FromToBelow(0, 1)},
       {"clipping", &PrivacyConfig::clipping,
        "of every update's norm: fixed, or adaptive to a private quantile"},
       {"clip_norm", &PrivacyConfig::clip_norm,
        "S; where adaptive clipping starts", Above(0)},
       {"target_quantile", &PrivacyConfig::target_quantile,
        "of the updates' norms; adaptive clipping", AboveToBelow(0, 1)},
       {"clip_learning_rate", &PrivacyConfig::clip_learning_rate,
        "adaptive clipping", Above(0)},
       {"spare_rounds", &PrivacyConfig::spare_rounds,
        "private data: paid in advance, for rounds that a crash repeats",
        AtLeast(0)},
       {"population", &PrivacyConfig::population,
        "its name in the ledger; empty: the data's name"},
       {"ledger", &PrivacyConfig::ledger,
        "empty: beside the data; of a simulation: in the run",
        Input::kLedger}});
  Section<EvaluationConfig>(
      f, "evaluation", &TrainConfig::evaluation,
      {{"every", &EvaluationConfig::every, "rounds; 0: only at the end",
        AtLeast(0)},
       {"users", &EvaluationConfig::users,
        "judge so many of the test users; 0: all", AtLeast(0)}});
  Section<CheckpointConfig>(
      f, "checkpoint", &TrainConfig::checkpoint,
      {{"every", &CheckpointConfig::every, "rounds", AtLeast(1)},
       {"keep_every", &CheckpointConfig::keep_every,
        "keep first, last and each so many-th round's; 0: only those",
        AtLeast(0)}});
  Section<DeviceConfig>(
      f, "device", &TrainConfig::device,
      {{"name", &DeviceConfig::name, "auto, cpu, cuda"},
       {"threads", &DeviceConfig::threads,
        "clients at a time on CPUs; 0: all cores", AtLeast(0)},
       {"lanes", &DeviceConfig::lanes,
        "clients at a time on a GPU; 0: by memory", AtLeast(0)},
       {"tf32", &DeviceConfig::tf32,
        "GPU matrix products with 10-bit mantissas"}});
  return f;
}

std::vector<std::string> KeysOf(std::string_view section) {
  std::vector<std::string> keys;
  for (const Field& field : Fields()) {
    if (field.section == section) keys.push_back(field.key);
  }
  return keys;
}

// The same key in other sections: "did you mean 'local.momentum' or …?"
std::string SameKeyElsewhere(std::string_view key) {
  std::string found;
  for (const Field& field : Fields()) {
    if (field.key != key) continue;
    found += fmt::format("{}'{}'", found.empty() ? "did you mean " : " or ",
                         field.FullKey());
  }
  return found.empty() ? found : found + "?";
}

std::string Joined(std::string_view section, std::string_view key) {
  return section.empty() ? std::string(key)
                         : fmt::format("{}.{}", section, key);
}

}  // namespace

bool Range::Holds(double value) const {
  return (open_low ? value > low : value >= low) &&
         (open_high ? value < high : value <= high);
}

std::string Range::Text() const {
  const std::string_view from = open_low ? "above" : "at least";
  if (std::isinf(high)) return fmt::format("{} {}", from, low);
  return fmt::format("{} {} {} {}", open_low ? "above" : "from", low,
                     open_high ? "to below" : "to", high);
}

std::string Field::FullKey() const { return Joined(section, key); }

const std::vector<Field>& Fields() {
  static const std::vector<Field> fields = MakeFields();
  return fields;
}

std::vector<const Field*> Inputs() {
  std::vector<const Field*> inputs;
  for (const Field& field : Fields()) {
    if (std::holds_alternative<Input>(field.rule)) inputs.push_back(&field);
  }
  return inputs;
}

const Field* FindField(std::string_view section, std::string_view key) {
  for (const Field& field : Fields()) {
    if (field.section == section && field.key == key) return &field;
  }
  return nullptr;
}

std::vector<std::string> Sections() {
  std::vector<std::string> names;
  for (const Field& field : Fields()) {
    if (field.section.empty()) continue;
    if (names.empty() || names.back() != field.section) {
      names.push_back(field.section);
    }
  }
  return names;
}

bool IsSection(std::string_view name) {
  return !name.empty() && !KeysOf(name).empty();
}

std::string SuggestKey(std::string_view section, std::string_view key) {
  const std::vector<std::string> here = KeysOf(section);
  const std::string nearest = base::Nearest(key, here);
  if (!nearest.empty()) {
    return fmt::format("did you mean '{}'?", Joined(section, nearest));
  }
  std::vector<std::string> all;
  for (const Field& field : Fields()) all.push_back(field.FullKey());
  const std::string full = Joined(section, key);
  if (!base::Nearest(full, all).empty()) return base::DidYouMean(full, all);
  const std::string elsewhere = SameKeyElsewhere(key);
  if (!elsewhere.empty()) return elsewhere;
  if (!section.empty() && here.empty()) return SuggestSection(section);
  return base::DidYouMean(key, here);  // near to none: all that there are
}

std::string SuggestSection(std::string_view name) {
  return base::DidYouMean(name, Sections());
}

}  // namespace sfumato::config
