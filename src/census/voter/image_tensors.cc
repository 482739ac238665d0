#include "census/voter/image_tensors.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "base/error.h"
#include "fmt/format.h"
#include "params/layout.h"

namespace sfumato::census {

void RefuseTensor(const std::string& name, const std::string& why) {
  throw Corrupt(fmt::format("not a voter of images: tensor '{}' {}", name, why),
                "voter.safetensors", "learn it again from the references");
}

at::Tensor ReadShaped(const base::SafetensorsFile& file,
                      const std::string& name,
                      const std::vector<std::int64_t>& shape) {
  // Before anything is made of that shape.
  const std::vector<std::uint64_t>& found = file.tensor(name).shape;
  const bool same = std::equal(
      found.begin(), found.end(), shape.begin(), shape.end(),
      [](std::uint64_t length, std::int64_t wanted) {
        return length > 0 && (wanted < 0 || std::cmp_equal(length, wanted));
      });
  if (!same) RefuseTensor(name, "has another shape");
  const std::span<const float> values = file.Get<float>(name);
  if (!std::ranges::all_of(values, [](float x) { return std::isfinite(x); })) {
    RefuseTensor(name, "has a number that is not finite");
  }
  return params::ReadTensor(file, name);
}

}  // namespace sfumato::census
