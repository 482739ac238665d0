#include "app/vocabulary_source.h"

#include <string_view>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "fmt/format.h"

namespace sfumato::app {
namespace {

constexpr std::string_view kEvent = "Event: ";
constexpr std::string_view kRun = "Ledger run: ";

constexpr const char* kWhere = "text.vocabulary_is";
constexpr const char* kMeanings =
    "public: a list that never saw these users' words; released: chosen from "
    "them by `sfumato data vocabulary`, whose cost is in this ledger";

}  // namespace

std::vector<std::string> RemarksOf(const VocabularySource& source) {
  std::vector<std::string> remarks = {source.words};
  if (source.event) {
    remarks.push_back(std::string(kEvent) + dp::ToJson(*source.event).dump());
  }
  if (!source.ledger_run.empty()) {
    remarks.push_back(std::string(kRun) + source.ledger_run);
  }
  return remarks;
}

VocabularySource SourceOf(const data::VocabularyText& text,
                          const std::string& where) {
  VocabularySource source;
  for (const std::string& remark : text.remarks) {
    if (remark.starts_with(kEvent)) {
      source.event = dp::EventFromJson(
          base::ParseJson(remark.substr(kEvent.size())), where);
    } else if (remark.starts_with(kRun)) {
      source.ledger_run = remark.substr(kRun.size());
    } else if (source.words.empty()) {
      source.words = remark;
    }
  }
  return source;
}

void RequireVocabulary(const runs::TrainConfig& config, bool simulation) {
  if (simulation || !runs::ModelsLanguage(config)) return;
  if (config.text.vocabulary.empty()) {
    throw Unsupported(
        "private text without a vocabulary", "text.vocabulary",
        "give a public list of words, or have one chosen privately: sfumato "
        "data vocabulary; the words that people use are themselves private");
  }
  if (config.text.vocabulary_is.empty()) {
    throw Unsupported("a vocabulary for private text, of unknown origin",
                      kWhere, kMeanings);
  }
}

std::optional<VocabularySource> ReleasedVocabulary(
    const runs::TrainConfig& config) {
  if (config.text.vocabulary_is != "released") return {};
  const std::string& path = config.text.vocabulary;
  if (path.empty()) {
    throw BadInput("a vocabulary declared released, and none is given", kWhere,
                   "name its file: text.vocabulary = \"words.txt\"");
  }
  VocabularySource source =
      SourceOf(data::ParseVocabulary(base::ReadFile(path), path), path);
  if (source.event) return source;
  throw BadInput(
      "a vocabulary declared released, that does not say how it was chosen",
      path, kMeanings);
}

void CheckInLedger(dp::Ledger& ledger, const VocabularySource& source,
                   const std::string& population) {
  const auto refuse = [](const std::string& what) {
    return Unsupported("a vocabulary declared released, " + what, kWhere,
                       kMeanings);
  };
  if (source.ledger_run.empty()) {
    throw refuse("that was chosen in a simulation and spent nothing");
  }
  const auto run = ledger.FindRun(source.ledger_run);
  if (!run || run->released.size() != 1) {
    throw refuse(
        fmt::format("whose run '{}' is not in this ledger", source.ledger_run));
  }
  if (run->population.Root() != population) {
    throw refuse(fmt::format("that was paid by '{}' and not by '{}'",
                             run->population.Root(), population));
  }
  dp::Event told = *source.event;
  told.cohort = run->released.front().cohort;  // sums of the ledger have none
  if (run->released.front() != told) {
    throw refuse(fmt::format("of which run '{}' tells something else",
                             source.ledger_run));
  }
}

}  // namespace sfumato::app
