#include "plan/vote_source.h"

#include <filesystem>
#include <vector>

#include "base/error.h"
#include "base/suggest.h"
#include "data/dataset.h"
#include "fmt/format.h"
#include "report/number_text.h"
#include "runs/census.h"

namespace sfumato::plan {
namespace {

void CheckAnswer(const std::string& answer, const runs::CensusRecord& census) {
  std::vector<std::string> known;
  for (const census::Cell& cell : census.calibration.cells) {
    if (cell.key == answer) return;
    known.push_back(cell.key);
  }
  throw BadInput(fmt::format("the census has no answer '{}'", answer),
                 "select.answer", base::DidYouMean(answer, known));
}

bool IsOpen(const runs::ReferenceRecord& reference) {
  return reference.provenance == data::Name(data::Origin::kPublic) ||
         reference.provenance == data::Name(data::Origin::kGenerated);
}

// What was released before anybody could choose an answer.
std::string NotCounted(const config::SelectConfig& select,
                       const std::string& name,
                       const runs::CensusRecord& census) {
  const std::string begin = fmt::format(
      "the answer '{}' may have been chosen after a look at the "
      "census '{}'",
      select.answer, name);
  if (census.simulation) return begin + ", a simulation";
  return fmt::format(
      "{}, which cost '{}' ε {} at δ {}: this is a new plan, and what bounds "
      "both together is the ledger's filter",
      begin, census.privacy.population,
      report::BoundText(census.privacy.epsilon),
      report::SmallText(census.privacy.delta));
}

}  // namespace

VoteSource ReadVoteSource(const config::SelectConfig& select, bool simulation) {
  constexpr const char* kKey = "select.census";
  if (select.census.empty()) {
    throw BadInput("users are chosen by their vote, and no census is named",
                   kKey, "name the folder that sfumato census made");
  }
  const base::Path folder = base::NormalFolder(select.census);
  const runs::CensusRecord census = runs::ReadCensus(folder);
  VoteSource source{.voter = folder / "voter"};
  if (census.voter_crc32c.empty() ||
      !std::filesystem::exists(source.voter / "voter.json")) {
    throw BadInput("a census without a voter", folder.string(),
                   "let it come to its end: sfumato resume " + folder.string());
  }
  source.sum = runs::SumOfVoter(source.voter, census.reference);
  if (source.sum != census.voter_crc32c) {
    throw BadInput("a voter that is not the one its census voted with",
                   source.voter.string(),
                   "it was changed since: restore it, or run another census");
  }
  if (census.calibration.about == census::About::kClasses) {
    throw BadInput("a census about classes", kKey,
                   "name one about damage; users of a class are chosen by "
                   "select.by = \"class\"");
  }
  CheckAnswer(select.answer, census);
  if (!simulation && !IsOpen(census.reference)) {
    throw Unsupported(
        fmt::format("a voter that learned from references of another kind{}{}",
                    census.reference.provenance.empty() ? "" : ": ",
                    census.reference.provenance),
        kKey,
        "on private data only voters that learned from public or generated "
        "references choose users");
  }
  const std::string name = folder.filename().string();
  source.words = "the voter of the census " + name;
  source.not_counted = NotCounted(select, name, census);
  return source;
}

}  // namespace sfumato::plan
