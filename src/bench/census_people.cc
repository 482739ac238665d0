#include "bench/census_people.h"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/secure_random.h"
#include "census/voter/made_up_text.h"
#include "census/voter/text_words.h"
#include "data/generate/forum.h"
#include "data/generate/handwriting.h"
#include "fmt/format.h"

namespace sfumato::bench {
namespace {

namespace fs = std::filesystem;
using base::Path;
using data::FederatedDataset;

constexpr std::uint64_t kPeople = 1200;  // generated
constexpr std::uint64_t kReferencePeople = 5000;
constexpr double kExamples = 60;
constexpr std::size_t kDamaged = 240;  // users whose damaged votes are taken

bool IsGenerator(const std::string& name) {
  return name == "handwriting" || name == "forum";
}

std::unique_ptr<FederatedDataset> Open(const std::string& name,
                                       std::uint64_t users, std::uint64_t seed,
                                       const Path& folder) {
  if (!IsGenerator(name)) {
    auto set = std::make_unique<FederatedDataset>(name);
    if (set->info().origin == data::Origin::kPrivate) {
      throw Unsupported(
          "private data in a measurement that shows what people "
          "vote, without noise",
          name,
          "give a set that is declared public or generated; "
          "sfumato census asks private users, with noise");
    }
    return set;
  }
  if (name == "forum") {
    data::MakeForum({.users = users, .seed = seed, .mean_sentences = kExamples},
                    folder, name);
  } else {
    data::MakeHandwriting(
        {.users = users, .seed = seed, .mean_examples = kExamples}, folder,
        name);
  }
  return std::make_unique<FederatedDataset>(folder);
}

void WriteImages(const data::User& user,
                 const std::vector<const Damage*>& damages, base::Rng& rng,
                 data::DatasetWriter& out) {
  census::ImageSet set{.shape = out.info().image};
  const std::size_t n = std::min(user.size(), CensusPeople::kMost);
  std::vector<std::span<const std::int32_t>> columns;
  for (std::size_t i = 0; i < n; ++i) {
    const data::Example example = user[i * user.size() / n];
    set.images.emplace_back(example.pixels.begin(), example.pixels.end());
    set.labels.push_back(example.label);
    columns.push_back(example.columns);
  }
  for (const Damage* damage : damages) damage->images(set, rng);
  for (std::size_t i = 0; i < n; ++i) {
    out.Add({.pixels = set.images[i],
             .label = set.labels[i],
             .columns = columns[i]});
  }
}

}  // namespace

Scratch::Scratch()
    : folder_(
          base::FreeName(fs::temp_directory_path() /
                         fmt::format("sfumato_bench_{:08x}",
                                     base::SecureRandom()() & 0xffffffffu))) {
  fs::create_directories(folder_);
}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

CensusPeople::CensusPeople(const CensusBench& job) : job_(job) {
  OpenData();
  ChooseUsers();
}

void CensusPeople::OpenData() {
  people_ = Open(job_.people, kPeople, job_.seed, scratch_ / "people");
  std::string reference = job_.reference;
  if (reference.empty() && IsGenerator(job_.people)) reference = job_.people;
  if (reference.empty()) {
    HalveUsers();
  } else {
    reference_ = Open(reference, kReferencePeople, job_.seed + 7777,
                      scratch_ / "reference");
  }
  if (reference_->info().kind != people_->info().kind) {
    throw BadInput("people and references of two kinds", "--reference",
                   "give images for images, or text for text");
  }
  if (change()) HalveExamples();
  if (is_text()) ReadSource();
}

std::unique_ptr<FederatedDataset> CensusPeople::Part(
    const char* name, std::span<const std::size_t> users,
    const std::function<bool(std::size_t example)>& keep) const {
  data::DatasetWriter out(scratch_ / name, people_->info());
  for (const std::size_t u : users) {
    const data::User user = people_->user(u);
    out.BeginUser(user.id());
    for (std::size_t i = 0; i < user.size(); ++i) {
      if (keep(i)) out.Add(user[i]);
    }
  }
  out.Finish();
  return std::make_unique<FederatedDataset>(scratch_ / name);
}

// One half of the users are the references, the others are asked.
void CensusPeople::HalveUsers() {
  std::vector<std::size_t> users(people_->users());
  std::iota(users.begin(), users.end(), 0);
  base::Rng rng(job_.seed, {base::Key("halves")});
  rng.Shuffle(std::span(users));
  const std::size_t half = users.size() / 2;
  const auto all = [](std::size_t) { return true; };
  reference_ = Part("half_reference", std::span(users).first(half), all);
  people_ = Part("half_people", std::span(users).subspan(half), all);
}

// Every other example of each user was there before.
void CensusPeople::HalveExamples() {
  std::vector<std::size_t> users;
  for (std::size_t u = 0; u < people_->users(); ++u) {
    if (people_->user_size(u) >= 2 * kLeast) users.push_back(u);
  }
  before_ = Part("before", users, [](std::size_t i) { return i % 2 == 0; });
  people_ = Part("now", users, [](std::size_t i) { return i % 2 == 1; });
}

void CensusPeople::ReadSource() {
  std::vector<std::string> sentences;
  census::TextPeople people;
  for (census::TextPerson& person : census::ReferencePeople(*reference_)) {
    people.push_back(person.tokens);
    sentences.insert(sentences.end(), person.tokens.begin(),
                     person.tokens.end());
  }
  source_ = census::SourceOf(std::move(sentences),
                             census::TextWords(people).capitals());
}

void CensusPeople::ChooseUsers() {
  for (std::size_t u = 0; u < people_->users(); ++u) {
    if (people_->user_size(u) >= kLeast) {
      users_.push_back(static_cast<std::int64_t>(u));
    }
  }
  if (users_.size() < 2) {
    throw BadInput(fmt::format("fewer than two users with {} examples", kLeast),
                   "--people", "give a set with users");
  }
  base::Rng rng(job_.seed, {base::Key("asked")});
  rng.Shuffle(std::span(users_));
}

FederatedDataset CensusPeople::Damaged(
    const std::vector<const Damage*>& damages) const {
  base::CheckInterrupted();
  const std::size_t count = std::min(kDamaged, users_.size());
  const Path folder = scratch_ / "damaged";
  fs::remove_all(folder);
  data::DatasetInfo info = people_->info();
  if (is_text()) info.text_form = data::TextForm::kTokens;
  info.sums.clear();
  data::DatasetWriter out(folder, info);
  std::uint64_t stream = 0;
  for (const Damage* damage : damages) stream ^= base::Key(damage->Text());
  for (std::size_t u = 0; u < count; ++u) {
    const data::User user = people_->user(static_cast<std::size_t>(users_[u]));
    base::Rng rng(job_.seed, {base::Key("damaged"), stream, u});
    out.BeginUser(user.id());
    if (is_text()) {
      WriteText(user, damages, rng, out);
    } else {
      WriteImages(user, damages, rng, out);
    }
  }
  out.Finish();
  return FederatedDataset(folder);
}

void CensusPeople::WriteText(const data::User& user,
                             const std::vector<const Damage*>& damages,
                             base::Rng& rng, data::DatasetWriter& out) const {
  std::vector<census::TextChange> changes;
  for (const Damage* damage : damages) changes.push_back(damage->text(rng));
  const std::size_t n = std::min(user.size(), kMost);
  for (std::size_t i = 0; i < n; ++i) {
    const data::Example example = user[i * user.size() / n];
    std::string text(example.text);
    data::TextForm form = people_->info().text_form;
    for (std::size_t d = 0; d < damages.size(); ++d) {
      if (!rng.Bernoulli(damages[d]->share)) continue;
      text = changes[d](text, form, rng);
      form = data::TextForm::kTokens;
    }
    out.Add({.text = census::HealthyTokens(text, form, source_.capitals),
             .label = example.label,
             .columns = example.columns});
  }
}

}  // namespace sfumato::bench
