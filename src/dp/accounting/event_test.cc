#include "dp/accounting/event.h"

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <string>

#include "base/error.h"
#include "base/error_testing.h"
#include "base/file.h"
#include "gtest/gtest.h"

namespace sfumato::dp {
namespace {

using nlohmann::json;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Event Of(Mechanism mechanism, Sampling sampling = All{},
         Adjacency adjacency = Adjacency::kAddRemove) {
  return {.mechanism = mechanism, .sampling = sampling, .adjacency = adjacency};
}
Event Replaced(Mechanism mechanism, Sampling sampling = All{}) {
  return Of(mechanism, sampling, Adjacency::kReplaceOne);
}

json Example() {
  return json::parse(
      R"({"mechanism":"gaussian","noise_multiplier":1.0,
          "sampling":{"kind":"poisson","rate":0.01},
          "adjacency":"add-remove","unit":"user","count":1})");
}

Error Refusal(const Event& event) {
  return Thrown([&] { CheckEvent(event); });
}
Error Refusal(const std::vector<Event>& events) {
  return Thrown([&] { CheckEvents(events); });
}
Error Refusal(const json& object) {
  return Thrown([&] { EventFromJson(object, "events.jsonl:3"); });
}
bool Says(const Error& error, const std::string& words) {
  return (error.what() + (" " + error.todo())).find(words) != std::string::npos;
}

// ---- JSON ----

std::vector<Mechanism> Mechanisms() {
  return {Gaussian{1.5},
          Laplace{0.1},
          DiscreteGaussian{2.25, 1024, 50000},
          Skellam{8, 64, 640},
          Pure{0.3},
          ThresholdedHistogram{5, 1e-9},
          Approximate{0.5, 1e-8},
          Vote{25, Vote::Level::kAgent, 0},
          Vote{25, Vote::Level::kAgent, 3},
          Unprotected{}};
}

TEST(EventTest, EveryMechanismComesBackFromItsJson) {
  for (const Mechanism& mechanism : Mechanisms()) {
    const Event event = Of(mechanism);
    EXPECT_EQ(EventFromJson(ToJson(event), "here"), event) << ToJson(event);
  }
  Event instance = Of(Vote{25, Vote::Level::kInstance, 10});
  instance.unit = Unit::kExample;
  EXPECT_EQ(EventFromJson(ToJson(instance), "here"), instance);
}

TEST(EventTest, EverySamplingComesBackFromItsJson) {
  for (const Sampling& sampling :
       {Sampling{All{}}, Sampling{Poisson{1.0 / 3}},
        Sampling{FixedSize{1000, 250'000}}, Sampling{Revealed{1e-3}}}) {
    const Event event = Replaced(Gaussian{1}, sampling);
    EXPECT_EQ(EventFromJson(ToJson(event), "here"), event) << ToJson(event);
  }
}

TEST(EventTest, EveryFieldComesBackThroughTextAndBack) {
  Event event = Of(Gaussian{0.1 + 0.2}, Poisson{0.7 / 3});
  event.unit = Unit::kExample;
  event.population = {.name = "poorly served",
                      .root = "phones",
                      .partition = "by accuracy",
                      .selected = true};
  event.cohort = "run 7, round 12";
  EXPECT_EQ(EventFromJson(json::parse(ToJson(event).dump()), "here"), event);
  event.cohort.clear();
  event.count = 1'000'000'000'000;
  EXPECT_EQ(EventFromJson(json::parse(ToJson(event).dump()), "here"), event);
}

TEST(EventTest, WhatMayBeLeftOutHasItsDefault) {
  json object = Example();
  object.erase("count");
  const Event event = EventFromJson(object, "here");
  EXPECT_EQ(event.count, 1);
  EXPECT_EQ(event.population, Population{});
  EXPECT_EQ(event.cohort, "");
}

TEST(EventTest, CountsThatWouldOverflowAreRefused) {
  Event event = Of(Pure{0.001}, All{});
  event.count = 600'000'000'000;
  EXPECT_NO_THROW(CheckEvent(event));
  EXPECT_THROW(CheckEvents(std::vector<Event>{event, event}), Error);
  event.count = std::numeric_limits<std::int64_t>::max();
  EXPECT_THROW(CheckEvent(event), Error);
}

TEST(EventTest, JointNoiseNeedsNumbers) {
  EXPECT_THROW(JointNoiseMultiplier({}), Error);
  EXPECT_THROW(JointNoiseMultiplier(std::vector<double>{1.0, std::nan("")}),
               Error);
}

TEST(EventTest, AMissingKeyIsNamedWithItsLine) {
  for (const char* key :
       {"mechanism", "noise_multiplier", "sampling", "adjacency", "unit"}) {
    json object = Example();
    object.erase(key);
    const Error error = Refusal(object);
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    EXPECT_TRUE(Says(error, key)) << error.what();
    EXPECT_EQ(error.where().find("events.jsonl:3"), 0u);
  }
  json object = Example();
  object["sampling"].erase("rate");
  EXPECT_TRUE(Says(Refusal(object), "rate"));
}

TEST(EventTest, AnUnknownKeyComesWithASuggestion) {
  json object = Example();
  object["cohrot"] = "a";
  EXPECT_TRUE(Says(Refusal(object), "did you mean 'cohort'?"));
  object = Example();
  object["sampling"]["raet"] = 1;
  EXPECT_TRUE(Says(Refusal(object), "did you mean 'rate'?"));
  object = Example();
  object["population"] = {{"name", "a"}, {"rood", "b"}};
  EXPECT_TRUE(Says(Refusal(object), "did you mean 'root'?"));
  // Another mechanism's key is unknown here.
  object = Example();
  object["epsilon"] = 1;
  EXPECT_TRUE(Says(Refusal(object), "unknown key 'epsilon'"));
}

TEST(EventTest, AnUnknownWordComesWithASuggestion) {
  const std::pair<const char*, const char*> wrong[] = {
      {"mechanism", "gausian"}, {"adjacency", "add-remoev"}, {"unit", "usr"}};
  for (const auto& [key, word] : wrong) {
    json object = Example();
    object[key] = word;
    const Error error = Refusal(object);
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    EXPECT_TRUE(Says(error, "did you mean '")) << error.todo();
  }
  json object = Example();
  object["sampling"]["kind"] = "poison";
  EXPECT_TRUE(Says(Refusal(object), "did you mean 'poisson'?"));
}

TEST(EventTest, AWrongTypeIsNamed) {
  const std::pair<const char*, json> wrong[] = {{"mechanism", 3},
                                                {"noise_multiplier", "1"},
                                                {"noise_multiplier", nullptr},
                                                {"sampling", "poisson"},
                                                {"adjacency", true},
                                                {"count", 1.5},
                                                {"count", "1"},
                                                {"count", true},
                                                {"population", "phones"},
                                                {"cohort", 5},
                                                {"unit", json::array()}};
  for (const auto& [key, value] : wrong) {
    json object = Example();
    object[key] = value;
    EXPECT_EQ(Refusal(object).kind(), ErrorKind::kBadInput) << key;
  }
  EXPECT_EQ(Refusal(json::array()).kind(), ErrorKind::kBadInput);
  EXPECT_EQ(Refusal(json(5)).kind(), ErrorKind::kBadInput);
  json object = Example();
  object["population"] = {{"name", "a"}, {"selected", 1}};
  EXPECT_TRUE(Says(Refusal(object), "selected"));
}

TEST(EventTest, HugeWholeNumbersAreRefusedNotWrapped) {
  for (const char* huge : {"9223372036854775808", "18446744073709551615",
                           "99999999999999999999999", "1e18"}) {
    json object = Example();
    object["count"] = json::parse(huge);
    EXPECT_TRUE(Says(Refusal(object), "whole number")) << huge;
  }
  json object = Example();
  object["count"] = INT64_MIN;
  EXPECT_EQ(Refusal(object).kind(), ErrorKind::kBadInput);
}

TEST(EventTest, NanInJsonIsRefused) {
  json object = Example();
  object["noise_multiplier"] = kNan;
  EXPECT_EQ(Refusal(object).kind(), ErrorKind::kBadInput);
}

TEST(EventTest, AFileIsReadLineByLine) {
  const base::Path path =
      base::Path(testing::TempDir()) / "event_test_events.jsonl";
  const auto write = [&](const std::string& text) {
    std::ofstream(path) << text;
  };
  write(Example().dump() + "\n\n" + Example().dump() + "\n");
  EXPECT_EQ(ReadEvents(path).size(), 2u);
  write("\n\n");
  EXPECT_TRUE(Says(Thrown([&] { ReadEvents(path); }), "no events"));
  write(Example().dump() + "\n{\"mechanism\":\"gaussian\"}\n");
  EXPECT_EQ(Thrown([&] { ReadEvents(path); }).where(), path.string() + ":2");
  write(Example().dump() + "\nnot json\n");
  EXPECT_EQ(Thrown([&] { ReadEvents(path); }).kind(), ErrorKind::kBadInput);
  // A cut last line is a cost that would not be counted.
  write(Example().dump() + "\n" + Example().dump().substr(0, 40));
  EXPECT_EQ(Thrown([&] { ReadEvents(path); }).kind(), ErrorKind::kBadInput);
  write(Example().dump());  // whole, without a line end
  EXPECT_EQ(ReadEvents(path).size(), 1u);
  std::filesystem::remove(path);
  EXPECT_EQ(Thrown([&] { ReadEvents(path); }).kind(), ErrorKind::kBadInput);
}

TEST(EventTest, EveryExampleOfTheDocumentIsAnEvent) {
  std::istringstream text(
      base::ReadFile(base::Path(SFUMATO_DOCS) / "event_format.md"));
  std::set<std::string> mechanisms, samplings;
  bool inside = false;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("```")) {
      inside = line == "```jsonl";
    } else if (inside) {
      const Event event = EventFromJson(json::parse(line), line);
      mechanisms.emplace(Name(event.mechanism));
      samplings.emplace(Name(event.sampling));
      EXPECT_EQ(EventFromJson(ToJson(event), "again"), event) << line;
    }
  }
  EXPECT_EQ(mechanisms.size(), std::variant_size_v<Mechanism>);
  EXPECT_EQ(samplings.size(), std::variant_size_v<Sampling>);
}

TEST(EventTest, IsDescribedInOneLine) {
  Event event = Of(Gaussian{1}, Poisson{0.01});
  event.count = 1000;
  EXPECT_EQ(Describe(event),
            "gaussian z 1 · poisson 0.01 · add-remove · user · 1000 times");
  EXPECT_EQ(Describe(Replaced(Approximate{0.5, 1e-8}, FixedSize{10, 425})),
            "approximate ε 0.5 δ 1e-08 · fixed 10 of 425 · replace-one · user "
            "· 1 time");
  EXPECT_EQ(Describe(Of(Vote{25, Vote::Level::kAgent, 0})),
            "vote σ 25 agent level · all · add-remove · user · 1 time");
}

// ---- Numbers that cannot be ----

TEST(EventTest, NoiseMustBeFiniteAndPositive) {
  for (const double bad : {kNan, 0.0, -1.0, kInfinity}) {
    for (const Mechanism& mechanism :
         {Mechanism{Gaussian{bad}}, Mechanism{Laplace{bad}},
          Mechanism{DiscreteGaussian{bad, 1, 1}}, Mechanism{Skellam{bad, 1, 1}},
          Mechanism{ThresholdedHistogram{bad, 0}},
          Mechanism{Vote{bad, Vote::Level::kAgent, 0}}}) {
      EXPECT_EQ(Refusal(Of(mechanism)).kind(), ErrorKind::kBadInput) << bad;
    }
  }
}

TEST(EventTest, EpsilonAndDeltaMustBeInRange) {
  for (const double bad : {kNan, -0.1, kInfinity}) {
    EXPECT_EQ(Refusal(Of(Pure{bad})).kind(), ErrorKind::kBadInput);
    EXPECT_EQ(Refusal(Of(Approximate{bad, 0})).kind(), ErrorKind::kBadInput);
  }
  for (const double bad : {kNan, -0.1, 1.0, kInfinity}) {
    EXPECT_EQ(Refusal(Of(Approximate{1, bad})).kind(), ErrorKind::kBadInput);
    EXPECT_EQ(Refusal(Of(ThresholdedHistogram{1, bad})).kind(),
              ErrorKind::kBadInput);
  }
  EXPECT_NO_THROW(CheckEvent(Of(Approximate{0, 0})));
}

TEST(EventTest, RatesLieInZeroToOne) {
  for (const double bad : {kNan, 0.0, -0.1, 1.1, kInfinity}) {
    EXPECT_EQ(Refusal(Of(Gaussian{1}, Poisson{bad})).kind(),
              ErrorKind::kBadInput);
    EXPECT_EQ(Refusal(Of(Gaussian{1}, Revealed{bad})).kind(),
              ErrorKind::kBadInput);
  }
}

TEST(EventTest, CountsStartAtOne) {
  Event event = Of(Gaussian{1});
  for (const std::int64_t bad : {std::int64_t{0}, std::int64_t{INT64_MIN}}) {
    event.count = bad;
    EXPECT_EQ(Refusal(event).kind(), ErrorKind::kBadInput);
  }
  EXPECT_EQ(Refusal(Replaced(Gaussian{1}, FixedSize{0, 5})).kind(),
            ErrorKind::kBadInput);
  EXPECT_EQ(Refusal(Replaced(Gaussian{1}, FixedSize{6, 5})).kind(),
            ErrorKind::kBadInput);
  EXPECT_EQ(Refusal(Of(DiscreteGaussian{1, 0, 1})).kind(),
            ErrorKind::kBadInput);
  EXPECT_EQ(Refusal(Of(DiscreteGaussian{1, 1, 0})).kind(),
            ErrorKind::kBadInput);
  EXPECT_EQ(Refusal(Of(Skellam{1, 5, 4})).kind(), ErrorKind::kBadInput);
  EXPECT_EQ(Refusal(Of(Vote{1, Vote::Level::kAgent, -1})).kind(),
            ErrorKind::kBadInput);
}

TEST(EventTest, DeltaLiesStrictlyBetweenZeroAndOne) {
  for (const double bad : {kNan, 0.0, 1.0, -1e-5, 1e-320, kInfinity}) {
    EXPECT_EQ(Thrown([&] { CheckDelta(bad); }).kind(), ErrorKind::kBadInput);
  }
  EXPECT_NO_THROW(CheckDelta(1e-300));
}

// ---- Parts that have no proof together ----

TEST(EventTest, OneCohortIsOneEvent) {
  Event first = Of(Gaussian{1}, Poisson{0.01});
  first.cohort = "round 1";
  Event second = first;
  second.mechanism = Gaussian{5};
  const Error error = Refusal(std::vector{first, second});
  EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
  EXPECT_TRUE(Says(error, "joint noise")) << error.todo();
  second.cohort = "round 2";
  EXPECT_NO_THROW(CheckEvents(std::vector{first, second}));
  // Without a secret draw nothing is amplified, so both may be counted.
  first.sampling = second.sampling = All{};
  second.cohort = first.cohort;
  EXPECT_NO_THROW(CheckEvents(std::vector{first, second}));
}

TEST(EventTest, OneCohortIsNotDrawnTwice) {
  Event event = Of(Gaussian{1}, Poisson{0.01});
  event.cohort = "round 1";
  event.count = 2;
  EXPECT_EQ(Refusal(event).kind(), ErrorKind::kUnsupported);
}

TEST(EventTest, JointNoiseAddsPrecisions) {
  // A retry with fresh noise on the same cohort is one event at z / sqrt 2.
  EXPECT_DOUBLE_EQ(JointNoiseMultiplier(std::array{1.0, 1.0}),
                   1 / std::sqrt(2));
  // 1/9 + 1/16 = 25/144.
  EXPECT_DOUBLE_EQ(JointNoiseMultiplier(std::array{3.0, 4.0}), 12.0 / 5);
  EXPECT_DOUBLE_EQ(JointNoiseMultiplier(std::array{7.0}), 7);
}

TEST(EventTest, FixedSizeOfASelectedPopulationIsRefused) {
  Event event = Replaced(Gaussian{1}, FixedSize{10, 100});
  event.population = {.name = "poor", .root = "all", .selected = true};
  Error error = Refusal(event);
  EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
  EXPECT_TRUE(Says(error, "Poisson")) << error.todo();
  event.population = {.name = "poor", .root = "all", .partition = "p"};
  EXPECT_EQ(Refusal(event).kind(), ErrorKind::kUnsupported);
}

TEST(EventTest, SelectionByTheUsersDataLeavesOnlyAddRemove) {
  Event event = Replaced(Gaussian{1}, Poisson{0.1});
  event.population = {.name = "poor", .root = "all", .selected = true};
  const Error error = Refusal(event);
  EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
  EXPECT_TRUE(Says(error, "add-remove")) << error.todo();
  event.adjacency = Adjacency::kAddRemove;
  EXPECT_NO_THROW(CheckEvent(event));
}

TEST(EventTest, FixedSizeMeansReplaceOne) {
  const Error error = Refusal(Of(Gaussian{1}, FixedSize{10, 100}));
  EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
  EXPECT_TRUE(Says(error, "replace-one")) << error.todo();
}

TEST(EventTest, AVoteIsNeverSampled) {
  const Error error =
      Refusal(Of(Vote{5, Vote::Level::kAgent, 0}, Poisson{0.1}));
  EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
  EXPECT_TRUE(Says(error, "sampling all")) << error.todo();
}

TEST(EventTest, AVotesLevelIsItsUnit) {
  Event event = Of(Vote{5, Vote::Level::kInstance, 0});
  EXPECT_EQ(Refusal(event).kind(), ErrorKind::kBadInput);
  event.unit = Unit::kExample;
  EXPECT_NO_THROW(CheckEvent(event));
  event.mechanism = Vote{5, Vote::Level::kAgent, 0};
  EXPECT_EQ(Refusal(event).kind(), ErrorKind::kBadInput);
}

TEST(EventTest, MixedAdjacenciesUnitsAndRootsAreRefused) {
  const Event first = Of(Gaussian{1});
  Event second = first;
  second.adjacency = Adjacency::kReplaceOne;
  EXPECT_TRUE(Says(Refusal(std::vector{first, second}), "adjacencies"));
  second = first;
  second.unit = Unit::kExample;
  EXPECT_TRUE(Says(Refusal(std::vector{first, second}), "units"));
  second = first;
  second.population.name = "phones";
  EXPECT_TRUE(Says(Refusal(std::vector{first, second}), "populations"));
}

TEST(EventTest, ADerivedPopulationChargesItsRoot) {
  Event root = Of(Gaussian{1}), derived = root;
  root.population.name = "phones";
  derived.population = {.name = "poor", .root = "phones", .selected = true};
  EXPECT_EQ(derived.population.Root(), "phones");
  EXPECT_EQ(root.population.Root(), "phones");
  EXPECT_NO_THROW(CheckEvents(std::vector{root, derived}));
}

TEST(EventTest, OneBadEventSpoilsTheList) {
  EXPECT_EQ(Refusal(std::vector{Of(Gaussian{1}), Of(Gaussian{kNan})}).kind(),
            ErrorKind::kBadInput);
  EXPECT_NO_THROW(CheckEvents({}));
}

TEST(EventTest, TheRateIsTheShareThatTakesPart) {
  EXPECT_EQ(Rate(All{}), 1);
  EXPECT_EQ(Rate(Poisson{0.25}), 0.25);
  EXPECT_EQ(Rate(Revealed{0.25}), 0.25);
  EXPECT_EQ(Rate(FixedSize{1000, 250'000}), 0.004);
}

}  // namespace
}  // namespace sfumato::dp
