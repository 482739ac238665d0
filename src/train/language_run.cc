#include "train/language_run.h"

#include <utility>
#include <vector>

#include "base/error.h"
#include "fmt/format.h"
#include "runs/run.h"
#include "train/run_model.h"

namespace sfumato::train {

LanguageRun ReadLanguageRun(const base::Path& folder, std::int64_t round) {
  const config::TrainConfig config = runs::ReadRun(folder).config;
  if (TraitsFor(config).reads == Reads::kPixels) {
    throw BadInput(
        fmt::format("a run of {}, which models no language", config.model.name),
        folder.string(), "name a run of a language model");
  }
  RunModel run = ReadRunModel(folder, round);
  const auto& model = dynamic_cast<const LanguageModel&>(*run.model);
  return {.config = std::move(run.config),
          .vocabulary = model.vocabulary(),
          .model = model.network(),
          .params = std::move(run.params),
          .round = run.round};
}

LikelyWords MostLikelyWords(std::span<const LanguageRun> runs,
                            std::int64_t count) {
  std::vector<at::Tensor> params;
  for (const LanguageRun& run : runs) params.push_back(run.params);
  return MostLikelyWords(runs.front().model, at::cat(params),
                         runs.front().config.text.longest_word, count);
}

}  // namespace sfumato::train
