#include "dp/accounting/accountant.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "dp/accounting/pld.h"
#include "dp/accounting/privacy_loss.h"
#include "dp/accounting/published.h"
#include "dp/accounting/rdp.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace sfumato::dp {
namespace {

// "all and poisson", in the order of the events.
std::string SamplingWords(std::span<const Event> events) {
  std::vector<std::string_view> words;
  for (const Event& event : events) {
    const std::string_view word = Name(event.sampling);
    if (std::find(words.begin(), words.end(), word) == words.end()) {
      words.push_back(word);
    }
  }
  return fmt::format("{}", fmt::join(words, " and "));
}

bool AllPlainGaussian(std::span<const Event> events) {
  return std::all_of(events.begin(), events.end(), [](const Event& event) {
    return PlainGaussianMu(event) > 0;
  });
}

template <typename Kind>
bool AnySampled(std::span<const Event> events) {
  return std::any_of(events.begin(), events.end(), [](const Event& event) {
    return std::holds_alternative<Kind>(event.sampling);
  });
}

// What makes the sampling's bound a theorem; ends in "; " when there is any.
std::string SamplingProof(std::span<const Event> events,
                          Accountant accountant) {
  const bool replace = events.front().adjacency == Adjacency::kReplaceOne;
  std::string proof;
  if (AnySampled<Poisson>(events)) {
    proof +=
        accountant == Accountant::kRdp
            ? (replace ? "Poisson sampling, replace-one: after Wang, Balle "
                         "and Kasiviswanathan 2019 (sampled_gaussian.h); "
                       : "Poisson sampling: Mironov, Talwar and Zhang "
                         "2019; ")
        : replace ? "Poisson sampling, replace-one: opposite contributions "
                    "(privacy_loss.h); "
                  : "Poisson sampling: Zhu, Dong and Wang 2022; ";
  }
  if (AnySampled<FixedSize>(events)) {
    proof += accountant == Accountant::kRdp
                 ? "fixed-size sampling with sensitivity 2S: Wang, Balle and "
                   "Kasiviswanathan 2019, Theorem 9; "
                 : "fixed-size sampling, larger profile of both directions "
                   "with sensitivity 2S: Balle, Barthe and Gaboardi 2018; Zhu, "
                   "Dong and Wang 2022; ";
  }
  if (AnySampled<Revealed>(events)) {
    proof += "revealed sampling: joint convexity; ";
  }
  return proof;
}

constexpr char kFixedWord[] = "fixed";

void AccountPublished(std::span<const Event> events, Guarantee& guarantee) {
  const Event& first = events.front();
  const auto* noise = std::get_if<Gaussian>(&first.mechanism);
  if (events.size() != 1 || noise == nullptr ||
      std::holds_alternative<Revealed>(first.sampling) ||
      std::holds_alternative<All>(first.sampling)) {
    throw Unsupported(
        "the published recipe for anything but one kind of sampled Gaussian "
        "round",
        "accountant", "use pld");
  }
  guarantee.sampling = kFixedWord;
  guarantee.adjacency = Adjacency::kReplaceOne;
  if (std::holds_alternative<Poisson>(first.sampling)) {
    guarantee.warnings.push_back(
        "the papers' recipe is about cohorts of fixed size and replace-one, "
        "whatever sampling was asked for: only the rate was used");
  }
  guarantee.epsilon =
      PublishedEpsilon({.noise_multiplier = noise->noise_multiplier,
                        .rate = Rate(first.sampling),
                        .rounds = first.count,
                        .delta = guarantee.delta})
          .epsilon;
  guarantee.proof = kPublishedProof;
  guarantee.warnings.push_back(
      "this is the papers' recipe, for comparison only: it takes the "
      "sensitivity of a replaced user to be S where it is 2S, so that no "
      "guarantee follows from it");
}

}  // namespace

std::string_view Name(Accountant accountant) {
  switch (accountant) {
    case Accountant::kPld:
      return "pld";
    case Accountant::kRdp:
      return "rdp";
    case Accountant::kPublished:
      return "published";
  }
  return "";
}

