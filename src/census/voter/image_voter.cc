#include "census/voter/image_voter.h"

#include <algorithm>

#include "base/error.h"
#include "base/interrupt.h"

namespace sfumato::census {
namespace {

// Of the test of fit, for references of another kind than the users.
constexpr double kForeignSlack = 2;
// For two damages: the reference users cannot show every pair.
constexpr double kPairSlack = 2;

}  // namespace

at::Tensor ImageVoter::Logits(const at::Tensor& points) const {
  return parts_.network.Judged(parts_.network.User(points).unsqueeze(0))
      .squeeze(0);
}

at::Tensor ImageVoter::Vector(const at::Tensor& points) const {
  const at::Tensor scaled = parts_.network.Scaled(points);
  return at::cat({scaled.mean(0), scaled.std(0, /*unbiased=*/false)});
}

std::vector<std::int64_t> ImageVoter::Marks(const at::Tensor& points) const {
  const at::Tensor logits = Logits(points);
  const at::Tensor vector = Vector(points);
  return parts_.ballot.Marks(
      {logits.data_ptr<float>(), static_cast<std::size_t>(logits.size(0))},
      parts_.options.marks, [&](std::int64_t state) {
        // Healthy users need not look like references of another kind.
        const bool foreign = parts_.options.foreign;
        if (foreign && state == kHealthyMark) return true;
        // States of the fit: healthy, the families, two at once.
        const bool pair = state + 1 == logits.size(0);
        return parts_.fit->Fits(
            state == kHealthyMark ? 0 : state + 1, vector, points.size(0),
            (foreign ? kForeignSlack : 1) * (pair ? kPairSlack : 1));
      });
}

const SplitFamily* ImageVoter::SplitOf(std::int64_t mark) const {
  const auto found =
      std::ranges::find(parts_.splits, mark, &SplitFamily::family);
  return found == parts_.splits.end() ? nullptr : &*found;
}

bool ImageVoter::MarksSplit(const std::vector<std::int64_t>& marks) const {
  return std::ranges::any_of(
      marks, [this](std::int64_t mark) { return SplitOf(mark) != nullptr; });
}

std::int64_t ImageVoter::CellOf(std::int64_t mark,
                                const at::Tensor& vector) const {
  const auto cannot_tell =
      static_cast<std::int64_t>(calibration_.CellOf(kCannotTell));
  if (mark == kHealthyMark) return 0;
  if (mark == kNoneMark) return cannot_tell - 1;
  if (mark == kUnsureMark) return cannot_tell;
  const SplitFamily* split = SplitOf(mark);
  if (split == nullptr) {
    return parts_.cell_of_family[static_cast<std::size_t>(mark)];
  }
  const at::Tensor row = vector.contiguous();
  return split->cells[split->choice.Choose(
      {row.data_ptr<float>(), static_cast<std::size_t>(row.numel())})];
}

std::vector<std::int64_t> ImageVoter::CellsOf(
    const std::vector<std::int64_t>& marks, const at::Tensor& vector) const {
  std::vector<std::int64_t> cells;
  for (const std::int64_t mark : marks) {
    const std::int64_t cell = CellOf(mark, vector);
    if (std::ranges::find(cells, cell) == cells.end()) cells.push_back(cell);
  }
  // A damage that has no cell tells nothing beside one that has.
  if (cells.size() > 1) {
    std::erase(cells,
               static_cast<std::int64_t>(calibration_.CellOf(kCannotTell)));
  }
  return cells;
}

bool ImageVoter::Reads(const data::DatasetInfo& info) const {
  return info.kind == data::Kind::kImages &&
         info.image == parts_.reader.shape();
}

ImageSet ImageVoter::ImagesOfUser(const data::FederatedDataset& set,
                                  std::int64_t number) const {
  ImageSet images{.shape = parts_.reader.shape()};
  const data::User user = set.user(static_cast<std::size_t>(number));
  if (static_cast<std::int64_t>(user.size()) < parts_.options.least_examples) {
    return images;
  }
  const bool same_classes = set.info().classes == parts_.classes;
  const std::size_t n = std::min<std::size_t>(
      user.size(), static_cast<std::size_t>(parts_.options.most_examples));
  for (std::size_t i = 0; i < n; ++i) {
    const data::Example example = user[i * user.size() / n];
    images.images.emplace_back(example.pixels.begin(), example.pixels.end());
    images.labels.push_back(same_classes ? example.label : -1);
  }
  return images;
}

Votes ImageVoter::Each(std::size_t users,
                       const std::function<at::Tensor(std::size_t user)>& read,
                       fed::WorkerPool& pool) const {
  Votes votes(users,
              {static_cast<std::int64_t>(calibration_.CellOf(kCannotTell))});
  pool.Run(users, [&](int, std::size_t u) {
    try {
      const at::Tensor points = read(u);
      if (points.numel() == 0) return;
      const std::vector<std::int64_t> marks = Marks(points);
      votes[u] =
          CellsOf(marks, MarksSplit(marks) ? Vector(points) : at::Tensor());
    } catch (const base::Interrupted&) {
      throw;
    } catch (const std::exception&) {
      // A record that cannot be read is the user's own affair (rule 7).
    }
  });
  return votes;
}

Votes ImageVoter::VotesOf(const data::FederatedDataset& set,
                          const std::vector<std::int64_t>& users,
                          fed::WorkerPool& pool) const {
  const bool reads = Reads(set.info());
  return Each(
      users.size(),
      [&](std::size_t u) -> at::Tensor {
        if (!reads) return at::empty({0});
        return parts_.reader.Read(ImagesOfUser(set, users[u]));
      },
      pool);
}

Votes ImageVoter::VotesOnChange(const data::FederatedDataset& before,
                                const std::vector<std::int64_t>& user_before,
                                const data::FederatedDataset& now,
                                const std::vector<std::int64_t>& users,
                                fed::WorkerPool& pool) const {
  if (!parts_.options.change) {
    throw BadInput("a voter that did not learn what changes look like",
                   "census.voter", "let the census learn its own voter");
  }
  const bool reads = Reads(before.info()) && Reads(now.info());
  return Each(
      users.size(),
      [&](std::size_t u) -> at::Tensor {
        if (!reads || user_before[u] < 0) return at::empty({0});
        const ImageSet then = ImagesOfUser(before, user_before[u]);
        const ImageSet set = ImagesOfUser(now, users[u]);
        if (then.images.empty() || set.images.empty()) return at::empty({0});
        return parts_.reader.Read(set, then);
      },
      pool);
}

}  // namespace sfumato::census
