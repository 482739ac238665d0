#include "census/references.h"

#include "base/error.h"
#include "base/progress.h"
#include "census/drawn_references.h"
#include "fmt/format.h"
#include "plan/reference_run.h"
#include "plan/training_data.h"

namespace sfumato::census {
namespace {

References DrawnBy(const base::Path& folder, const Census& census) {
  const plan::ReferenceRun run =
      plan::ReadReferenceRun(folder, census.job.ledger_key);
  const base::Path pool = census.job.folder / "reference";
  const DrawOptions options{.seed =
                                static_cast<std::uint64_t>(census.config.seed)};
  DrawReferences(folder, options, pool);
  References references{.set = std::make_unique<data::FederatedDataset>(pool),
                        .record = {}};
  const bool text = references.set->info().kind == data::Kind::kText;
  references.record = {
      .words = fmt::format(
          "{} drawn from the run {}",
          base::HumanCount(static_cast<std::uint64_t>(options.count),
                           text ? "sentence" : "image"),
          run.name),
      .provenance = run.released ? "released" : "public",
      .epsilon = run.epsilon,
      .delta = run.delta,
      .population = run.population,
      .crc32c = references.set->Fingerprint(),
      .alike = !plan::AreOther(census.config.census,
                               census.people().set->info().origin,
                               data::Origin::kGenerated)};
  return references;
}

}  // namespace

References OpenReferences(const Census& census) {
  if (const auto run = plan::RunOfReference(census.config.census)) {
    return DrawnBy(*run, census);
  }
  const config::DataConfig config = plan::ReferenceData(census.config);
  References references;
  if (config.generate.empty()) {
    references.set = std::make_unique<data::FederatedDataset>(config.path);
    references.set->CheckSums();
  } else {
    references.set =
        plan::OpenTrainingData(config, census.job.folder / "reference").set;
  }
  const data::FederatedDataset& set = *references.set;
  references.record = {
      .words = config.generate.empty()
                   ? set.info().name
                   : fmt::format("{}, {} generated people who are not asked",
                                 config.generate, config.users),
      .provenance = std::string(data::Name(set.info().origin)),
      .crc32c = set.Fingerprint(),
      .alike = !plan::AreOther(census.config.census,
                               census.people().set->info().origin,
                               set.info().origin)};
  return references;
}

runs::ReferenceRecord ReferenceOfStored(const Census& census) {
  const base::Path folder = base::NormalFolder(census.config.census.voter);
  const base::Path earlier = folder.parent_path();
  if (!runs::IsCensus(earlier)) {
    if (census.record.simulation) {
      return {.words = "not known", .alike = false};
    }
    throw Unsupported("a voter of unknown references", "census.voter",
                      "name the folder `voter` inside of its census's folder, "
                      "whose record says what it learned from");
  }
  const runs::CensusRecord made = runs::ReadCensus(earlier);
  if (made.voter_crc32c != runs::SumOfVoter(folder, made.reference)) {
    throw BadInput("a voter that is not the one its census voted with",
                   folder.string(),
                   "it was changed since: restore it, or learn another one");
  }
  const std::string& provenance = made.reference.provenance;
  const bool is_public = provenance == data::Name(data::Origin::kPublic);
  const bool is_made = provenance == data::Name(data::Origin::kGenerated) ||
                       provenance == "released";
  if (!is_public && !is_made && !census.record.simulation) {
    throw Unsupported("a voter that learned from references of unknown origin",
                      folder.string(),
                      "name one that learned from public or generated "
                      "references, or from released draws");
  }
  runs::ReferenceRecord reference = made.reference;
  // Alike to the users of this census, not to those of the earlier one.
  reference.alike =
      (is_public || is_made) &&
      !plan::AreOther(
          census.config.census, census.people().set->info().origin,
          is_public ? data::Origin::kPublic : data::Origin::kGenerated);
  return reference;
}

}  // namespace sfumato::census
