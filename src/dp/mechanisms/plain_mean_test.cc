#include "dp/mechanisms/plain_mean.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "dp/accounting/accountant.h"
#include "dp/accounting/filter.h"
#include "dp/mechanisms/falsify_testing.h"

namespace sfumato::dp {
namespace {

TEST(PlainMeanTest, IsTheSumOverTheConfiguredNumber) {
  const PlainMean plain({.clip_norm = 8});
  ClippedSum sum = plain.EmptySum(2, "round 7");
  sum.Add(std::vector<float>{1, -2});
  sum.Add(std::vector<float>{0.5f, 1}, 0.5);
  sum.Add(std::vector<float>{1, std::nanf("")});
  const auto mean = plain.ReleaseMean(std::move(sum), 4);
  EXPECT_EQ(mean.value(), (std::vector<float>{0.3125f, -0.375f}));
}

TEST(PlainMeanTest, ClipsAllTheSame) {
  const PlainMean plain({.clip_norm = 5});
  ClippedSum sum = plain.EmptySum(2, "");
  sum.Add(std::vector<float>{3e9f, 4e9f});
  const auto mean = plain.ReleaseMean(std::move(sum), 1);
  EXPECT_NEAR(mean.value()[0], 3, 1e-6);
  EXPECT_NEAR(mean.value()[1], 4, 1e-6);
}

TEST(PlainMeanTest, SaysThatItProtectsNobody) {
  const PlainMean plain({});
  const auto mean = plain.ReleaseMean(plain.EmptySum(1, "round 7"), 1);
  EXPECT_TRUE(mean.simulated());
  EXPECT_TRUE(std::holds_alternative<Unprotected>(mean.event().mechanism));
  EXPECT_EQ(mean.event().cohort, "round 7");
}

TEST(PlainMeanTest, NoAccountantNamesACost) {
  for (const Sampling& sampling :
       {Sampling{All{}}, Sampling{Poisson{.rate = 0.01}},
        Sampling{Revealed{.rate = 0.01}}}) {
    const PlainMean plain({.participants = {.sampling = sampling}});
    const std::vector<Event> events = {plain.Event("")};
    for (const Accountant accountant :
         {Accountant::kPld, Accountant::kRdp, Accountant::kPublished}) {
      try {
        Account(events, 1e-5, accountant);
        ADD_FAILURE() << Name(accountant) << " " << Name(sampling);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
        EXPECT_NE(std::string(error.what()).find("without noise"),
                  std::string::npos);
      }
    }
    for (const FilterKind kind : {FilterKind::kRdp, FilterKind::kGdp}) {
      EXPECT_THROW(Filter({.filter = kind}).Cost(events[0]), Error);
    }
  }
}

TEST(PlainMeanTest, RefusesWhatAMechanismRefuses) {
  const PlainMean plain({});
  ExpectBadInput([] { PlainMean({.clip_norm = 0}); }, "clip norm");
  ExpectBadInput([] { PlainMean({.clip_norm = std::nan("")}); }, "clip norm");
  for (const double divisor : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    ExpectBadInput([&] { plain.ReleaseMean(plain.EmptySum(1, ""), divisor); },
                   "divisor");
  }
  ClippedSum sum = plain.EmptySum(1, "");
  plain.ReleaseMean(std::move(sum), 1);
  ExpectBadInput([&] { plain.ReleaseMean(std::move(sum), 1); }, "twice");
  ExpectBadInput([&] { plain.ReleaseMean(ClippedSum(2, 1), 1); }, "clip norm");
}

}  // namespace
}  // namespace sfumato::dp
