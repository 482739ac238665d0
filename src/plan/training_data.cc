#include "plan/training_data.h"

#include <filesystem>
#include <numeric>
#include <string_view>
#include <unordered_set>

#include "base/error.h"
#include "base/random.h"
#include "data/generate/forum.h"
#include "data/generate/handwriting.h"
#include "data/transform/bugs.h"
#include "fmt/format.h"
#include "plan/dataset_ledger.h"

namespace sfumato::plan {
namespace {

constexpr const char* kGeneratedFolder = "data";
constexpr const char* kUnbrokenFolder = "data_before_the_bug";

// Whether a user is kept for testing: a function of the user's number, so that
// it stays the same when others join.
bool IsTestUser(const config::DataConfig& config, std::int64_t user) {
  return config.test_share > 0 &&
         base::Rng(static_cast<std::uint64_t>(config.seed),
                   {base::Key("test user"), static_cast<std::uint64_t>(user)})
                 .Uniform() < config.test_share;
}

std::int64_t TrainUsers(const config::DataConfig& config, std::int64_t users) {
  if (config.test_share == 0) return users;
  std::int64_t count = 0;
  for (std::int64_t user = 0; user < users; ++user) {
    count += IsTestUser(config, user) ? 0 : 1;
  }
  return count;
}

constexpr const char* kForum = "forum";

bool IsPrivate(const data::FederatedDataset& set) {
  return set.info().origin == data::Origin::kPrivate;
}

// What is computed on a test set is written as it is.
void RequireTestSet(const data::FederatedDataset& set) {
  if (!IsPrivate(set)) return;
  throw Unsupported("private data to test on", "data.test_path",
                    "accuracy on private records is itself private: name a set "
                    "that is declared public or generated, or leave it out");
}

// Every device gets them.
void RequirePublicSet(const data::FederatedDataset& set) {
  if (!IsPrivate(set)) return;
  throw Unsupported("private data in the place of public ones",
                    "data.public_path",
                    "every device gets them: name a set that is declared "
                    "public or generated");
}

void RequireAlikePrivate(data::Origin before, data::Origin now) {
  if ((before == data::Origin::kPrivate) == (now == data::Origin::kPrivate)) {
    return;
  }
  throw Unsupported(fmt::format("{} data before, {} now", data::Name(before),
                                data::Name(now)),
                    "data.before_path",
                    "both are records of the same people: declare both alike");
}

data::ForumOptions ForumOf(const config::DataConfig& config) {
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

void Generate(const config::DataConfig& config, const base::Path& folder) {
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
void Break(const config::DataConfig& config, const base::Path& from,
           const base::Path& folder) {
  const data::FederatedDataset set(from);
  CheckBug(config, set.info());
  data::ApplyBug(set,
                 {.bug = config.bug,
                  .share = config.bug_share,
                  .of = config.bug_of == config::BugScope::kExamples
                            ? data::BugScope::kExamples
                            : data::BugScope::kUsers,
                  .seed = static_cast<std::uint64_t>(config.bug_seed),
                  .name = set.info().name},
                 folder);
}

base::Path FolderOf(const config::DataConfig& config,
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

}  // namespace

config::DataConfig DataBefore(const config::DataConfig& now) {
  config::DataConfig before = now;
  before.bug = "";
  if (!now.before_path.empty()) {
    before.path = now.before_path;
    before.generate = "";
  }
  return before;
}

void CheckBefore(const data::FederatedDataset& before,
                 const data::FederatedDataset& now) {
  constexpr const char* kWhere = "data.before_path";
  if (before.info().kind != now.info().kind ||
      !(before.info().image == now.info().image)) {
    throw BadInput("data of another kind or shape", kWhere,
                   "name the same users' data as they were before");
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
      "two states of the same users' data are compared; to compare two groups "
      "of people, make one set of them and choose sides: select.by = "
      "\"column\"");
}

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

void CheckBug(const config::DataConfig& config, const data::DatasetInfo& info) {
  if (config.bug.empty()) return;
  if (info.origin == data::Origin::kPrivate) {
    throw BadInput("a bug put into private data", "data.bug",
                   "bugs are for generated or public data; leave it out");
  }
  data::FindBug(config.bug, info.kind);  // or throws
}

std::unique_ptr<data::FederatedDataset> OpenPublicSet(
    const base::Path& folder, const data::DatasetInfo& own) {
  auto set = std::make_unique<data::FederatedDataset>(folder);
  RequirePublicSet(*set);
  const data::DatasetInfo& info = set->info();
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
  return {.name = set->info().name,
          .origin = set->info().origin,
          .users = static_cast<std::int64_t>(users.size()),
          .dataset_ids = private_ids,
          .classes = static_cast<std::int64_t>(set->info().classes.size())};
}

void CheckOrigins(const config::DataConfig& config) {
  const auto open = [](const std::string& folder) {
    return data::FederatedDataset(base::Path(folder));
  };
  data::Origin origin = data::Origin::kGenerated;
  if (config.generate.empty()) {
    const data::FederatedDataset set = open(config.path);
    origin = set.info().origin;
    RequireId(set.info(), config.path);
    CheckBug(config, set.info());
  }
  if (!config.test_path.empty()) RequireTestSet(open(config.test_path));
  if (!config.public_path.empty()) RequirePublicSet(open(config.public_path));
  if (config.before_path.empty()) return;
  const data::FederatedDataset before = open(config.before_path);
  RequireAlikePrivate(before.info().origin, origin);
  RequireId(before.info(), config.before_path);
}

namespace {

// Of a private set nothing names the user.
void RequireEachUserOnce(const data::FederatedDataset& set) {
  std::unordered_set<std::string_view> ids;
  for (std::size_t user = 0; user < set.users(); ++user) {
    std::string_view id;
    try {
      id = set.user(user).id();
    } catch (const Error&) {
      continue;  // a damaged record is refused, or left out, where it is read
    }
    if (!ids.insert(id).second) {
      throw BadInput("the same user comes twice", set.info().name,
                     "write the set anew with all examples of a user together");
    }
  }
}

}  // namespace

void TrainingData::CheckSums() const {
  for (const auto* opened : {&set, &test_set, &public_set}) {
    if (*opened) (*opened)->CheckSums();
  }
  RequireEachUserOnce(*set);
}

void CheckSums(const config::DataConfig& config) {
  for (const std::string& path : {config.path, config.before_path,
                                  config.test_path, config.public_path}) {
    if (!path.empty()) data::FederatedDataset{base::Path(path)}.CheckSums();
  }
}

TrainingData OpenTrainingData(const config::DataConfig& config,
                              const base::Path& run_folder) {
  CheckOrigins(config);
  TrainingData data;
  const base::Path folder = FolderOf(config, run_folder);
  data.set = std::make_unique<data::FederatedDataset>(folder);
  if (IsPrivate(*data.set)) {
    data.private_ids.push_back(data.set->info().id);
    if (!config.before_path.empty()) {
      data.private_ids.push_back(
          data::FederatedDataset(base::Path(config.before_path)).info().id);
    }
  }
  data::CheckDeclared(data.set->info(), folder.string());
  data.description_crc32c = data.set->Fingerprint();
  if (!data.set->info().grouped) {
    throw data::NoUsers(data.set->info(), config.path);
  }
  for (std::int64_t user = 0;
       user < static_cast<std::int64_t>(data.set->users()); ++user) {
    (IsTestUser(config, user) ? data.test_users : data.users).push_back(user);
  }
  if (!config.test_path.empty()) {
    data.test_set = std::make_unique<data::FederatedDataset>(config.test_path);
    RequireTestSet(*data.test_set);
    CheckAlike(data.test_set->info(), data.set->info(), "data.test_path");
    data.test_users.resize(data.test_set->users());
    std::iota(data.test_users.begin(), data.test_users.end(), 0);
  }
  if (!config.public_path.empty()) {
    data.public_set = OpenPublicSet(config.public_path, data.set->info());
    data.description_crc32c += "-" + data.public_set->Fingerprint();
  }
  return data;
}

data::WordCounts WordsBeforeTheBug(const config::DataConfig& config) {
  if (config.generate.empty()) {
    const data::FederatedDataset set{base::Path(config.path)};
    if (IsPrivate(set)) {
      throw Unsupported("exact counts of private words", config.path,
                        "have words chosen privately: sfumato data vocabulary");
    }
    return data::CountWords(set);
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

data::DatasetInfo InfoOf(const config::DataConfig& config) {
  if (config.generate == kForum) return data::ForumInfo(config.generate);
  if (!config.generate.empty()) {
    return data::Handwriting({}).Info(config.generate);
  }
  return data::FederatedDataset(base::Path(config.path)).info();
}

DataFacts FactsOf(const config::DataConfig& config) {
  CheckOrigins(config);
  if (!config.generate.empty()) {
    return {
        .name = config.generate,
        .origin = data::Origin::kGenerated,
        .users = TrainUsers(config, config.users),
        .classes = static_cast<std::int64_t>(InfoOf(config).classes.size())};
  }
  config::DataConfig as_it_is = config;
  as_it_is.bug = "";
  return OpenTrainingData(as_it_is, "").facts();
}

}  // namespace sfumato::plan
