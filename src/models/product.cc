#include "models/product.h"

#include <cstdint>

namespace sfumato::models {

void Product(const at::Tensor& c, const at::Tensor& a, const at::Tensor& b,
             double beta, double alpha) {
  if (c.is_cuda()) {
    c.baddbmm_(a, b, beta, alpha);
    return;
  }
  for (std::int64_t lane = 0; lane < c.size(0); ++lane) {
    c[lane].addmm_(a[lane], b[lane], beta, alpha);
  }
}

}  // namespace sfumato::models