Guarantee Account(std::span<const Event> events, double delta,
                  Accountant accountant) {
  CheckDelta(delta);
  if (events.empty()) throw BadInput("no events", "events");
  CheckEvents(events);
  Guarantee guarantee{.epsilon = 0,
                      .delta = delta,
                      .accountant = accountant,
                      .adjacency = events.front().adjacency,
                      .unit = events.front().unit,
                      .sampling = SamplingWords(events),
                      .proof = "",
                      .warnings = {}};
  switch (accountant) {
    case Accountant::kPublished:
      AccountPublished(events, guarantee);
      return guarantee;
    case Accountant::kRdp:
      guarantee.epsilon = RdpEpsilon(events, delta).epsilon;
      guarantee.proof = SamplingProof(events, accountant) +
                        "Rényi composition and conversion: Mironov 2017; "
                        "Canonne, Kamath and Steinke 2020, Proposition 12";
      break;
    case Accountant::kPld:
      guarantee.epsilon = PldEpsilon(events, delta);
      guarantee.proof =
          AllPlainGaussian(events)
              ? "exact Gaussian: Balle and Wang 2018, Theorem 8; composition: "
                "Dong, Roth and Su 2022"
              : SamplingProof(events, accountant) +
                    "composition by privacy loss distributions rounded up: "
                    "Doroshenko et al. 2022; for a plan fixed in advance";
      break;
  }
  if (!std::isfinite(guarantee.epsilon)) {
    guarantee.warnings.push_back(
        "nothing is proven at this delta: the events' own deltas reach it, or "
        "their noise is next to none");
  }
  return guarantee;
}

std::string Meaning(const Guarantee& guarantee) {
  const bool replace = guarantee.adjacency == Adjacency::kReplaceOne;
  const char* unit = guarantee.unit == Unit::kUser ? "user" : "example";
  if (guarantee.accountant == Accountant::kPublished) {
    return "The number that the papers' recipe gives; it bounds nothing that "
           "was released.";
  }
  if (!std::isfinite(guarantee.epsilon)) {
    return "Nothing is proven about what a release may reveal.";
  }
  return fmt::format(
      "Whatever is computed from the releases is at most e^{}{} times as "
      "likely "
      "{} as {}, except with probability {:g}.",
      fmt::format("{:.4g}", RoundedUp(guarantee.epsilon, 4)),
      guarantee.epsilon < 100
          ? fmt::format(" = {:.4g}", RoundedUp(std::exp(guarantee.epsilon), 4))
          : "",
      replace ? fmt::format("with one {}'s data", unit)
              : fmt::format("with any one {}", unit),
      replace ? fmt::format("with another {}'s in their place", unit)
              : "without, and the other way round",
      guarantee.delta);
}

std::string HoldsAgainst(const Trust& trust) {
  return fmt::format(
      "the modeler, the public and whoever else sees only what is released{}; "
      "not against the server, which {}adds the noise and has to be "
      "trusted{}",
      trust.secret_draw ? " and not who was drawn" : "",
      trust.secret_draw ? "draws the users and " : "",
      trust.planned
          ? "; on condition that all of it was planned before the first "
            "release"
          : "");
}

double RoundedUp(double value, int digits) {
  if (!std::isfinite(value) || value <= 0) return value;
  const int exponent = static_cast<int>(std::floor(std::log10(value)));
  const int places = digits - 1 - exponent;
  const double unit = std::pow(10.0, std::abs(places));
  const double steps = places >= 0 ? value * unit : value / unit;
  // 0.1 * 10 must stay 1, however it is stored.
  const double whole =
      std::ceil(steps - 4 * std::numeric_limits<double>::epsilon() * steps);
  return places >= 0 ? whole / unit : whole * unit;
}

double GuessedRight(double epsilon, double delta) {
  // Divided by e^epsilon, which may overflow.
  const double odds = std::exp(-epsilon);
  return std::min(1.0, (1 + delta * odds) / (1 + odds));
}

}  // namespace sfumato::dp
