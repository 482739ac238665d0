// One function object out of several, for std::visit.

#pragma once

namespace sfumato::dp {

template <typename... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <typename... F>
Overloaded(F...) -> Overloaded<F...>;

}  // namespace sfumato::dp
