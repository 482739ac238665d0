#include "inspect/text_inspection.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_set>
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

// Before and now are the same people's text. Who is among private people is
// looked at by nobody. Throws BadInput. REQUIRES: CheckOrigins has passed.
void CheckBefore(const data::FederatedDataset& before,
                 const data::FederatedDataset& now) {
  constexpr const char* kWhere = "data.before_path";
  if (before.info().kind != data::Kind::kText) {
    throw BadInput("data of another kind", kWhere,
                   "name the same users' text as it was before");
  }
  if (now.info().origin == data::Origin::kPrivate) return;  // and so is before
  std::unordered_set<std::string_view> ids;
  for (std::size_t user = 0; user < before.users(); ++user) {
    ids.insert(before.user(user).id());
  }
  std::size_t both = 0;
  for (std::size_t user = 0; user < now.users(); ++user) {
    both += ids.contains(now.user(user).id()) ? 1 : 0;
  }
  if (2 * both >= now.users()) return;
  throw BadInput(
      fmt::format("{} of the {} users now were there before", both,
                  now.users()),
      kWhere,
      "two states of the same users' text are compared; to compare two groups "
      "of people, make one set of them and choose sides: select.by = "
      "\"column\"");
}

class TextInspection : public InspectionStages {
 public:
  using InspectionStages::InspectionStages;

 private:
  // One state of the data, as a model of words reads it.
  struct State {
    const plan::TrainingData* data = nullptr;
    std::unique_ptr<models::Examples> all;
    std::unique_ptr<models::Examples> train;  // the data's users, from 0
  };

  void Open() override;
  void JudgeEverybody() override;
  std::string JudgeSum() const override;
  const char* JudgeWords() const override {
    return judge_ ? "the judging model, or the vocabulary, is"
                  : "the data before, or the vocabulary, are";
  }
  std::vector<double> NumbersOfUsers() const override {
    return select::LogPerplexities(verdicts_);
  }
  std::int64_t ExactUsers(config::Side side) const override;
  std::string Noun() const override { return "text"; }
  void AskRest(fed::Survey& survey) override;
  std::unique_ptr<models::Examples> TakingPart(
      config::Side side, std::int64_t half,
      const std::string& kind) const override;
  void AdjustConfig(const plan::ModelPlan& model,
                    config::TrainConfig& own) const override;
  void Compare() override;
  nlohmann::json RealExamples() override { return nlohmann::json::array(); }

  bool two_states() const {
    return config_.select.by == config::By::kBeforeAfter;
  }
  config::DataConfig DataBefore() const;
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
  std::vector<eval::DrawnText> DrawnBy(config::Side side) const;
  train::LikelyWords TopOf(config::Side side) const;

  std::optional<data::Vocabulary> vocabulary_;
  plan::TrainingData data_before_;
  State now_;
  std::optional<State> before_;
  std::optional<train::LanguageRun> judge_;
  select::Verdicts verdicts_;  // of now_; of two states nobody judges
};

// The data as they were: a set of its own, or without the bug.
config::DataConfig TextInspection::DataBefore() const {
  config::DataConfig before = config_.data;
  before.bug = "";
  if (!config_.data.before_path.empty()) {
    before.path = config_.data.before_path;
    before.generate = "";
  }
  return before;
}

TextInspection::State TextInspection::StateOf(
    const plan::TrainingData& data) const {
  State state;
  state.data = &data;
  state.all = models::SentencesOf(*data.set, *vocabulary_,
                                  config_.text.longest_sentence);
  if (data.set->info().origin == data::Origin::kPrivate) {
    state.all = models::SilentExamples(std::move(state.all));
  }
  state.train = models::ChosenUsers(*state.all, data.users);
  return state;
}

void TextInspection::Open() {
  CheckDesign(config_);
  vocabulary_ = plan::RunVocabulary(config_, job_.folder);
  CheckNetwork(config_, vocabulary_->symbols());
  judge_ = JudgeOf(config_.select);
  now_ = StateOf(data_);
  if (!two_states()) return;
  data_before_ = plan::OpenTrainingData(DataBefore(), job_.folder / "before");
  data_before_.CheckSums();
  CheckBefore(*data_before_.set, *data_.set);
  before_ = StateOf(data_before_);
}

void TextInspection::JudgeEverybody() {
  if (!judge_) return;
  record_.model_words = fmt::format(
      "the word model of the run {}",
      base::Path(config_.select.model).lexically_normal().filename().string());
  record_.model_provenance =
      config_.select.model_is == config::Provenance::kUnknown
          ? "not declared"
          : config::Word(config_.select.model_is);
  base::Note("Every device judges its own sentences …");
  verdicts_ = train::JudgedBy(*judge_, data_, pool_);
}

std::string TextInspection::JudgeSum() const {
  const std::string sum =
      vocabulary_->Sum() + "-" + data_before_.description_crc32c;
  return judge_ ? fmt::format("{}-{}-{}-{}", sum, judge_->vocabulary.Sum(),
                              judge_->config.text.longest_sentence,
                              train::SumOf(judge_->params))
                : sum;
}

std::int64_t TextInspection::ExactUsers(config::Side side) const {
  return select::SelectedUsers(
      *select::Select(ExactCriterion(side), DevicesOf(StateFor(side))));
}

std::unique_ptr<models::Examples> TextInspection::TakingPart(
    config::Side side, std::int64_t half, const std::string& kind) const {
  const State& state = StateFor(side);
  const select::Devices devices = DevicesOf(state);
  const select::Criterion criterion = CriterionFor(side, half);
  if (kind != plan::kOfCharacters) return select::Select(criterion, devices);
  const auto sentences = select::ChosenExamples(criterion, devices);
  return models::UnknownWordsOf(*state.data->set, *vocabulary_,
                                {.longest = config_.text.longest_word,
                                 .users = &state.data->users,
                                 .sentences = &sentences});
}

