#include "plan/earlier.h"

#include <filesystem>
#include <string>

#include "base/error.h"
#include "runs/census.h"
#include "runs/contrast.h"

namespace sfumato::plan {

runs::Earlier EarlierIn(const base::Path& folder, bool text) {
  const auto refuse = [&](const char* what, const std::string& todo) {
    return BadInput(what, "--verify " + folder.string(), todo);
  };
  const std::string name = "name the folder of an inspection that was finished";
  if (!std::filesystem::exists(folder)) throw refuse("no such folder", name);
  if (!runs::IsInspection(folder)) {
    throw refuse("the folder holds no inspection", name);
  }
  if (!runs::HasContrast(folder)) {
    throw refuse("an inspection that has found nothing yet",
                 "let it end first: sfumato resume " + folder.string());
  }
  const runs::Contrast contrast = runs::ReadContrast(folder);
  if (contrast.compared && contrast.text.has_value() != text) {
    throw refuse(text ? "an inspection of images, where text is inspected"
                      : "an inspection of text, where images are inspected",
                 "name an inspection of the same kind of data");
  }
  const runs::InspectionRecord record = runs::ReadInspection(folder);
  runs::Earlier earlier{
      .folder = base::NormalFolder(folder).filename().string(),
      .verdict = std::string(runs::Name(contrast.verdict)),
      .rule_b = record.b.rule,
      .users_b = record.b.users.value};
  if (!contrast.hypotheses.empty() && contrast.hypotheses[0].supported) {
    earlier.hypothesis = contrast.hypotheses[0].words;
    earlier.explained = contrast.hypotheses[0].explained.value;
  }
  const base::Path votes = folder / runs::kCensusFolder;
  if (!runs::IsCensus(votes)) return earlier;
  const runs::CensusRecord census = runs::ReadCensus(votes);
  if (!census.answer) return earlier;
  earlier.census_verdict = census::Name(census.answer->verdict);
  earlier.census_keys = runs::NamedKeys(*census.answer);
  earlier.census_words = runs::NamedText(*census.answer);
  earlier.census_share = 1;
  for (const census::CellAnswer& one : census.answer->answers) {
    if (!one.supported) continue;
    earlier.census_share = std::min(earlier.census_share, std::abs(one.share));
  }
  return earlier;
}

}  // namespace sfumato::plan
