#include "inspect/text_medium.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "base/random.h"
#include "data/vocabulary.h"
#include "eval/text_contrast.h"
#include "eval/text_health.h"
#include "fmt/format.h"
#include "models/sequences.h"
#include "plan/run_vocabulary.h"
#include "select/selection.h"
#include "train/census_vote.h"
#include "train/judging_model.h"
#include "train/language_run.h"
#include "train/run_model.h"
#include "train/trained_model.h"

namespace sfumato::inspect {
namespace {

constexpr std::int64_t kTopWords = 20;  // as the first paper's Table 8

void CheckDesign(const config::TrainConfig& config) {
  if (!config::ModelsWords(config)) {
    throw BadInput(fmt::format("text, and a model '{}' to inspect it by",
                               config.model.name),
                   "model.name",
                   "begin with a preset of words: preset = \"word_lm_quick\"");
  }
}

// Throws where the network cannot be made.
void CheckNetwork(const config::TrainConfig& config, std::int64_t symbols) {
  train::ModelFor(config, {.classes = symbols});
}

// Where the criterion asks one. Throws NoJudge, and as ReadWordJudge.
std::optional<train::LanguageRun> JudgeOf(const config::SelectConfig& select) {
  if (!config::NeedsWordModel(select.by)) return std::nullopt;
  if (select.model.empty()) throw plan::NoJudge(select);
  return train::ReadWordJudge(select.model);
}

// One state of the data, as a model of words reads it.
struct State {
  const plan::TrainingData* data = nullptr;
  std::unique_ptr<models::Examples> all = {};
  std::unique_ptr<models::Examples> train = {};  // the data's users, from 0
};

class TextMedium : public Medium {
 public:
  explicit TextMedium(const Inspection& inspection);

  void Judge(Inspection& inspection) override;
  Inputs SideInputs() const override;
  std::vector<double> Answers(std::string_view question) const override;
  std::unique_ptr<models::Examples> Chosen(
      const select::Criterion& criterion,
      const std::string& kind) const override;
  void Configure(const Inspection& inspection, const plan::ModelPlan& model,
                 config::TrainConfig& own) const override;
  void Compare(Inspection& inspection) const override;

 private:
  State StateOf(const plan::TrainingData& data) const;
  const State& StateFor(config::Side side) const {
    return side == config::Side::kA && before_ ? *before_ : now_;
  }
  select::Devices DevicesOf(const State& state) const {
    return {.set = *state.data->set,
            .users = state.data->users,
            .examples = *state.train,
            .verdicts = verdicts_};
  }
  std::vector<double> UnknownSharesOf(config::Side side) const;

