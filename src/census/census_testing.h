// A voter for tests: bright images are inverted ones.

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/file.h"
#include "base/json.h"
#include "census/voter/voter.h"

namespace sfumato::census {

class BrightnessVoter : public Voter {
 public:
  inline static std::atomic<int> asked = 0;

  explicit BrightnessVoter(Calibration calibration) {
    calibration_ = std::move(calibration);
  }

  // 1,000 healthy reference users and 200 inverted ones, all of whom vote
  // rightly.
  static std::unique_ptr<Voter> Learn(const VoterOptions& options) {
    Calibration calibration;
    calibration.cells = {{.key = kAsItShouldBe, .words = "as it should be"},
                         {.key = "invert", .words = "light and dark swapped"},
                         {.key = kNoneOfThese, .words = "none of these"},
                         {.key = kCannotTell, .words = "cannot tell"}};
    calibration.states = {
        {.key = kAsItShouldBe,
         .tried = {{.users = 1000, .votes = {1000, 0, 0, 0}}}},
        {.key = "invert", .tried = {{.users = 200, .votes = {0, 200, 0, 0}}}}};
    calibration.marks = options.marks;
    calibration.split = options.split;
    auto voter = std::make_unique<BrightnessVoter>(calibration);
    voter->change = options.change;
    return voter;
  }
  // References that show no damage at all.
  static std::unique_ptr<Voter> LearnNothing() {
    return std::make_unique<BrightnessVoter>(Calibration{
        .cells = {{.key = kAsItShouldBe, .words = "as it should be"},
                  {.key = kNoneOfThese, .words = "none of these"},
                  {.key = kCannotTell, .words = "cannot tell"}},
        .states = {{.key = kAsItShouldBe,
                    .tried = {{.users = 1000, .votes = {1000, 0, 0}}}}}});
  }
  static std::unique_ptr<Voter> Read(const base::Path& folder) {
    const base::Path path = folder / "voter.json";
    return std::make_unique<BrightnessVoter>(CalibrationFromJson(
        base::ParseJson(base::ReadFile(path)), path.string()));
  }

  bool on_change() const override { return change; }
  bool Reads(const data::DatasetInfo& info) const override {
    return info.kind == data::Kind::kImages;
  }
  // Who is bright now and was dark before was inverted.
  Votes VotesOnChange(const data::FederatedDataset& before,
                      const std::vector<std::int64_t>& user_before,
                      const data::FederatedDataset& now,
                      const std::vector<std::int64_t>& users,
                      fed::WorkerPool& pool) const override {
    Votes votes = VotesOf(now, users, pool);
    for (std::size_t i = 0; i < users.size(); ++i) {
      if (user_before[i] < 0) {
        votes[i] = {3};
      } else if (VotesOf(before, {user_before[i]}, pool)[0] == votes[i]) {
        votes[i] = {0};
      }
    }
    return votes;
  }

  bool change = false;

  Votes VotesOf(const data::FederatedDataset& set,
                const std::vector<std::int64_t>& users,
                fed::WorkerPool&) const override {
    ++asked;
    Votes votes;
    for (const std::int64_t number : users) {
      const data::User user = set.user(static_cast<std::size_t>(number));
      if (user.size() == 0) {
        votes.push_back({3});
        continue;
      }
      votes.push_back({user[0].pixels[0] > 127 ? 1 : 0});
    }
    return votes;
  }

  void Write(const base::Path& folder) const override {
    base::StagedFolder staged(folder);
    base::WriteFileAtomically(staged.path() / "voter.json",
                              ToJson(calibration_).dump());
    base::WriteFileAtomically(staged.path() / "voter.safetensors", "weights");
    staged.Commit();
  }
};

}  // namespace sfumato::census
