// Censuses that never were, for tests of pages.

#pragma once

#include <string>
#include <vector>

#include "census/answer/answer_testing.h"
#include "runs/census.h"

namespace sfumato::report {

inline constexpr const char* kFamilyWords[] = {
    "inverted",        "mirrored",
    "upside down",     "turned by an angle",
    "shifted",         "gamma too high",
    "gamma too low",   "dimmed",
    "blurred",         "half covered",
    "dead pixels",     "coarse blocks",
    "grain",           "too much contrast",
    "stretched",       "thinner strokes",
    "thicker strokes", "edges only",
    "rows exchanged",  "a frame around it",
    "few grey levels", "two halves swapped"};

struct CensusMade {
  std::vector<census::GroupMade> groups = {{}};
  bool simulation = true;
  double foreign = 0;
};

inline runs::CensusRecord MakeCensus(const CensusMade& made) {
  base::Rng rng(5);
  census::TrueVoter voter = census::MakeVoter(0.003, rng);
  const bool two = made.groups.size() == 2;
  runs::CensusRecord record{
      .status = runs::Status::kFinished,
      .version = "0.1.0",
      .name = "phones",
      .question = "Has the new camera changed what people photograph?",
      .simulation = made.simulation,
      .data = "phones",
      .origin = made.simulation ? "generated" : "private",
      .reference = {.words = "handwriting of 1,500 made-up people",
                    .provenance = "generated",
                    .crc32c = "55aa1234"},
      .groups = {{.words = "everybody"}},
      .ledger_name = "phones-1",
      .config_crc32c = "4e5f6071",
      .data_crc32c = "0a1b2c3d",
      .voter_crc32c = "76543210",
      .noise = {.kind = census::NoiseKind::kLaplace, .parameter = 2},
      .calibration = census::Calibrate(voter, rng)};
  for (std::size_t f = 0; f < voter.families; ++f) {
    record.calibration.cells[f + 1].words = kFamilyWords[f];
    record.calibration.cells[f + 1].cause =
        "a camera driver or an update of the app";
  }
  if (two) {
    record.design = census::Design::kTwoGroups;
    record.groups = {{.words = "version 1", .rule = "column version = 1"},
                     {.words = "version 2", .rule = "column version = 2"}};
    voter.healthy[0] -= made.foreign;
    voter.healthy[6] += 0.65 * made.foreign;
    voter.healthy[3] += 0.35 * made.foreign;
  }
  for (const census::GroupMade& group : made.groups) {
    record.counts.push_back(census::Census(voter, group, record.noise, rng));
  }
  record.power = census::PowerOf({.noise = record.noise, .users = {600}},
                                 record.calibration);
  record.answer = census::AnswerOf(
      {.counts = record.counts, .noise = record.noise}, record.calibration,
      {.design = record.design,
       .groups = two ? std::vector<std::string>{"version 1", "version 2"}
                     : std::vector<std::string>{},
       .draws = 400});
  record.privacy = {.epsilon = 0.5,
                    .delta = 0,
                    .unit = "user",
                    .adjacency = "add-remove",
                    .proof = "pure differential privacy: discrete Laplace",
                    .against = "everybody who sees only what is released",
                    .seeded = made.simulation,
                    .parts = {{.what = "the votes",
                               .epsilon = 0.5,
                               .events = "discrete Laplace, scale 2"}},
                    .population = "phones"};
  if (made.simulation) {
    record.simulation_only = {{"bug", "rotate 20°"}};
  } else {
    record.privacy.granted_epsilon = 4;
    record.privacy.used_before = 0.2;
    record.privacy.used_after = 0.31;
    record.privacy.left = 0.69;
    record.privacy.ledger_head = "9f8e7d6c";
    record.privacy.entries = {{.run = "phones-1",
                               .population = "phones",
                               .released = "1 vote over 25 cells",
                               .finished = true}};
  }
  return record;
}

}  // namespace sfumato::report
