// The stop for a budget whose spender chooses the next release after seeing the
// last ones.
//
//   const Filter open({.epsilon = 2, .delta = 1e-6});
//   const Charge round{.cost = open.Cost(event), .count = 1000};
//   const Filter filter = open.Settled({&round, 1});  // before any release
//   const bool fits = filter.Fits({&round, 1});
//
// If releases are made only while everything released and reserved Fits, all
// releases together are (epsilon, delta)-DP, however they were chosen. An
// optimal accountant (pld.h) proves that only for a list fixed in advance.
//
// RDP (the default). For one order fixed in advance, a sum of divergences that
// never passes a bound B is an RDP bound B (Feldman and Zrnic 2021, Theorem
// 4.5). Which order will turn out best depends on the outputs, so several
// orders share delta: order a is held to B_a, which converts (Canonne, Kamath
// and Steinke 2020, Proposition 12) to epsilon at delta_a, and it is enough
// that one order holds. Proof: sort every transcript to the first order that
// held to its end. Where order a held, the releases are those of a filter with
// a alone, so for any set E of transcripts sorted to a, P(E) <= e^epsilon P'(E)
// + delta_a; the sum over a costs sum(delta_a) = delta.
//
// The shares may be chosen as long as nothing was released. One order, the best
// for what was reserved by then, gets three quarters; a few others, fixed by
// the budget, share the rest for whatever comes later. So a filter is first
// open, when it holds what some choice of order would hold, and is Settled
// before the first release.
//
// Chances of full disclosure that events carry beside their divergence
// (RdpCost::delta) are held to a part of delta set aside for them in advance,
// kOwnDeltaShare; the orders share the rest. The part must not float: trading
// one against the other after seeing outputs is not covered. Proof: both sides
// decompose with the same chance delta_t(history) of full disclosure. Let P~
// and Q~ be the processes in which none happens, which satisfy the above with
// the rest of delta, delta_rest, and w = prod(1 - delta_t) <= 1 along a
// transcript. Then Q >= w Q~ and P <= w P~ + delta_own, hence
// P(E) - e^epsilon Q(E) <= delta_own + delta_rest.
//
// GDP, for a population of which every release is Gaussian noise without
// sampling: the sum of mu^2 may not pass that of the budget (Smith and Thakurta
// 2022; Koskela, Tobaben and Honkela 2023). Exact, about a fifth more releases
// than RDP. The kind is fixed with the budget: choosing it after seeing outputs
// would cost both filters a share of delta, and most populations will meet
// sampling.
//
// Partitions (rule 6 of docs/privacy_proofs.md), add-remove only: for two
// datasets that differ in one user, a release from a cell without that user has
// divergence 0, which is the individual accounting of Feldman and Zrnic: the
// sum over the user's own cell counts, so cells pay their maximum, order by
// order. This needs that a user's cell is settled before the first release from
// the partition; then it may depend on earlier releases.
//
// Sums are counts times costs in an order that does not depend on history, so
// a million small charges reach the bound exactly where one large one does.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dp/accounting/event.h"

namespace sfumato::dp {

enum class FilterKind { kRdp, kGdp };
std::string_view Name(FilterKind kind);  // "rdp", "gdp"

// What may be spent on a population, for whom, and how the stop is proven.
struct Budget {
  double epsilon = 1;
  double delta = 1e-6;
  Adjacency adjacency = Adjacency::kAddRemove;
  Unit unit = Unit::kUser;
  FilterKind filter = FilterKind::kRdp;

  bool operator==(const Budget&) const = default;
};

// Throws BadInput unless epsilon is finite and above 0 and 0 < delta < 1.
void CheckBudget(const Budget& budget);

inline constexpr std::array<double, 35> kFilterOrders = {
    2,   3,   4,   5,   6,   7,   8,   10,  12,  14,  16,  20,
    24,  28,  32,  40,  48,  56,  64,  80,  96,  112, 128, 160,
    192, 224, 256, 320, 384, 448, 512, 640, 768, 896, 1024};
inline constexpr double kOwnDeltaShare = 0.1;

// One occurrence of an event, as the filter sees it.
struct FilterCost {
  // By kFilterOrders; a GDP filter uses the first place alone, for mu^2.
  std::array<double, kFilterOrders.size()> divergence = {};
  double delta = 0;
  std::string partition = "";  // empty: everybody pays
  std::string cell = "";
};

struct Charge {
  FilterCost cost;
  std::int64_t count = 1;
};

class Filter {
 public:
  explicit Filter(const Budget& budget);  // open; throws as CheckBudget
  // Settled for one of kFilterOrders. REQUIRES: it is one; 0 for GDP.
  Filter(const Budget& budget, double order);

  // The filter to use from the first release on, when `reserved` is all that
  // was reserved before. It uses no more of its budget for them than this one.
  Filter Settled(std::span<const Charge> reserved) const;

  // Throws as CheckEvent, BadInput when adjacency or unit are not the budget's,
  // Unsupported without a proof, and for anything but unsampled Gaussian noise
  // in a GDP filter. `event.count` is not applied.
  FilterCost Cost(const Event& event) const;

  // The share of the budget that the charges take: they fit up to 1. Infinite
  // where no order holds them. The order of the charges may matter in the last
  // bit; keep one.
  double Used(std::span<const Charge> charges) const;
  bool Fits(std::span<const Charge> charges) const;

  // The smallest epsilon with which a budget, its delta shared in the same way,
  // would have held the charges; 0 without charges. It says how far the meter
  // went; what is proven for an adaptive spender is the budget.
  double Epsilon(std::span<const Charge> charges) const;

  const Budget& budget() const { return budget_; }
  double order() const { return order_; }  // 0 when open, or GDP

 private:
  struct Sums;
  Sums Add(std::span<const Charge> charges) const;
  void Hold(std::size_t place, double delta);

  Budget budget_;
  double order_ = 0;
  // By place in kFilterOrders; 0 for orders without a share. GDP: mu^2 first.
  std::array<double, kFilterOrders.size()> bound_ = {};
  std::array<double, kFilterOrders.size()> delta_ = {};
  double own_delta_ = 0;  // set aside for the events' own
};

}  // namespace sfumato::dp
