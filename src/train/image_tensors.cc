#include "train/image_tensors.h"

namespace sfumato::train {

runs::ImageSamples SamplesOf(const at::Tensor& images) {
  const at::Tensor bytes = images.add(1)
                               .mul(127.5)
                               .round()
                               .clamp(0, 255)
                               .to(at::kByte)
                               .to(at::kCPU)
                               .contiguous();
  const auto* first = bytes.data_ptr<std::uint8_t>();
  return {.height = static_cast<int>(bytes.size(1)),
          .width = static_cast<int>(bytes.size(2)),
          .channels = static_cast<int>(bytes.size(3)),
          .pixels = {first, first + bytes.numel()}};
}

at::Tensor ImagesOf(const runs::ImageSamples& samples) {
  return at::from_blob(const_cast<std::uint8_t*>(samples.pixels.data()),
                       {static_cast<std::int64_t>(samples.count()),
                        samples.height, samples.width, samples.channels},
                       at::kByte)
      .to(at::kFloat)
      .div(127.5)
      .sub(1);
}

}  // namespace sfumato::train
