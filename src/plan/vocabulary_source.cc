#include "plan/vocabulary_source.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "fmt/format.h"
#include "plan/run_vocabulary.h"

namespace sfumato::plan {
namespace {

constexpr std::string_view kEvent = "Event: ";
constexpr std::string_view kRun = "Ledger run: ";
constexpr std::string_view kSum = "Sum of the words: ";

constexpr std::string_view kCounted = "Counted exactly: ";
// As lists of older programs say, without whose words they were.
constexpr std::string_view kCountedSomewhere = "Counted exactly in '";
constexpr std::string_view kCountedByARun =
    " most frequent words, counted exactly: for simulations only.";
constexpr const char* kUnknownOrigin = "?";
constexpr const char* kWhere = "text.vocabulary_is";
constexpr const char* kMeanings =
    "public: a list that never saw these users' words; released: chosen from "
    "them by `sfumato data vocabulary`, whose cost is in this ledger";

// What a file says of itself, and the sum of its words.
std::pair<VocabularySource, std::string> ReadSource(const std::string& path) {
  const data::VocabularyText text =
      data::ParseVocabulary(base::ReadFile(path), path);
  return {SourceOf(text, path), data::Vocabulary(text.words).Sum()};
}

}  // namespace

std::vector<std::string> RemarksOf(const VocabularySource& source) {
  std::vector<std::string> remarks = source.remarks;
  if (source.event) {
    remarks.push_back(std::string(kEvent) + dp::ToJson(*source.event).dump());
  }
  if (!source.ledger_run.empty()) {
    remarks.push_back(std::string(kRun) + source.ledger_run);
  }
  if (!source.sum.empty()) {
    remarks.push_back(std::string(kSum) + source.sum);
  }
  if (!source.counted.empty()) {
    remarks.push_back(std::string(kCounted) + source.counted);
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
    } else if (remark.starts_with(kSum)) {
      source.sum = remark.substr(kSum.size());
    } else if (remark.starts_with(kCounted)) {
      source.counted = remark.substr(kCounted.size());
    } else {
      source.remarks.push_back(remark);
    }
  }
  const auto counted = [](const std::string& remark) {
    return remark.starts_with(kCountedSomewhere) ||
           remark.ends_with(kCountedByARun);
  };
  if (source.counted.empty() && std::ranges::any_of(source.remarks, counted)) {
    source.counted = kUnknownOrigin;
  }
  return source;
}

void RequireVocabulary(const config::TrainConfig& config, bool simulation,
                       const std::string& population) {
  if (simulation || !config::ModelsLanguage(config)) return;
  if (config.text.vocabulary.empty()) {
    throw Unsupported(
        "private text without a vocabulary", "text.vocabulary",
        "give a public list of words, or have one chosen privately: sfumato "
        "data vocabulary; the words that people use are themselves private");
  }
  if (config.text.vocabulary_is == config::Provenance::kUnknown) {
    throw Unsupported("a vocabulary for private text, of unknown origin",
                      kWhere, kMeanings);
  }
  // A run that began has its own copy; a new one will miss the file.
  if (!std::filesystem::exists(config.text.vocabulary)) return;
  const VocabularySource source = ReadSource(config.text.vocabulary).first;
  const bool is_public =
      config.text.vocabulary_is == config::Provenance::kPublic;
  const bool nobodys = source.counted.empty() ||
                       source.counted == data::Name(data::Origin::kPublic) ||
                       source.counted == data::Name(data::Origin::kGenerated);
  if (is_public && !nobodys) {
    throw Unsupported(
        "words that were counted exactly, in text of unknown origin, for "
        "private text",
        config.text.vocabulary,
        "count them again in public text (sfumato data vocabulary --exact), or "
        "have them chosen privately");
  }
  if (!source.event || population.empty()) return;
  const std::string root = source.event->population.Root();
  if (is_public == (root == population)) {
    throw Unsupported(
        fmt::format(
            "a vocabulary declared {}, that was chosen "
            "from '{}'{}",
            config::Word(config.text.vocabulary_is), root,
            is_public ? "" : fmt::format(" and not from '{}'", population)),
        kWhere, kMeanings);
  }
}

std::optional<VocabularySource> ReleasedVocabulary(
    const config::TrainConfig& config, const base::Path& run_folder) {
  if (config.text.vocabulary_is != config::Provenance::kReleased) return {};
  const base::Path kept = run_folder / kVocabularyFile;
  const std::string path = !run_folder.empty() && std::filesystem::exists(kept)
                               ? kept.string()
                               : config.text.vocabulary;
  if (path.empty()) {
    throw BadInput("a vocabulary declared released, and none is given", kWhere,
                   "name its file: text.vocabulary = \"words.txt\"");
  }
  const auto [source, sum] = ReadSource(path);
  if (!source.event) {
    throw BadInput(
        "a vocabulary declared released, that does not say how it was chosen",
        path, kMeanings);
  }
  if (source.sum != sum) {
    throw BadInput("a vocabulary that was changed since it was chosen", path,
                   "take the file that `sfumato data vocabulary` wrote");
  }
  return source;
}

void CheckInLedger(dp::Ledger& ledger, const VocabularySource& source,
                   const std::string& population) {
  const auto refuse = [](const std::string& what) {
    return Unsupported("a vocabulary declared released, " + what, kWhere,
                       kMeanings);
  };
  if (!source.event) throw refuse("that does not say how it was chosen");
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
  dp::Event expected = *source.event;
  expected.cohort =
      run->released.front().cohort;  // sums of the ledger have none
  if (run->released.front() != expected) {
    throw refuse(fmt::format("of which run '{}' says something else",
                             source.ledger_run));
  }
}

}  // namespace sfumato::plan
