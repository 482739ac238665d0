// A privacy loss on chosen points, and the coarse picture of a whole list that
// composition.cc starts from.
//
// Both are pessimistic: what comes back is at least as easy to distinguish as
// the loss itself. Source: Doroshenko et al. 2022, "Connect the Dots".

#pragma once

#include <span>
#include <vector>

#include "dp/accounting/composition.h"

namespace sfumato::dp {

// Splits the mass between two neighbouring points so that both chances, under P
// and under Q, stay what they are; masses[i] belongs to points[i], and what
// lies below the first moves up to it. Returns the mass above the last point,
// which counts as an infinite loss. REQUIRES: points increase, masses are zero.
double ConnectTheDots(const PrivacyLoss& loss, std::span<const double> points,
                      std::span<double> masses);

// The chance that something of chance p happens in `count` draws, rounded up.
double Ever(double p, double count);

class Sketch {
 public:
  // Cuts off at most `lost_mass` of each loss.
  Sketch(std::span<const Term> terms, double lost_mass);

  // log E[e^(theta L)] of the sum L of all losses, for any theta.
  double Cumulant(double theta) const;
  // The chance of an infinite loss.
  double infinite() const { return infinite_; }

 private:
  struct Part {
    std::vector<double> points;
    std::vector<double> masses;
    double count;
    double top = 0;  // the largest loss that has any mass
  };

  std::vector<Part> parts_;
  double infinite_ = 0;
};

}  // namespace sfumato::dp
