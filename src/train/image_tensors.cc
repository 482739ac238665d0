#include "train/image_tensors.h"

#include "models/batch.h"

namespace sfumato::train {

runs::ImageSamples SamplesOf(const at::Tensor& images) {
  const at::Tensor bytes = models::ToBytes(images);
  const auto* first = bytes.data_ptr<std::uint8_t>();
  return {.height = static_cast<int>(bytes.size(1)),
          .width = static_cast<int>(bytes.size(2)),
          .channels = static_cast<int>(bytes.size(3)),
          .pixels = {first, first + bytes.numel()}};
}

at::Tensor ImagesOf(const runs::ImageSamples& samples) {
  return models::FromBytes(
      at::from_blob(const_cast<std::uint8_t*>(samples.pixels.data()),
                    {static_cast<std::int64_t>(samples.count()), samples.height,
                     samples.width, samples.channels},
                    at::kByte));
}

}  // namespace sfumato::train
