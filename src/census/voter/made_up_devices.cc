#include "census/voter/made_up_devices.h"

#include <algorithm>
#include <cmath>

namespace sfumato::census {
namespace {

using base::Rng;

constexpr double kAsUsual = 0.7;  // of made-up users, where there are kinds
// Of who has few examples, at most that many times what they need.
constexpr double kFew = 1.5;

std::vector<UserKind> KindsOfUsers(const VoterOptions& options, bool grouped) {
  std::vector<UserKind> kinds = {{.words = "as usual"},
                                 {.words = "with few examples", .few = true}};
  if (!grouped && options.classes == 0) {
    kinds.push_back({.words = "of one class", .classes = 1});
    kinds.push_back({.words = "of two classes", .classes = 2});
  }
  if (options.change) {
    kinds.push_back({.words = "of other classes before", .other_mix = true});
  }
  return kinds;
}

ClassTemplates TemplatesOf(const data::FederatedDataset& reference,
                           const ReferenceUsers& users, bool labels,
                           fed::WorkerPool& pool) {
  if (!labels || reference.info().classes.empty()) return {};
  return {reference, users.All(Part::kLearn),
          ImagePoints(reference.info().image), pool};
}

ImageReader ReaderOf(const data::FederatedDataset& reference,
                     const ReferenceUsers& users, const VoterOptions& options,
                     fed::WorkerPool& pool) {
  if (options.progress) options.progress(0, "comparing classes");
  return {reference.info().image,
          TemplatesOf(reference, users, options.labels, pool)};
}

}  // namespace

// Of two states of a user's data both have to be made.
ReferenceOptions UsersFor(const VoterOptions& options) {
  const std::int64_t states = options.change ? 2 : 1;
  return {.least = states * options.least_examples,
          .most = states * options.most_examples,
          .classes = options.classes,
          .labels = options.labels,
          .seed = options.seed};
}

MadeUpDevices::MadeUpDevices(const data::FederatedDataset& reference,
                             const VoterOptions& options, fed::WorkerPool& pool)
    : reference_(reference),
      options_(options),
      pool_(pool),
      users_(reference, UsersFor(options)),
      kinds_(KindsOfUsers(options, users_.grouped())),
      reader_(ReaderOf(reference, users_, options, pool)) {}

std::int64_t MadeUpDevices::OfEachKind(std::int64_t users) const {
  return kinds_.size() == 1 ? users : (users + 1) / 2;
}

void MadeUpDevices::Make(
    const DeviceSeries& series,
    const std::function<void(const MadeUpDevice&)>& use) const {
  pool_.Run(static_cast<std::size_t>(series.count), [&](int, std::size_t i) {
    Rng rng(options_.seed, {base::Key(series.stream), i});
    const Truth truth = series.draw(i, rng);
    const UserKind& kind = series.kind != nullptr ? *series.kind : AnyKind(rng);
    const std::int64_t person = series.persons.empty() ? -1 : series.persons[i];
    Rows rows = RowsOf(series.part, person, kind, rng);
    Rows before;
    if (options_.change) before = TakeBefore(rows, kind, rng);
    ImageSet set = ImagesOf(reference_, rows);
    truth.damage(set, rng);
    use({.number = i,
         .images = set,
         .points = options_.change
                       ? reader_.Read(set, ImagesOf(reference_, before))
                       : reader_.Read(set),
         .truth = truth});
  });
}

const UserKind& MadeUpDevices::AnyKind(Rng& rng) const {
  if (kinds_.size() == 1 || rng.Bernoulli(kAsUsual)) return kinds_.front();
  return kinds_[1 + rng.Below(kinds_.size() - 1)];
}

MadeUpDevices::Rows MadeUpDevices::RowsOf(Part part, std::int64_t person,
                                          const UserKind& kind,
                                          Rng& rng) const {
  Rows rows = person < 0
                  ? users_.Draw(part, rng, kind.classes)
                  : users_.DrawOf(part, static_cast<std::size_t>(person), rng);
  if (kind.few) {  // they come in any order
    const auto least = static_cast<double>(UsersFor(options_).least);
    const double few = rng.Uniform(least, kFew * least + 1);
    rows.resize(std::min(rows.size(), static_cast<std::size_t>(few)));
  }
  return rows;
}

// Takes those before out of a user's examples, few or most of them.
MadeUpDevices::Rows MadeUpDevices::TakeBefore(Rows& rows, const UserKind& kind,
                                              Rng& rng) const {
  if (kind.other_mix) {
    std::ranges::stable_sort(rows, {}, [this](const ReferenceRow& row) {
      return reference_
          .user(static_cast<std::size_t>(
              row.user))[static_cast<std::size_t>(row.example)]
          .label;
    });
  }
  const auto size = static_cast<double>(rows.size());
  const double least =
      std::min(static_cast<double>(options_.least_examples), size / 2);
  const double fewer =
      std::exp(rng.Uniform(std::log(least), std::log(size / 2)));
  const double before = rng.Bernoulli(0.5) ? fewer : size - fewer;
  const auto cut = rows.begin() + std::lround(before);
  Rows taken(rows.begin(), cut);
  rows.erase(rows.begin(), cut);
  const auto most = static_cast<std::size_t>(options_.most_examples);
  for (Rows* part : {&taken, &rows}) {
    rng.Shuffle(std::span(*part));
    part->resize(std::min(part->size(), most));
  }
  return taken;
}

}  // namespace sfumato::census
