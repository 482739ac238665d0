#include "app/training_data.h"

#include <filesystem>
#include <numeric>

#include "app/dataset_ledger.h"
#include "base/crc32c.h"
#include "base/error.h"
#include "base/random.h"
#include "data/generate/forum.h"
#include "data/generate/handwriting.h"
#include "data/transform/bugs.h"
#include "fmt/format.h"

namespace sfumato::app {
namespace {

constexpr const char* kGeneratedFolder = "data";
constexpr const char* kUnbrokenFolder = "data_before_the_bug";

// Whether a user is kept for testing: a function of the user's number, so that
// it stays the same when others join.
bool IsTestUser(const runs::DataConfig& config, std::int64_t user) {
  return config.test_share > 0 &&
         base::Rng(static_cast<std::uint64_t>(config.seed),
                   {base::Key("test user"), static_cast<std::uint64_t>(user)})
                 .Uniform() < config.test_share;
}

std::int64_t TrainUsers(const runs::DataConfig& config, std::int64_t users) {
  if (config.test_share == 0) return users;
  std::int64_t count = 0;
  for (std::int64_t user = 0; user < users; ++user) {
    count += IsTestUser(config, user) ? 0 : 1;
  }
  return count;
}

constexpr const char* kForum = "forum";

data::ForumOptions ForumOf(const runs::DataConfig& config) {
  return {.users = static_cast<std::uint64_t>(config.users),
          .seed = static_cast<std::uint64_t>(config.seed),
          .mean_sentences = static_cast<double>(config.examples)};
}

std::string ShapeText(const data::DatasetInfo& info) {
  return info.kind == data::Kind::kImages
             ? fmt::format("images of {}×{}×{}, {} classes", info.image.height,
                           info.image.width, info.image.channels,
                           info.classes.size())
             : fmt::format("{} {}, {} classes", info.feature_count,
                           data::Name(info.kind), info.classes.size());
}

void Generate(const runs::DataConfig& config, const base::Path& folder) {
  if (config.generate == kForum) {
    data::MakeForum(ForumOf(config), folder, config.generate);
    return;
  }
  data::MakeHandwriting({.users = static_cast<std::uint64_t>(config.users),
                         .seed = static_cast<std::uint64_t>(config.seed),
                         .mean_examples = static_cast<double>(config.examples)},
                        folder, config.generate);
}

// The set at `from` with the config's bug, as `folder`.
void Break(const runs::DataConfig& config, const base::Path& from,
           const base::Path& folder) {
  const data::FederatedDataset set(from);
  if (set.info().origin == data::Origin::kPrivate) {
    throw BadInput("a bug put into private data", "data.bug",
                   "bugs are for generated or public data; leave it out");
  }
  data::ApplyBug(set,
                 {.bug = config.bug,
                  .share = config.bug_share,
                  .of = config.bug_of == "examples" ? data::BugScope::kExamples
                                                    : data::BugScope::kUsers,
                  .seed = static_cast<std::uint64_t>(config.bug_seed),
                  .name = set.info().name},
                 folder);
}

base::Path FolderOf(const runs::DataConfig& config,
                    const base::Path& run_folder) {
  const bool generated = !config.generate.empty();
  if (!generated && config.bug.empty()) return config.path;
  const base::Path folder = run_folder / kGeneratedFolder;
  if (std::filesystem::exists(folder)) return folder;
  if (config.bug.empty()) {
    Generate(config, folder);
    return folder;
  }
  const base::Path before = run_folder / kUnbrokenFolder;
  if (generated && !std::filesystem::exists(before)) Generate(config, before);
  Break(config, generated ? before : base::Path(config.path), folder);
  if (generated) std::filesystem::remove_all(before);
  return folder;
}

std::string DescriptionSum(const base::Path& folder) {
  return fmt::format("{:08x}",
                     base::Crc32c(base::ReadFile(folder / "dataset.json")));
}

}  // namespace

void CheckAlike(const data::DatasetInfo& other, const data::DatasetInfo& own,
                const std::string& where) {
  if (other.kind == own.kind && other.image == own.image &&
      other.feature_count == own.feature_count &&
      other.classes == own.classes) {
    return;
  }
  throw BadInput(
      fmt::format("{}, where the run has {}{}", ShapeText(other),
                  ShapeText(own),
                  ShapeText(other) == ShapeText(own) ? " of other names" : ""),
      where, "give data of the same kind");
}

std::unique_ptr<data::FederatedDataset> OpenPublicSet(
    const base::Path& folder, const data::DatasetInfo& own) {
  auto set = std::make_unique<data::FederatedDataset>(folder);
  const data::DatasetInfo& info = set->info();
  if (info.origin == data::Origin::kPrivate) {
    throw BadInput("private data in the place of public ones",
                   "data.public_path",
                   "every device gets them: name a set that is declared public "
                   "or generated");
  }
  if (info.kind != own.kind || !(info.image == own.image) ||
      info.feature_count != own.feature_count) {
    throw BadInput(fmt::format("{}, where the users have {}", ShapeText(info),
                               ShapeText(own)),
                   "data.public_path",
                   "give examples of the same kind and shape; their classes do "
                   "not matter");
  }
  return set;
}

DataFacts TrainingData::facts() const {
  DataFacts facts{.name = set->info().name,
                  .origin = set->info().origin,
                  .users = static_cast<std::int64_t>(users.size())};
  if (facts.origin == data::Origin::kPrivate) {
    facts.dataset_ids.push_back(set->info().id);
  }
  return facts;
}

TrainingData OpenTrainingData(const runs::DataConfig& config,
                              const base::Path& run_folder) {
  TrainingData data;
  const base::Path folder = FolderOf(config, run_folder);
  data.set = std::make_unique<data::FederatedDataset>(folder);
  RequireId(data.set->info(), folder.string());
  data.description_crc32c = DescriptionSum(folder);
  if (!data.set->info().grouped) {
    throw BadInput("a pool of examples that nobody owns", config.path,
                   "make users of it: sfumato data split");
  }
  for (std::int64_t user = 0;
       user < static_cast<std::int64_t>(data.set->users()); ++user) {
    (IsTestUser(config, user) ? data.test_users : data.users).push_back(user);
  }
  if (!config.test_path.empty()) {
    data.test_set = std::make_unique<data::FederatedDataset>(config.test_path);
    CheckAlike(data.test_set->info(), data.set->info(), "data.test_path");
    data.test_users.resize(data.test_set->users());
    std::iota(data.test_users.begin(), data.test_users.end(), 0);
  }
  if (!config.public_path.empty()) {
    data.public_set = OpenPublicSet(config.public_path, data.set->info());
    data.description_crc32c += "-" + DescriptionSum(config.public_path);
  }
  return data;
}

data::WordCounts WordsBeforeTheBug(const runs::DataConfig& config) {
  if (config.generate.empty()) {
    return data::CountWords(data::FederatedDataset(base::Path(config.path)));
  }
  const data::Forum forum(ForumOf(config));
  data::WordCounter counter;
  for (std::int64_t user = 0; user < config.users; ++user) {
    for (const std::string& sentence :
         forum.Sentences(static_cast<std::uint64_t>(user))) {
      counter.Add(sentence, data::TextForm::kRaw);
    }
  }
  return counter.Counts();
}

data::DatasetInfo InfoOf(const runs::DataConfig& config) {
  if (config.generate == kForum) return data::ForumInfo(config.generate);
  if (!config.generate.empty()) {
    return data::Handwriting({}).Info(config.generate);
  }
  return data::FederatedDataset(base::Path(config.path)).info();
}

DataFacts FactsOf(const runs::DataConfig& config) {
  if (!config.generate.empty()) {
    return {.name = config.generate,
            .origin = data::Origin::kGenerated,
            .users = TrainUsers(config, config.users)};
  }
  runs::DataConfig as_it_is = config;
  as_it_is.bug = "";
  return OpenTrainingData(as_it_is, "").facts();
}

}  // namespace sfumato::app
