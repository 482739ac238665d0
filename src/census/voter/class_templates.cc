#include "census/voter/class_templates.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "census/voter/image_tensors.h"
#include "data/transform/image_bugs.h"

namespace sfumato::census {
namespace {

using data::ImageView;
using data::Pixels;

constexpr std::int64_t kDirections = 64;
constexpr std::size_t kMostOfClass = 40;
constexpr std::int64_t kMostWays = 1000;  // that a file may have
// How many images of the whole set a class's mean is worth less than.
constexpr double kShrinkage = 1.0;

using Way = std::function<Pixels(const ImageView&)>;

std::vector<Way> WaysToPlace(const data::ImageShape& shape) {
  std::vector<Way> ways = {[](const ImageView& view) {
    return Pixels(view.pixels.begin(), view.pixels.end());
  }};
  const auto turned = [](double degrees, bool mirrored) {
    return [=](const ImageView& view) {
      const Pixels turn = data::Rotate(view, degrees);
      return mirrored ? data::Mirror({view.shape, turn}) : turn;
    };
  };
  ways.emplace_back(turned(0, true));    // mirrored
  ways.emplace_back(turned(180, true));  // flipped
  ways.emplace_back(turned(90, true));   // transposed, where it is square
  for (const double degrees : {15., 30., 60., 90., 120., 150., 180., 210., 240.,
                               270., 300., 330., 345.}) {
    ways.emplace_back(turned(degrees, false));
  }
  for (const double far : {0.11, 0.22}) {
    for (const auto& [x, y] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
      const int dx = static_cast<int>(std::lround(far * x * shape.width));
      const int dy = static_cast<int>(std::lround(far * y * shape.height));
      ways.emplace_back([dx, dy](const ImageView& view) {
        return data::Shift(view, dx, dy);
      });
    }
  }
  for (const double factor : {0.7, 1.4}) {
    ways.emplace_back(
        [factor](const ImageView& view) { return data::Scale(view, factor); });
  }
  return ways;
}

// Some rows of each class, in order.
std::vector<ReferenceRow> SomeOfEachClass(
    const data::FederatedDataset& reference,
    const std::vector<ReferenceRow>& rows, std::vector<std::int64_t>& labels) {
  std::vector<std::size_t> taken(reference.info().classes.size());
  std::vector<ReferenceRow> some;
  for (const ReferenceRow& row : rows) {
    const std::int32_t label =
        reference
            .user(static_cast<std::size_t>(
                row.user))[static_cast<std::size_t>(row.example)]
            .label;
    if (label < 0) continue;
    std::size_t& count = taken[static_cast<std::size_t>(label)];
    if (count >= kMostOfClass) continue;
    ++count;
    some.push_back(row);
    labels.push_back(label);
  }
  return some;
}

}  // namespace

ClassTemplates::ClassTemplates(const data::FederatedDataset& reference,
                               const std::vector<ReferenceRow>& rows,
                               const ImagePoints& points,
                               fed::WorkerPool& pool) {
  std::vector<std::int64_t> labels;
  const std::vector<ReferenceRow> some =
      SomeOfEachClass(reference, rows, labels);
  if (some.size() < 8) return;
  const std::vector<Way> ways = WaysToPlace(reference.info().image);
  const auto count = static_cast<std::int64_t>(some.size());
  const auto way_count = static_cast<std::int64_t>(ways.size());
  const std::int64_t look = points.placed();
  at::Tensor all = at::empty({way_count, count, look});
  pool.Run(some.size(), [&](int, std::size_t i) {
    const auto pixels =
        reference
            .user(static_cast<std::size_t>(
                some[i].user))[static_cast<std::size_t>(some[i].example)]
            .pixels;
    std::vector<float> row(static_cast<std::size_t>(points.size()));
    for (std::size_t w = 0; w < ways.size(); ++w) {
      const Pixels placed = ways[w]({reference.info().image, pixels});
      points.Write({reference.info().image, placed}, row);
      std::copy_n(
          row.begin(), look,
          all.data_ptr<float>() + (static_cast<std::int64_t>(w) * count +
                                   static_cast<std::int64_t>(i)) *
                                      look);
    }
  });
  const at::Tensor upright = all[0].to(at::kDouble);
  centre_ = upright.mean(0);
  const at::Tensor centred = upright - centre_;
  const auto [values, basis] =
      at::linalg_eigh(centred.t().mm(centred) / static_cast<double>(count));
  const std::int64_t keep = std::min(kDirections, look);
  const at::Tensor main = basis.narrow(1, look - keep, keep);

  const at::Tensor index = at::tensor(labels, at::kLong);
  const auto kinds = static_cast<std::int64_t>(reference.info().classes.size());
  const at::Tensor of_class =
      at::zeros({kinds}, at::kDouble)
          .index_add_(0, index, at::ones({count}, at::kDouble));
  // A class's mean, drawn towards the mean of all where it has few images.
  const auto means = [&](const at::Tensor& projected) {
    const at::Tensor mean = projected.mean(0);
    const at::Tensor sums =
        at::zeros({kinds, keep}, at::kDouble).index_add_(0, index, projected);
    return (sums + kShrinkage * mean) / (of_class + kShrinkage).unsqueeze(1);
  };
  const at::Tensor projected = centred.mm(main);
  const at::Tensor within = projected - means(projected).index_select(0, index);
  const auto [scatter, axes] =
      at::linalg_eigh(within.t().mm(within) / static_cast<double>(count));
  const at::Tensor least = scatter.mean() * 0.05 + 1e-9;
  directions_ = main.mm(axes / (scatter + least).sqrt());
  std::vector<at::Tensor> of_ways;
  for (std::int64_t w = 0; w < way_count; ++w) {
    of_ways.push_back(
        means((all[w].to(at::kDouble) - centre_).mm(directions_)));
  }
  means_ = at::stack(of_ways).to(at::kFloat).contiguous();
  centre_ = centre_.to(at::kFloat).contiguous();
  directions_ = directions_.to(at::kFloat).contiguous();
}

at::Tensor ClassTemplates::Apart(const at::Tensor& at,
                                 std::span<const std::int32_t> labels) const {
  const std::int64_t ways = means_.size(0);
  at::Tensor mix = at::zeros({classes()});
  for (const std::int32_t label : labels) {
    if (label >= 0 && label < classes()) mix[label] += 1;
  }
  const at::Tensor all =
      at::einsum("k,wkd->wd", {mix, means_}) / mix.sum().clamp_min(1);
  const at::Tensor means = (means_ - all.unsqueeze(1)).flatten(0, 1);
  const at::Tensor own = at - at.mean(0);
  const at::Tensor sizes = own.norm(2, 1, true) * means.norm(2, 1);
  return (own.mm(means.t()) / sizes.clamp_min(1e-3))
      .view({-1, ways, classes()})
      .contiguous();
}

void ClassTemplates::Write(const at::Tensor& points,
                           std::span<const std::int32_t> labels,
                           at::Tensor out) const {
  out.zero_();
  if (!labelled()) return;
  const std::int64_t ways = means_.size(0);
  const std::int64_t kinds = classes();
  const auto keep = static_cast<double>(directions_.size(1));
  const at::Tensor at =
      (points.narrow(1, 0, centre_.size(0)) - centre_).mm(directions_);
  const at::Tensor means = means_.flatten(0, 1);
  const at::Tensor products = at.mm(means.t());
  const at::Tensor squares = at.square().sum(1, /*keepdim=*/true);
  const at::Tensor mean_squares = means.square().sum(1);
  // [image, way, class]: how near, and in which direction from the middle of
  // all references, or from that of the user's own images.
  const at::Tensor near = ((squares - 2 * products + mean_squares) / keep)
                              .clamp_min_(0)
                              .sqrt_()
                              .neg_()
                              .view({-1, ways, kinds})
                              .contiguous();
  const at::Tensor along =
      (products / (squares * mean_squares).sqrt_().clamp_min_(1e-6))
          .view({-1, ways, kinds})
          .contiguous();
  const at::Tensor apart = Apart(at, labels);
  // How the user's images are placed, whatever their labels.
  const auto way =
      (along.amax(2) + apart.amax(2)).mean(0).argmax(0).item<std::int64_t>();
  const auto from_near = near.accessor<float, 3>();
  const auto from_along = along.accessor<float, 3>();
  const auto from_apart = apart.accessor<float, 3>();
  auto to = out.accessor<float, 2>();
  // By how much another class is better.
  const auto other = [&](const auto& of_class, std::int32_t label) {
    float best = -INFINITY;
    for (std::int64_t kind = 0; kind < kinds; ++kind) {
      if (kind != label) best = std::max(best, of_class[kind]);
    }
    return kinds > 1 ? best - of_class[label] : 0;
  };
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto image = static_cast<std::int64_t>(i);
    const std::int32_t label = labels[i];
    if (label < 0 || label >= kinds) continue;
    const float own = from_near[image][0][label];
    to[image][0] = own;
    to[image][1] = other(from_near[image][0], label);
    for (std::int64_t w = 1; w < ways; ++w) {
      to[image][w + 1] = from_near[image][w][label] - own;
    }
    to[image][ways + 1] = other(from_near[image][way], label);
    to[image][ways + 2] = other(from_along[image][way], label);
    to[image][ways + 3] = other(from_apart[image][way], label);
  }
}

params::NamedTensors ClassTemplates::State() const {
  if (!labelled()) return {};
  return {{"templates/centre", centre_},
          {"templates/directions", directions_},
          {"templates/means", means_}};
}

void ClassTemplates::Restore(const base::SafetensorsFile& file,
                             std::int64_t classes, std::int64_t placed) {
  if (!file.Has("templates/means")) return;
  centre_ = ReadShaped(file, "templates/centre", {placed});
  directions_ = ReadShaped(file, "templates/directions", {placed, -1});
  means_ =
      ReadShaped(file, "templates/means", {-1, classes, directions_.size(1)});
  if (means_.size(0) > kMostWays) {
    RefuseTensor("templates/means", "has too many ways to place an image");
  }
}

}  // namespace sfumato::census