  config::TextConfig text_;
  data::Vocabulary vocabulary_;
  plan::TrainingData data_before_ = {};
  State now_ = {};
  std::optional<State> before_ = {};  // where two states are compared
  std::optional<train::LanguageRun> judge_ = {};
  std::optional<train::CensusVoter> voter_ = {};
  select::Verdicts verdicts_ = {};  // of now_; two states are not judged
};

State TextMedium::StateOf(const plan::TrainingData& data) const {
  State state;
  state.data = &data;
  state.all =
      models::SentencesOf(*data.set, vocabulary_, text_.longest_sentence);
  if (data.set->info().origin == data::Origin::kPrivate) {
    state.all = models::SilentExamples(std::move(state.all));
  }
  state.train = models::ChosenUsers(*state.all, data.users);
  return state;
}

TextMedium::TextMedium(const Inspection& inspection)
    : text_(inspection.config.text),
      vocabulary_(
          plan::RunVocabulary(inspection.config, inspection.job.folder)) {
  const config::TrainConfig& config = inspection.config;
  CheckNetwork(config, vocabulary_.symbols());
  judge_ = JudgeOf(config.select);
  if (config.select.by == config::By::kVote) {
    voter_ = train::ReadCensusVoter(config.select, inspection.data.set->info());
  }
  now_ = StateOf(inspection.data);
  if (config.select.by != config::By::kBeforeAfter) return;
  data_before_ = plan::OpenTrainingData(plan::DataBefore(config.data),
                                        inspection.job.folder / "before");
  data_before_.CheckSums();
  plan::CheckBefore(*data_before_.set, *inspection.data.set);
  before_ = StateOf(data_before_);
}

void TextMedium::Judge(Inspection& inspection) {
  if (voter_) verdicts_.marks = MarksBy(*voter_, inspection);
  if (!judge_) return;
  inspection.record.model_words = fmt::format(
      "the word model of the run {}",
      base::NormalFolder(inspection.config.select.model).filename().string());
  inspection.record.model_provenance =
      inspection.config.select.model_is == config::Provenance::kUnknown
          ? "not declared"
          : config::Word(inspection.config.select.model_is);
  base::Note("The word model runs on each device …");
  verdicts_ = train::JudgedBy(*judge_, inspection.data, inspection.pool);
}

Medium::Inputs TextMedium::SideInputs() const {
  const std::string sum =
      vocabulary_.Sum() + "-" + data_before_.description_crc32c;
  if (voter_) {
    return {.sum = sum + "-" + voter_->source.sum,
            .what = "the voter, or the vocabulary, is"};
  }
  if (!judge_) {
    return {.sum = sum, .what = "the data before, or the vocabulary, are"};
  }
  return {.sum = sum + "-" + train::SumOf(*judge_),
          .what = "the judging model, or the vocabulary, is"};
}

std::vector<double> TextMedium::Answers(std::string_view question) const {
  if (question == plan::kUnknownA) return UnknownSharesOf(config::Side::kA);
  if (question == plan::kUnknownB) return UnknownSharesOf(config::Side::kB);
  return select::LogPerplexities(verdicts_);
}

std::unique_ptr<models::Examples> TextMedium::Chosen(
    const select::Criterion& criterion, const std::string& kind) const {
  const State& state = StateFor(criterion.side);
  const select::Devices devices = DevicesOf(state);
  if (kind != plan::kOfCharacters) return select::Select(criterion, devices);
  const auto sentences = select::ChosenExamples(criterion, devices);
  return models::UnknownWordsOf(*state.data->set, vocabulary_,
                                {.longest = text_.longest_word,
                                 .users = &state.data->users,
                                 .sentences = &sentences});
}

// Models read the state of their side, and know the words of the inspection.
void TextMedium::Configure(const Inspection& inspection,
                           const plan::ModelPlan& model,
                           config::TrainConfig& own) const {
  const bool before = before_ && model.side == config::Side::kA;
  const config::DataConfig given =
      before ? plan::DataBefore(inspection.config.data)
             : inspection.config.data;
  own.data = given;
  own.data.before_path = "";
  if (!given.generate.empty() || !given.bug.empty()) {
    own.data.path =
        ((before ? inspection.job.folder / "before" : inspection.job.folder) /
         "data")
            .string();
    own.data.generate = "";
    own.data.bug = "";
  }
  own.text.vocabulary =
      (inspection.job.folder / plan::kVocabularyFile).string();
}

std::vector<double> TextMedium::UnknownSharesOf(config::Side side) const {
  const State& state = StateFor(side);
  const std::vector<double> all =
      models::UnknownShares(*state.data->set, vocabulary_);
  std::vector<double> shares;
  shares.reserve(state.data->users.size());
  for (const std::int64_t user : state.data->users) {
    shares.push_back(all[static_cast<std::size_t>(user)]);
  }
  return shares;
}

// A character model that writes almost nothing but ends, or garbage, has
// nothing to compare. Whether all models spell; if not, no spelling is looked
// at, and word models show where unknown words stand.
bool LeaveOutUnspelled(eval::CompareTextOptions& options) {
  bool all = true;
  for (auto* side : {&options.a, &options.b}) {
    all = all && std::ranges::all_of(*side, eval::IsSpelled);
  }
  const bool any =
      !options.a.front().words.empty() || !options.b.front().words.empty();
  if (all || !any) return true;
  for (auto* side : {&options.a, &options.b}) {
    for (eval::DrawnText& drawn : *side) {
      drawn.words.clear();
    }
  }
  return false;
}

// What the twins of a side write, each with the unknown words of its half.
std::vector<eval::DrawnText> DrawnBy(const Inspection& inspection,
                                     config::Side side) {
  std::map<std::int64_t, eval::DrawnText> by_half;
  for (std::size_t i = 0; i < inspection.plan.models.size(); ++i) {
    const plan::ModelPlan& model = inspection.plan.models[i];
    if (model.side != side) continue;
    eval::DrawnText& drawn = by_half[model.half];
    drawn.model = fmt::format("{}{}", config::Word(side),
                              std::max<std::int64_t>(1, model.half));
    auto samples = std::get<runs::TextSamples>(
        train::ReadRunModel(inspection.FolderOf(model))
            .Draw({.seed =
                       static_cast<std::uint64_t>(inspection.config.seed) * 16 +
                       i,
                   .count = inspection.config.inspect.samples,
                   .top = 0,
                   .threads = inspection.device.threads}));
    if (model.kind == plan::kOfWords) {
      drawn.sentences = std::move(samples.sentences);
    } else {
      drawn.words = std::move(samples.words);
    }
  }
  std::vector<eval::DrawnText> all;
  all.reserve(by_half.size());
  for (auto& [half, drawn] : by_half) all.push_back(std::move(drawn));
  return all;
}

// Sentences chosen by how likely they are differ by that alone: only what they
// differ in is a finding.
void NeedHypothesis(runs::Contrast& contrast) {
  const bool named =
      !contrast.hypotheses.empty() && contrast.hypotheses.front().supported;
  if (contrast.verdict != runs::Verdict::kDiffers || named) return;
  contrast.verdict = runs::Verdict::kCannotSay;
  contrast.sentence =
      "Likely and unlikely sentences differ, as they must; none of the "
      "explanations says in what.";
}

// The words that the twins of a side together hold most likely.
train::LikelyWords TopOf(const Inspection& inspection, config::Side side) {
  std::vector<train::LanguageRun> twins;
  for (const plan::ModelPlan& model : inspection.plan.models) {
    if (model.side != side || model.kind != plan::kOfCharacters) continue;
    twins.push_back(train::ReadLanguageRun(inspection.FolderOf(model)));
  }
  if (twins.empty()) return {.words = {}, .exact = true};
  return train::MostLikelyWords(twins, kTopWords);
}

void TextMedium::Compare(Inspection& inspection) const {
  eval::WordSet known;
  for (const std::string& word : vocabulary_.words()) known.insert(word);
  eval::CompareTextOptions options{
      .a = DrawnBy(inspection, config::Side::kA),
      .b = DrawnBy(inspection, config::Side::kB),
      .vocabulary = &known,
      .seed = static_cast<std::uint64_t>(inspection.config.seed)};
  train::LikelyWords a = TopOf(inspection, config::Side::kA);
  train::LikelyWords b = TopOf(inspection, config::Side::kB);
  options.top_a = std::move(a.words);
  options.top_b = std::move(b.words);
  options.top_exact = a.exact && b.exact;
  const bool spelled = LeaveOutUnspelled(options);
  inspection.contrast = eval::CompareText(options);
  if (inspection.config.select.by == config::By::kLikelihood)
    NeedHypothesis(inspection.contrast);
  if (!spelled) {
    inspection.contrast.warnings.push_back(
        "A character model wrote hardly any word, or garbage (as one does "
        "whose users had no unknown word): how unknown words are spelled was "
        "not compared, only where they stand.");
  }
}

}  // namespace

void CheckText(const config::TrainConfig& config) {
  CheckDesign(config);
  JudgeOf(config.select);  // or throws
  if (config.select.by == config::By::kVote) {
    train::ReadCensusVoter(config.select, plan::InfoOf(config.data));
  }
  if (config.select.by == config::By::kBeforeAfter &&
      !config.data.path.empty() && !config.data.before_path.empty()) {
    plan::CheckBefore(
        data::FederatedDataset(base::Path(config.data.before_path)),
        data::FederatedDataset(base::Path(config.data.path)));
  }
  if (!config.text.vocabulary.empty()) {
    CheckNetwork(config,
                 data::ReadVocabulary(config.text.vocabulary).symbols());
  }
}

std::unique_ptr<Medium> OpenText(const Inspection& inspection) {
  CheckDesign(inspection.config);
  return std::make_unique<TextMedium>(inspection);
}

}  // namespace sfumato::inspect