// Models read the state of their side, and know the words of the inspection.
void TextInspection::AdjustConfig(const plan::ModelPlan& model,
                                  config::TrainConfig& own) const {
  const bool before = two_states() && model.side == config::Side::kA;
  const config::DataConfig given = before ? DataBefore() : config_.data;
  own.data = given;
  own.data.before_path = "";
  if (!given.generate.empty() || !given.bug.empty()) {
    own.data.path =
        ((before ? job_.folder / "before" : job_.folder) / "data").string();
    own.data.generate = "";
    own.data.bug = "";
  }
  own.text.vocabulary = (job_.folder / plan::kVocabularyFile).string();
}

std::vector<double> TextInspection::UnknownSharesOf(config::Side side) const {
  const State& state = StateFor(side);
  const std::vector<double> all =
      models::UnknownShares(*state.data->set, *vocabulary_);
  std::vector<double> shares;
  for (const std::int64_t user : state.data->users) {
    shares.push_back(all[static_cast<std::size_t>(user)]);
  }
  return shares;
}

void TextInspection::AskRest(fed::Survey& survey) {
  const auto ask = [&](const char* name, config::Side side,
                       std::optional<runs::HistogramRecord>& into) {
    if (into || !Asked(name)) return;
    const fed::SurveyAnswer answer =
        survey.Ask(name, [&] { return UnknownSharesOf(side); });
    for (const dp::Question& question : plan_.Questions()) {
      if (question.name != name) continue;
      into = runs::HistogramRecord{
          .edges = std::get<dp::BarsQuestion>(question.about).edges,
          .counts = answer.values,
          .deviation = answer.deviation};
    }
    Save();
  };
  ask(plan::kUnknownA, config::Side::kA, record_.unknown_a);
  ask(plan::kUnknownB, config::Side::kB, record_.unknown_b);
}

// A character model that writes almost nothing but ends, or garbage, has
// nothing to compare. Whether all models spell; if not, no spelling is looked
// at, and word models tell where unknown words stand.
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
std::vector<eval::DrawnText> TextInspection::DrawnBy(config::Side side) const {
  std::map<std::int64_t, eval::DrawnText> by_half;
  for (std::size_t i = 0; i < plan_.models.size(); ++i) {
    const plan::ModelPlan& model = plan_.models[i];
    if (model.side != side) continue;
    eval::DrawnText& drawn = by_half[model.half];
    drawn.model = fmt::format("{}{}", config::Word(side),
                              std::max<std::int64_t>(1, model.half));
    auto samples = std::get<runs::TextSamples>(
        train::ReadRunModel(FolderOf(model))
            .Draw({.seed = static_cast<std::uint64_t>(config_.seed) * 16 + i,
                   .count = config_.inspect.samples,
                   .top = 0,
                   .threads = device_.threads}));
    if (model.kind == plan::kOfWords) {
      drawn.sentences = std::move(samples.sentences);
    } else {
      drawn.words = std::move(samples.words);
    }
  }
  std::vector<eval::DrawnText> all;
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
train::LikelyWords TextInspection::TopOf(config::Side side) const {
  std::vector<train::LanguageRun> twins;
  for (const plan::ModelPlan& model : plan_.models) {
    if (model.side != side || model.kind != plan::kOfCharacters) continue;
    twins.push_back(train::ReadLanguageRun(FolderOf(model)));
  }
  if (twins.empty()) return {.words = {}, .exact = true};
  return train::MostLikelyWords(twins, kTopWords);
}

void TextInspection::Compare() {
  eval::WordSet known;
  for (const std::string& word : vocabulary_->words()) known.insert(word);
  eval::CompareTextOptions options{
      .a = DrawnBy(config::Side::kA),
      .b = DrawnBy(config::Side::kB),
      .vocabulary = &known,
      .seed = static_cast<std::uint64_t>(config_.seed)};
  train::LikelyWords a = TopOf(config::Side::kA);
  train::LikelyWords b = TopOf(config::Side::kB);
  options.top_a = std::move(a.words);
  options.top_b = std::move(b.words);
  options.top_exact = a.exact && b.exact;
  const bool spelled = LeaveOutUnspelled(options);
  contrast_ = eval::CompareText(options);
  if (config_.select.by == config::By::kLikelihood) NeedHypothesis(contrast_);
  if (!spelled) {
    contrast_.warnings.push_back(
        "A character model wrote hardly any word, or garbage (as one does "
        "whose users had no unknown word): how unknown words are spelled was "
        "not compared, only where they stand.");
  }
}

}  // namespace

void CheckTextInspection(const config::TrainConfig& config) {
  CheckDesign(config);
  JudgeOf(config.select);  // or throws
  if (config.select.by == config::By::kBeforeAfter &&
      !config.data.path.empty() && !config.data.before_path.empty()) {
    CheckBefore(data::FederatedDataset(base::Path(config.data.before_path)),
                data::FederatedDataset(base::Path(config.data.path)));
  }
  if (!config.text.vocabulary.empty()) {
    CheckNetwork(config,
                 data::ReadVocabulary(config.text.vocabulary).symbols());
  }
}

std::unique_ptr<InspectionStages> MakeTextInspection(const InspectJob& job,
                                                     InspectOutcome& outcome) {
  return std::make_unique<TextInspection>(job, outcome);
}

}  // namespace sfumato::inspect
