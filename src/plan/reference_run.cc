#include "plan/reference_run.h"

#include <cmath>
#include <filesystem>
#include <vector>

#include "base/error.h"
#include "dp/accounting/partition.h"
#include "dp/ledger/ledger.h"
#include "fmt/format.h"
#include "plan/plan_ledger.h"
#include "plan/train_plan.h"
#include "report/number_text.h"
#include "runs/run.h"

namespace sfumato::plan {
namespace {

constexpr const char* kKey = "census.reference";

bool IsRun(const base::Path& folder) {
  return std::filesystem::exists(folder / "run.json");
}

Error Unknown(const std::string& what) {
  return Unsupported(what, kKey,
                     "name a run on generated or public data, or one whose "
                     "releases are in its population's ledger");
}

runs::RunRecord ReadBegun(const base::Path& folder) {
  runs::RunRecord record = runs::ReadRun(folder);
  if (!record.started) {
    throw Unknown("draws of a run that has not begun: nobody knows from what");
  }
  return record;
}

}  // namespace

std::string ReferenceRun::NotCounted() const {
  if (!released) return "";
  return fmt::format(
      "the references are draws of the run '{}', which cost '{}' ε {} at δ {}",
      name, population, report::BoundText(epsilon), report::SmallText(delta));
}

std::optional<base::Path> RunOfReference(const config::CensusConfig& config) {
  if (config.reference.empty() || config::GeneratesReference(config)) {
    return std::nullopt;
  }
  const base::Path folder = base::NormalFolder(config.reference);
  if (IsRun(folder)) return folder;
  if (folder.filename() == "samples" && IsRun(folder.parent_path())) {
    return folder.parent_path();
  }
  return std::nullopt;
}

void CheckReferenceRun(const base::Path& folder, const data::DatasetInfo& own) {
  const config::TrainConfig config = ReadBegun(folder).config;
  if (!config::Draws(config) || config::ModelsCharacters(config)) {
    throw BadInput("a run that draws neither images nor sentences", kKey,
                   "name the run of a generator or of a word model");
  }
  const data::Kind kind =
      config::ModelsLanguage(config) ? data::Kind::kText : data::Kind::kImages;
  if (kind == own.kind) return;
  throw BadInput(fmt::format("references are {}, where the users have {}",
                             data::Name(kind), data::Name(own.kind)),
                 kKey, "give references of the same kind and shape");
}

ReferenceRun ReadReferenceRun(const base::Path& folder,
                              const std::string& key) {
  const runs::RunRecord made = ReadBegun(folder);
  ReferenceRun run{.folder = folder, .name = folder.filename().string()};
  if (made.facts.simulation) return run;
  run.released = true;
  const base::Path path = LedgerPath(made.config, /*simulation=*/false, folder);
  if (made.facts.ledger_run.empty() || !std::filesystem::exists(path)) {
    throw Unknown("draws of a run on private data that is in no ledger");
  }
  dp::Ledger ledger = dp::Ledger::Open(path, key, dp::Ledger::Mode::kRead);
  const auto found = ledger.FindRun(made.facts.ledger_run);
  const std::vector<dp::Event> released =
      ReleasedBy(ledger, made.facts.ledger_run);
  if (!found || released.empty()) {
    throw Unknown(fmt::format(
        "draws of a run on private data, '{}', which its ledger does not have",
        made.facts.ledger_run));
  }
  run.population = found->population.Root();
  run.delta = ledger.TotalsOf(run.population).budget.delta;
  run.epsilon = dp::ComposedEpsilon(released, run.delta);
  if (!std::isfinite(run.epsilon)) {
    throw Unknown("draws of a run of which no ε is proven");
  }
  return run;
}

}  // namespace sfumato::plan
