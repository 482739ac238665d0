// A matrix product for every lane.
//
//   Product(c, a, b, /*beta=*/0, /*alpha=*/1);    // c = a b
//   Product(w, x.transpose(1, 2), dy, 1, -rate);  // w -= rate xᵀ dy

#pragma once

#include <ATen/ATen.h>

namespace sfumato::models {

// c = beta c + alpha a b, all [lane, …]. On CPUs a lane is one product.
void Product(const at::Tensor& c, const at::Tensor& a, const at::Tensor& b,
             double beta, double alpha);

}  // namespace sfumato::models
