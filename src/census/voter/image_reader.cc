#include "census/voter/image_reader.h"

namespace sfumato::census {

at::Tensor ImageReader::Read(const ImageSet& set) const {
  const auto count = set.images.size();
  const auto points = static_cast<std::size_t>(points_.size());
  const auto more = static_cast<std::size_t>(templates_.size());
  at::Tensor out = at::empty({static_cast<std::int64_t>(count), size()});
  auto* row = out.data_ptr<float>();
  for (std::size_t i = 0; i < count; ++i, row += points + more) {
    points_.Write({shape_, set.images[i]}, {row, points});
  }
  if (more > 0) {
    templates_.Write(out, set.labels,
                     out.narrow(1, points_.size(), templates_.size()));
  }
  return out;
}

ImageSet ImagesOf(const data::FederatedDataset& set,
                  std::span<const ReferenceRow> rows) {
  ImageSet images{.shape = set.info().image};
  for (const ReferenceRow& row : rows) {
    const data::Example example = set.user(static_cast<std::size_t>(
        row.user))[static_cast<std::size_t>(row.example)];
    images.images.emplace_back(example.pixels.begin(), example.pixels.end());
    images.labels.push_back(example.label);
  }
  return images;
}

}  // namespace sfumato::census
