#include "app/training_data.h"

#include <filesystem>
#include <numeric>

#include "base/error.h"
#include "base/random.h"
#include "data/generate/handwriting.h"
#include "fmt/format.h"

namespace sfumato::app {
namespace {

constexpr const char* kGeneratedFolder = "data";

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

base::Path FolderOf(const runs::DataConfig& config,
                    const base::Path& run_folder) {
  if (config.generate.empty()) return config.path;
  const base::Path folder = run_folder / kGeneratedFolder;
  if (!std::filesystem::exists(folder)) {
    data::MakeHandwriting(
        {.users = static_cast<std::uint64_t>(config.users),
         .seed = static_cast<std::uint64_t>(config.seed),
         .mean_examples = static_cast<double>(config.examples)},
        folder, config.generate);
  }
  return folder;
}

}  // namespace

DataFacts TrainingData::facts() const {
  return {.name = set->info().name,
          .origin = set->info().origin,
          .users = static_cast<std::int64_t>(users.size())};
}

TrainingData OpenTrainingData(const runs::DataConfig& config,
                              const base::Path& run_folder) {
  TrainingData data;
  data.set =
      std::make_unique<data::FederatedDataset>(FolderOf(config, run_folder));
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
    if (data.test_set->info().classes.size() !=
        data.set->info().classes.size()) {
      throw BadInput(fmt::format("{} classes, where the training data have {}",
                                 data.test_set->info().classes.size(),
                                 data.set->info().classes.size()),
                     "data.test_path", "test on data of the same kind");
    }
    data.test_users.resize(data.test_set->users());
    std::iota(data.test_users.begin(), data.test_users.end(), 0);
  }
  return data;
}

DataFacts FactsOf(const runs::DataConfig& config) {
  if (!config.generate.empty()) {
    return {.name = config.generate,
            .origin = data::Origin::kGenerated,
            .users = TrainUsers(config, config.users)};
  }
  const data::FederatedDataset set{base::Path(config.path)};
  return {.name = set.info().name,
          .origin = set.info().origin,
          .users = TrainUsers(config, static_cast<std::int64_t>(set.users()))};
}

}  // namespace sfumato::app
