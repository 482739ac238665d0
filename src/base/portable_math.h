// Exp, Log, Sin and Cos made only of operations that IEEE 754 rounds exactly.
//
// The C library's own may differ in the last bit between machines (it picks
// other code where there is a fused multiply-add), and a seed must draw the
// same image everywhere. Relative error below 1e-14 in the stated ranges.

#pragma once

namespace sfumato::base {

double PortableExp(double x);  // 0 below -700, REQUIRES: x <= 700
double PortableLog(double x);  // REQUIRES: x > 0, finite, not subnormal
double PortableSin(double x);  // REQUIRES: |x| <= 1e5 (absolute error 1e-11)
double PortableCos(double x);  // REQUIRES: |x| <= 1e5 (absolute error 1e-11)

}  // namespace sfumato::base
