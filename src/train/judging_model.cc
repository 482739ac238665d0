#include "train/judging_model.h"

#include <filesystem>
#include <vector>

#include "algorithms/central_classifier.h"
#include "base/ascii.h"
#include "base/crc32c.h"
#include "base/error.h"
#include "base/progress.h"
#include "base/safetensors.h"
#include "data/generate/handwriting.h"
#include "fmt/format.h"
#include "models/batch.h"
#include "models/classifier.h"
#include "models/sequences.h"
#include "params/layout.h"
#include "plan/class_names.h"
#include "runs/checkpoint.h"
#include "runs/run.h"
#include "train/run_model.h"
#include "train/trained_model.h"

namespace sfumato::train {
namespace {

constexpr char kFile[] = "classifier.safetensors";
constexpr char kModel[] = "model";
// Far from any seed that people would choose for the population itself.
constexpr std::int64_t kOtherPeople = 1'000'000'007;

base::Path CheckpointIn(const base::Path& folder) {
  if (std::filesystem::exists(folder / kFile)) return folder / kFile;
  const auto latest = runs::LatestCheckpoint(folder / "checkpoints");
  if (!latest) {
    throw BadInput("no classifier to judge by", folder.string(),
                   "name the folder of a classifier's run that has a "
                   "checkpoint");
  }
  return latest->path;
}

// Two classes may be those of the data, or public and own.
void CheckTask(const base::Metadata& metadata, bool discriminator,
               const std::string& where) {
  if ((base::ValueOf(metadata, kTask) == kPublicOrOwn) == discriminator) return;
  throw BadInput(discriminator ? "a classifier, where a discriminator is asked"
                               : "a discriminator, where a classifier is asked",
                 where,
                 discriminator
                     ? "select.by = \"unlike_public\" needs a run that was "
                       "trained with data.public_path"
                     : "name a run that was trained without data.public_path, "
                       "or choose by = \"unlike_public\"");
}

eval::Judge ReadFrom(const base::SafetensorsFile& file, const base::Path& path,
                     bool discriminator) {
  CheckTask(file.metadata(), discriminator, path.string());
  const auto shape =
      models::ShapeFromText(base::ValueOf(file.metadata(), "input"));
  const auto classes = base::ParseNumber<std::int64_t>(
      base::ValueOf(file.metadata(), "classes"));
  if (!shape || !classes) {
    throw BadInput("not a classifier's checkpoint", path.string(),
                   "name the run of a classifier: algorithm fedavg or "
                   "dp_fedavg");
  }
  eval::Judge judge{
      .model = models::ClassifierNamed(base::ValueOf(file.metadata(), "model"),
                                       *shape, *classes),
      .params = {},
      .classes = {}};
  judge.params = params::FromFile(judge.model.layout(), file, kModel);
  return judge;
}

}  // namespace

eval::Judge ReadJudge(const base::Path& folder, const data::DatasetInfo& info,
                      bool discriminator) {
  const base::Path path = CheckpointIn(folder);
  const base::SafetensorsFile file(path);
  eval::Judge judge = ReadFrom(file, path, discriminator);
  const models::Shape image{.height = info.image.height,
                            .width = info.image.width,
                            .channels = info.image.channels};
  const std::int64_t classes =
      discriminator ? 2 : static_cast<std::int64_t>(info.classes.size());
  if (!(judge.model.input() == image)) {
    throw BadInput(
        fmt::format("a model for images of {}, and the data have {}",
                    models::ToText(judge.model.input()), models::ToText(image)),
        folder.string(), "judge by a model for images of this size");
  }
  if (judge.model.output().size() != classes) {
    throw BadInput(
        fmt::format("a model of {} classes, and {} are needed",
                    judge.model.output().size(), classes),
        folder.string(),
        discriminator
            ? "a discriminator has two classes: public and private"
            : "judge by a classifier that was trained on the data's classes");
  }
  if (discriminator) {
    judge.classes = {"public", "private"};
  } else {
    plan::CheckClassNames(file.metadata(), info.classes, folder.string());
    judge.classes = info.classes;
  }
  return judge;
}

LanguageRun ReadWordJudge(const base::Path& folder) {
  LanguageRun run = ReadLanguageRun(folder);
  if (TraitsFor(run.config).reads != Reads::kSentences) {
    throw BadInput("a model of characters, where one of words is asked",
                   folder.string(), "name a run of model.name = \"word_lm\"");
  }
  return run;
}

select::Verdicts JudgedBy(const LanguageRun& judge,
                          const plan::TrainingData& data,
                          fed::WorkerPool& pool) {
  auto all = models::SentencesOf(*data.set, judge.vocabulary,
                                 judge.config.text.longest_sentence);
  if (data.set->info().origin == data::Origin::kPrivate) {
    all = models::SilentExamples(std::move(all));
  }
  return select::LikelihoodOfAll(judge.model, judge.params,
                                 *models::ChosenUsers(*all, data.users), pool);
}

std::string SumOf(const at::Tensor& params) {
  const at::Tensor own = params.contiguous();
  return fmt::format("{:08x}",
                     base::Crc32c({static_cast<const char*>(own.data_ptr()),
                                   static_cast<std::size_t>(own.nbytes())}));
}

std::string SumOf(const LanguageRun& judge) {
  return fmt::format("{}-{}-{}", judge.vocabulary.Sum(),
                     judge.config.text.longest_sentence, SumOf(judge.params));
}

eval::Judge TrainPrimary(const config::TrainConfig& config,
                         const base::Path& folder, const Device& device) {
  const config::PrimaryConfig& primary = config.primary;
  const base::Path people = folder / "people";
  if (!std::filesystem::exists(people)) {
    data::MakeHandwriting(
        {.users = static_cast<std::uint64_t>(primary.users),
         .seed = static_cast<std::uint64_t>(config.data.seed + kOtherPeople),
         .mean_examples = static_cast<double>(config.data.examples)},
        people, "other people");
  }
  const data::FederatedDataset set(people);
  if (std::filesystem::exists(folder / kFile)) {
    return ReadJudge(folder, set.info(), /*discriminator=*/false);
  }
  const auto examples = models::ExamplesOf(set);
  eval::Judge judge{.model = models::ClassifierNamed(
                        primary.name, examples->shape(), examples->classes()),
                    .params = {},
                    .classes = set.info().classes};
  algorithms::CentralOptions options{
      .epochs = primary.epochs,
      .batch_size = primary.batch_size,
      .adam = {.learning_rate = primary.learning_rate},
      .seed = static_cast<std::uint64_t>(config.seed),
      .device = device.torch,
      .threads = device.threads};
  base::Progress progress(
      "classifier",
      static_cast<std::uint64_t>(algorithms::CentralSteps(*examples, options)),
      "steps");
  options.progress = [&](std::int64_t) { progress.Advance(); };
  judge.params = algorithms::TrainCentrally(judge.model, *examples, options);

  std::vector<base::TensorOut> tensors;
  const params::NamedTensors named =
      params::ToNamed(judge.model.layout(), judge.params, kModel);
  for (const auto& [name, tensor] : named) {
    tensors.push_back(
        {.name = name,
         .shape = {tensor.sizes().begin(), tensor.sizes().end()},
         .bytes = {static_cast<const std::byte*>(tensor.data_ptr()),
                   static_cast<std::size_t>(tensor.nbytes())}});
  }
  base::Metadata metadata = {
      {"schema", "sfumato.classifier/1"},
      {"model", primary.name},
      {"input", models::ToText(judge.model.input())},
      {"classes", std::to_string(judge.model.output().size())},
      {"provenance", "public: trained on generated people"}};
  metadata.merge(plan::ClassNamesFor(judge.classes));
  base::WriteSafetensors(folder / kFile, tensors, metadata);
  return judge;
}

}  // namespace sfumato::train
