// A tensor of an image voter's file, in the shape that it has to have.
//
//   // [state, number]: as many states as the file has, 4 numbers each.
//   const at::Tensor t = ReadShaped(file, "fit/users0", {-1, 4});

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/safetensors.h"

namespace sfumato::census {

// `shape`: −1 for any length from 1 on. Throws Corrupt for a tensor that is
// missing, of another shape or type, or with a number that is not finite.
at::Tensor ReadShaped(const base::SafetensorsFile& file,
                      const std::string& name,
                      const std::vector<std::int64_t>& shape);

// The Corrupt that ReadShaped throws.
[[noreturn]] void RefuseTensor(const std::string& name, const std::string& why);

}  // namespace sfumato::census
