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
      {{"name", &TrainConfig::name,
        "the run's name, for people; the run's folder is named after it"},
       {"preset", &TrainConfig::preset,
        "values to start from, which the file then changes",
        OneOf{PresetNames()}},
       {"algorithm", &TrainConfig::algorithm,
        "how to train: dp_fedavg (with privacy), dp_fedavg_gan (a generator, "
        "with privacy) or fedavg (without privacy)"},
       {"rounds", &TrainConfig::rounds, "number of training rounds",
        Between(1, kMostRounds)},
       {"seed", &TrainConfig::seed,
        "seed of everything random in a simulation; never used for noise that "
        "protects anybody",
        AtLeast(0)}});
  Section<DataConfig>(
      f, "data", &TrainConfig::data,
      {{"path", &DataConfig::path,
        "folder of the dataset, relative to where the program is started; give "
        "this or data.generate",
        Input::kDataset},
       {"generate", &DataConfig::generate,
        "generate people instead of reading data.path: handwriting (images) or "
        "forum (text)",
        OneOf{{"", "handwriting", "forum"}}},
       {"users", &DataConfig::users, "number of generated users",
        Between(1, kMostPeople)},
       {"examples", &DataConfig::examples,
        "mean number of examples per generated user", Between(1, 100'000)},
       {"seed", &DataConfig::seed, "seed of the generated users", AtLeast(0)},
       {"test_path", &DataConfig::test_path,
        "folder of a dataset that is only evaluated on, never trained on; give "
        "this or data.test_share",
        Input::kDataset},
       {"test_share", &DataConfig::test_share,
        "share of the users who are only evaluated on, never trained on",
        FromToBelow(0, 1)},
       {"public_path", &DataConfig::public_path,
        "folder of a public dataset; if given, the run trains a discriminator "
        "between public examples and the users' own (for select.by = "
        "\"unlike_public\")",
        Input::kDataset},
       {"before_path", &DataConfig::before_path,
        "for before_after (select.by, census.groups): folder with the same "
        "users' data "
        "before the change; if empty, the data without data.bug",
        Input::kDataset},
       {"bug", &DataConfig::bug,
        "simulations: name of a bug to inject (as in `sfumato data bug`); "
        "empty: none"},
       {"bug_share", &DataConfig::bug_share,
        "share of the users (or examples, see data.bug_of) that data.bug "
        "affects",
        Between(0, 1)},
       {"bug_of", &DataConfig::bug_of,
        "whether data.bug_share counts users or examples"},
       {"bug_seed", &DataConfig::bug_seed,
        "seed that decides whom data.bug affects", AtLeast(0)}});
  Section<ModelConfig>(
      f, "model", &TrainConfig::model,
      {{"name", &ModelConfig::name,
        "model to train: logistic, mlp, emnist_cnn, lenet5, cifar_cnn "
        "(classifiers), word_lm, char_lm (text), or the networks of a GAN: "
        "wgan_paper, wgan, wgan_narrow, wgan_quick"}});
  Section<LstmConfig>(
      f, "lstm", &TrainConfig::lstm,
      {{"embedding", &LstmConfig::embedding,
        "length of the vector that each symbol becomes (models word_lm and "
        "char_lm)",
        Between(1, 4096)},
       {"hidden", &LstmConfig::hidden, "number of cells in each layer",
        Between(1, 8192)},
       {"layers", &LstmConfig::layers, "number of stacked layers",
        Between(1, 16)},
       {"projection", &LstmConfig::projection, "length of each layer's output",
        Between(1, 4096)},
       {"tied", &LstmConfig::tied,
        "whether the output layer shares its weights with the embedding; "
        "lstm.projection must then equal lstm.embedding"}});
  Section<TextConfig>(
      f, "text", &TrainConfig::text,
      {{"vocabulary", &TextConfig::vocabulary,
        "file with the words that the model knows, one per line: public, or "
        "chosen privately (`sfumato data vocabulary`); if empty, generated or "
        "public data supplies them",
        Input::kVocabulary},
       {"vocabulary_is", &TextConfig::vocabulary_is,
        "where text.vocabulary came from: public (it never saw these users' "
        "words) or released (chosen from them by `sfumato data vocabulary`; "
        "its cost counts towards an inspection)",
        OneOf{{"", "public", "released"}}},
       {"vocabulary_size", &TextConfig::vocabulary_size,
        "without text.vocabulary: number of most frequent words to take",
        Between(1, 1000000)},
       {"longest_sentence", &TextConfig::longest_sentence,
        "maximum words per sentence; the rest is cut off", Between(1, 1000)},
       {"longest_word", &TextConfig::longest_word,
        "maximum bytes per word that char_lm reads", Between(1, 1000)},
       {"sample_every", &TextConfig::sample_every,
        "rounds between two sets of drawn text; 0: a tenth of all rounds",
        AtLeast(0)},
       {"sample_count", &TextConfig::sample_count,
        "sentences or words in each set of drawn text", Between(1, 100000)}});
  Section<CanaryConfig>(
      f, "canary", &TrainConfig::canary,
      {{"users", &CanaryConfig::users,
        "simulations of word_lm: number of users who get a planted sentence of "
        "random words, each a different one (see `sfumato eval --exposure`); "
        "0: nobody",
        AtLeast(0)},
       {"repeats", &CanaryConfig::repeats,
        "copies of the planted sentence among the user's sentences",
        Between(1, 100000)},
       {"words", &CanaryConfig::words,
        "words in a planted sentence, drawn from the vocabulary",
        Between(1, 1000)}});
  Section<GanConfig>(
      f, "gan", &TrainConfig::gan,
      {{"latent", &GanConfig::latent,
        "length of the vector of normal numbers that an image is drawn from",
        Between(1, 65536)},
       {"conditional", &GanConfig::conditional,
        "whether the generator draws images of a requested class"},
       {"penalty", &GanConfig::penalty,
        "weight of the gradient penalty (lambda of WGAN-GP)", AtLeast(0)},
       {"l2", &GanConfig::l2,
        "weight of the L2 penalty: multiplies the sum of squared weights of "
        "both networks",
        AtLeast(0)},
       {"every", &GanConfig::every,
        "rounds of critic training per update of the generator", AtLeast(1)},
       {"generator_steps", &GanConfig::generator_steps,
        "generator steps per update", AtLeast(1)},
       {"generator_batch", &GanConfig::generator_batch,
        "images per generator step", Between(2, 65536)},
       {"generator_optimizer", &GanConfig::generator_optimizer,
        "optimizer of the generator"},
       {"generator_learning_rate", &GanConfig::generator_learning_rate,
        "learning rate of the generator", Above(0)},
       {"generator_beta1", &GanConfig::generator_beta1,
        "beta1 of the generator's optimizer, if adam", FromToBelow(0, 1)},
       {"generator_beta2", &GanConfig::generator_beta2,
        "beta2 of the generator's optimizer, if adam", FromToBelow(0, 1)},
       {"ema", &GanConfig::ema,
        "decay per generator step of the moving average of generators that "
        "draws the images; 0: the latest generator draws them",
        FromToBelow(0, 1)},
       {"sample_every", &GanConfig::sample_every,
        "rounds between two sets of drawn images; 0: a tenth of all rounds",
        AtLeast(0)},
       {"sample_count", &GanConfig::sample_count,
        "images in each set of drawn images", Between(1, 100000)}});
  Section<SelectConfig>(
      f, "select", &TrainConfig::select,
      {{"by", &SelectConfig::by,
        "criterion that splits the data into two sides: everyone (no split), "
        "accuracy of the user, examples the model gets right or wrong, class, "
        "column, unlike_public, vote (what the user's device answers in a "
        "census); for text perplexity of the user, likelihood of the sentence; "
        "before_after (everyone, in two states of the data)"},
       {"side", &SelectConfig::side,
        "side that `train` trains on: a (healthy) or b (in question)"},
       {"half", &SelectConfig::half,
        "train on half 1 or half 2 of the side's users; 0: on all of them",
        Between(0, 2)},
       {"model", &SelectConfig::model,
        "folder of the run whose model judges users or examples", Input::kRun},
       {"model_is", &SelectConfig::model_is,
        "where select.model came from: public, released (its cost is in the "
        "ledger) or fixed (declared; what it leaks itself is not counted)"},
       {"above", &SelectConfig::above,
        "threshold: side a has accuracies or scores above it; with perplexity "
        "and likelihood, side b has those above it",
        AtLeast(0)},
       {"below", &SelectConfig::below,
        "threshold: side b has accuracies or scores below it; with perplexity "
        "and likelihood, side a has those below it",
        AtLeast(0)},
       {"above_quantile", &SelectConfig::above_quantile,
        "use this private quantile of the users in place of select.above; by "
        "accuracy or perplexity 0.75 if no threshold is given",
        FromToBelow(0, 1)},
       {"below_quantile", &SelectConfig::below_quantile,
        "use this private quantile of the users in place of select.below; by "
        "accuracy or perplexity 0.25 if no threshold is given",
        FromToBelow(0, 1)},
       {"least_examples", &SelectConfig::least_examples,
        "by examples, unlike_public or likelihood: minimum number of selected "
        "examples that a user needs to take part",
        AtLeast(1)},
       {"column", &SelectConfig::column, "by column: name of the column"},
       {"value", &SelectConfig::value,
        "by class or column: side b has examples with this value, side a those "
        "without"},
       {"census", &SelectConfig::census,
        "by vote: folder of the census with whose stored voter every device "
        "votes again",
        Input::kRun},
       {"answer", &SelectConfig::answer,
        "by vote: side b has the users who mark this answer, by its key; side "
        "a those who vote as_it_should_be"},
       {"users_a", &SelectConfig::users_a,
        "approximate number of users on side a; 0 in a simulation: the true "
        "number",
        AtLeast(0)},
       {"users_b", &SelectConfig::users_b,
        "approximate number of users on side b; 0 in a simulation: the true "
        "number",
        AtLeast(0)}});
  Section<SurveyConfig>(f, "survey", &TrainConfig::survey,
                        {{"quantile_epsilon", &SurveyConfig::quantile_epsilon,
                          "epsilon spent on each private quantile", Above(0)},
                         {"count_noise", &SurveyConfig::count_noise,
                          "standard deviation of the noise on the size of each "
                          "side; 0: not asked",
                          AtLeast(0)},
                         {"histogram_noise", &SurveyConfig::histogram_noise,
                          "standard deviation of the noise on each bar of the "
                          "histogram of per-user accuracy, or (before_after) "
                          "of per-user shares of unknown words; 0: not asked",
                          AtLeast(0)},
                         {"correction_noise", &SurveyConfig::correction_noise,
                          "standard deviation of the noise on the number of "
                          "users who correct often; 0: not asked",
                          AtLeast(0)},
                         {"correction_level", &SurveyConfig::correction_level,
                          "a user corrects often if they corrected at least "
                          "this share of their examples",
                          AboveToBelow(0, 1)}});
  Section<PrimaryConfig>(
      f, "primary", &TrainConfig::primary,
      {{"name", &PrimaryConfig::name,
        "classifier to train as the one in use; only with generated people and "
        "no select.model"},
       {"users", &PrimaryConfig::users,
        "number of generated users whom the classifier in use is trained on; "
        "none of them is inspected",
        Between(1, kMostPeople)},
       {"epochs", &PrimaryConfig::epochs,
        "passes over the examples of those generated users", AtLeast(1)},
       {"batch_size", &PrimaryConfig::batch_size,
        "examples per training step of the classifier in use", AtLeast(1)},
       {"learning_rate", &PrimaryConfig::learning_rate,
        "learning rate of Adam, which trains the classifier in use",
        Above(0)}});
  Section<InspectConfig>(
      f, "inspect", &TrainConfig::inspect,
      {{"question", &InspectConfig::question,
        "the question as people should read it; if empty, made from the "
        "criterion"},
       {"twins", &InspectConfig::twins,
        "models per side. 2: one on each half of the side's users, and their "
        "difference is the noise floor; 1: a single model and an estimated "
        "floor",
        Between(1, 2)},
       {"samples", &InspectConfig::samples,
        "images or sentences drawn from each model for the comparison",
        Between(50, 100000)},
       {"character_preset", &InspectConfig::character_preset,
        "text: preset of the models that spell unknown words; empty: no such "
        "models",
        OneOf{{"", "char_lm_paper", "char_lm_quick"}}},
       {"character_rounds", &InspectConfig::character_rounds,
        "training rounds of the models that spell unknown words; 0: as in "
        "their preset",
        Between(0, kMostRounds)}});
  Section<CensusConfig>(
      f, "census", &TrainConfig::census,
      {{"about", &CensusConfig::about,
        "what users vote on: the damage that their examples have, or the "
        "classes that they have, which needs no references"},
       {"split", &CensusConfig::split,
        "families whose strength is an answer of its own, with commas between: "
        "rotate asks which angle, join how many of a user's sentences"},
       {"reference", &CensusConfig::reference,
        "the references that voters learn from: a dataset that is public or "
        "generated; the folder of a run, whose model draws them; or "
        "handwriting "
        "or forum: generated people, none of them asked",
        Input::kDataset},
       {"reference_is", &CensusConfig::reference_is,
        "alike: of the same kind as healthy users' data; other: of another "
        "kind, "
        "which needs two groups for a verdict; empty: other if the references "
        "are generated and the users are not"},
       {"epsilon", &CensusConfig::epsilon,
        "epsilon spent on the vote, from which its noise follows",
        Between(0.001, 100)},
       {"marks", &CensusConfig::marks,
        "how many answers a user may mark: 2 to see two damages at once",
        Between(1, 4)},
       {"adjacency", &CensusConfig::adjacency,
        "what the epsilon is about: a user more or less (add_remove), or one "
        "user's data exchanged (replace_one: twice the noise)"},
       {"groups", &CensusConfig::groups,
        "who is compared: empty for everybody against the references; sides: "
        "the two sides of [select], which share nobody; before_after: every "
        "user's examples with their own in data.before_path"},
       {"least_examples", &CensusConfig::least_examples,
        "a user with fewer examples cannot tell", Between(1, 10000)},
       {"most_examples", &CensusConfig::most_examples,
        "a device looks at this many of its examples at most",
        Between(1, 10000)},
       {"classes", &CensusConfig::classes,
        "how many classes a user's examples are of, about: reference users "
        "are made alike; 0: anything from one to all",
        Between(0, 10000)},
       {"level", &CensusConfig::level,
        "chance of a false alarm of the whole question that is accepted",
        AboveToBelow(0, 0.5)},
       {"effort", &CensusConfig::effort,
        "how long the voter learns, of the usual time: less is faster, and it "
        "sees less",
        Between(0.01, 10)},
       {"voter", &CensusConfig::voter,
        "folder of the voter that an earlier census stored; if empty, one is "
        "learned from the references",
        Input::kRun}});
  Section<CohortConfig>(
      f, "cohort", &TrainConfig::cohort,
      {{"sampling", &CohortConfig::sampling,
        "how each round draws users: poisson (a private coin per user), fixed "
        "(exactly cohort.size) or everyone"},
       {"size", &CohortConfig::size,
        "expected users per round; sums are divided by it (with everyone: by "
        "the population)",
        Above(0)},
       {"population", &CohortConfig::population,
        "number of users that the sampling rate refers to; 0: those of the "
        "data",
        AtLeast(0)},
       {"weights", &CohortConfig::weights,
        "weight of a user's update: uniform, or proportional to their examples "
        "up to cohort.weight_cap"},
       {"weight_cap", &CohortConfig::weight_cap,
        "with weights by examples: examples beyond this number add no weight",
        Above(0)},
       {"expected_weight", &CohortConfig::expected_weight,
        "with weights by examples: mean of min(examples, weight_cap) / "
        "weight_cap over the users; sums are divided by it too",
        AboveTo(0, 1)}});
  Section<LocalConfig>(
      f, "local", &TrainConfig::local,
      {{"epochs", &LocalConfig::epochs,
        "passes over the user's examples per round", AtLeast(1)},
       {"max_steps", &LocalConfig::max_steps,
        "maximum SGD steps per user and round; 0: no maximum", AtLeast(0)},
       {"batch_size", &LocalConfig::batch_size,
        "examples per step on the device; the last batch of a pass may be "
        "smaller",
        AtLeast(1)},
       {"learning_rate", &LocalConfig::learning_rate,
        "learning rate of SGD on the device", Above(0)},
       {"momentum", &LocalConfig::momentum, "momentum of SGD on the device",
        FromToBelow(0, 1)}});
  Section<ServerConfig>(
      f, "server", &TrainConfig::server,
      {{"optimizer", &ServerConfig::optimizer,
        "optimizer that moves the model by the released mean update"},
       {"learning_rate", &ServerConfig::learning_rate,
        "learning rate of the server's optimizer", Above(0)},
       {"momentum", &ServerConfig::momentum,
        "momentum, if the optimizer is momentum or nesterov; beta1, if adam or "
        "yogi",
        FromToBelow(0, 1)},
       {"beta2", &ServerConfig::beta2, "beta2 of adam and yogi",
        FromToBelow(0, 1)},
       {"epsilon", &ServerConfig::epsilon,
        "term that keeps adam and yogi from dividing by zero; nothing to do "
        "with privacy",
        Above(0)}});
  Section<PrivacyConfig>(
      f, "privacy", &TrainConfig::privacy,
      {{"noise_multiplier", &PrivacyConfig::noise_multiplier,
        "z: standard deviation of the noise on the sum, divided by the clip "
        "norm; 0: found from privacy.epsilon",
        AtLeast(0)},
       {"epsilon", &PrivacyConfig::epsilon,
        "privacy budget of the run or inspection; 0: no budget, the noise "
        "multiplier alone decides",
        AtLeast(0)},
       {"delta", &PrivacyConfig::delta,
        "delta of the guarantee; 0: on private data the ledger's, otherwise 1 "
        "/ population^1.1 and at most 1e-3",
        FromToBelow(0, 1)},
       {"clipping", &PrivacyConfig::clipping,
        "clip norm of the updates: fixed, or adaptive to a private quantile of "
        "their norms"},
       {"clip_norm", &PrivacyConfig::clip_norm,
        "S: norm to which every update is clipped; with adaptive clipping, the "
        "first round's",
        Above(0)},
       {"target_quantile", &PrivacyConfig::target_quantile,
        "adaptive clipping: quantile of the updates' norms that the clip norm "
        "follows",
        AboveToBelow(0, 1)},
       {"clip_learning_rate", &PrivacyConfig::clip_learning_rate,
        "adaptive clipping: learning rate of the clip norm", Above(0)},
       {"spare_rounds", &PrivacyConfig::spare_rounds,
        "private data: extra rounds paid in advance, for rounds that a crash "
        "repeats",
        AtLeast(0)},
       {"population", &PrivacyConfig::population,
        "the population's name in the ledger; if empty, the data's name"},
       {"ledger", &PrivacyConfig::ledger,
        "the ledger's file; if empty, beside the data, or for a simulation "
        "inside the run's folder",
        Input::kLedger}});
  Section<EvaluationConfig>(
      f, "evaluation", &TrainConfig::evaluation,
      {{"every", &EvaluationConfig::every,
        "rounds between two evaluations; 0: only at the end", AtLeast(0)},
       {"users", &EvaluationConfig::users,
        "number of test users to evaluate on; 0: all", AtLeast(0)}});
  Section<CheckpointConfig>(
      f, "checkpoint", &TrainConfig::checkpoint,
      {{"every", &CheckpointConfig::every, "rounds between two checkpoints",
        AtLeast(1)},
       {"keep_every", &CheckpointConfig::keep_every,
        "besides the first and the last checkpoint, keep one every this many "
        "rounds; 0: keep only those two",
        AtLeast(0)}});
  Section<DeviceConfig>(
      f, "device", &TrainConfig::device,
      {{"name", &DeviceConfig::name,
        "where to train; auto takes a GPU if there is one"},
       {"threads", &DeviceConfig::threads,
        "clients trained at the same time on CPUs; 0: one per core",
        AtLeast(0)},
       {"lanes", &DeviceConfig::lanes,
        "clients trained at the same time on a GPU; 0: as many as memory "
        "allows",
        AtLeast(0)},
       {"tf32", &DeviceConfig::tf32,
        "whether GPU matrix products use TF32 (10-bit mantissas)"}});
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
