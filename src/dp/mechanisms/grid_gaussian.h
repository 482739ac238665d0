// Gaussian noise on a fine grid, fast and without the holes of floating point.
//
//   const GridGaussian gaussian(noise_multiplier * 0x1p36);  // in steps
//   gaussian.AddTo(sums, noise);                             // whole numbers
//
// Values are whole numbers x with probability proportional to
// exp(-x^2 / (2 deviation^2)), for every x: no tail is cut off. A sum of whole
// numbers plus such noise is a whole number, and which ones are possible does
// not depend on the sum; so the low-order bits of the result reveal no more
// than the proof allows (Mironov 2012). The deviation is at least 2^24 steps,
// and then a probability is that of the continuous Gaussian rounded to the
// grid, up to a factor within (t^2/24) 2^-48 of one at t deviations: the events
// of a Gaussian hold.
//
// Ziggurat over whole numbers: a layer, a place in it, and in one draw of fifty
// a coin with probability exp(-…). Places are drawn exactly uniformly; only
// heights are rounded, so what arithmetic can spoil is a probability, by a
// factor within kProbabilityError of one (up to 12 deviations; a test computes
// it from the tables), and never which values exist. In a release of d numbers
// the privacy loss is thereby wrong by 2 d kProbabilityError at most: 6e-8 for
// a million numbers.
//
// Sources: Marsaglia and Tsang 2000, "The Ziggurat Method"; Lemire 2019, "Fast
// Random Integer Generation in an Interval"; Canonne, Kamath and Steinke 2020,
// "The Discrete Gaussian for Differential Privacy".

#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "dp/mechanisms/noise.h"

namespace sfumato::dp {

class GridGaussian {
 public:
  static constexpr double kLeastDeviation = 0x1p24;
  static constexpr double kMostDeviation = 0x1p48;
  static constexpr double kProbabilityError = 0x1p-45;

  // Throws BadInput unless kLeastDeviation <= deviation <= kMostDeviation.
  explicit GridGaussian(double deviation);

  double deviation() const { return deviation_; }

  // Adds noise of its own to every value, on all cores, by WrappingAdd.
  void AddTo(std::span<std::int64_t> values, NoiseSource& noise) const;

 private:
  friend struct GridGaussianPeer;  // the test computes probabilities from it

  static constexpr int kLayers = 256;
  // Layer i is a rectangle over 0 … width-1; over 1 … sure it lies below the
  // curve. Layer 0 is the base, which also stands for the tail beyond its
  // width.
  struct Layer {
    std::uint64_t width = 0;
    std::uint64_t sure = 0;
    std::uint64_t reject = 0;  // low halves below this would favour some places
    double bottom = 0;
    double height = 0;
  };

  double Curve(double x) const;
  std::uint64_t Edge(double height) const;
  double TailArea(double edge) const;
  bool Stack(double edge);
  std::int64_t Draw(BitStream& bits) const;
  bool DrawRarely(int index, std::uint64_t place, bool negative,
                  BitStream& bits, std::int64_t& value) const;
  std::uint64_t DrawTail(BitStream& bits) const;

  double deviation_;
  double area_ = 0;        // of every layer
  double tail_share_ = 0;  // of the base layer
  std::array<Layer, kLayers> layers_;
};

}  // namespace sfumato::dp
