// Small inspections as a user starts them, for tests.

#pragma once

#include <string>
#include <vector>

#include "data/dataset_writer.h"
#include "runs/contrast.h"
#include "runs/inspection.h"
#include "training_testing.h"

namespace sfumato {

class InspectionFixture : public TrainingFixture {
 protected:
  using Words = std::vector<std::string>;

  // People who draw a bar on the left or on the right, eight times each; for
  // the second half of them light and dark are exchanged. User 3 draws rows of
  // numbers that nobody else has.
  struct Bars {
    std::string folder = "people";
    data::Origin origin = data::Origin::kPublic;
    int side = 16;
    int channels = 1;
    int users = 60;
    int classes = 2;  // a third one has no examples
    std::string second_class = "right";
    bool bug = true;
    bool graded = false;  // on more and more of users' examples instead
    bool canary = false;
  };
  static constexpr int kExamples = 8;

  static std::string UserName(int user) {
    return "canary_name_" + std::to_string(user);
  }
  // 16 bytes that no other image has.
  static std::string CanaryRow() {
    std::string row;
    for (int i = 0; i < 16; ++i) row += static_cast<char>(17 + 13 * i);
    return row;
  }

  void MakeBars(const Bars& bars) {
    data::DatasetInfo info;
    info.name = bars.folder;
    info.origin = bars.origin;
    info.image = {bars.side, bars.side, bars.channels};
    info.classes = {"left", bars.second_class};
    if (bars.classes == 3) info.classes.push_back("neither");
    info.columns = {{.name = "phone", .values = {"old", "new"}}};
    info.declared = true;
    data::DatasetWriter writer(folder_ / bars.folder, info);
    for (int user = 0; user < bars.users; ++user) {
      writer.BeginUser(UserName(user));
      for (int i = 0; i < kExamples; ++i) {
        const std::vector<std::uint8_t> pixels = BarOf(bars, user, i);
        const std::int32_t phone[] = {user % 2};
        writer.Add({.pixels = pixels, .label = i % 2, .columns = phone});
      }
    }
    writer.Finish();
  }

  // A classifier of plain bars, which takes exchanged ones for the other side.
  void MakeJudge(const Bars& bars, const std::string& folder = "judge") {
    Bars plain = bars;
    plain.folder = folder + "_people";
    plain.origin = data::Origin::kPublic;
    plain.bug = plain.canary = false;
    MakeBars(plain);
    Write(folder + ".toml",
          "algorithm = \"fedavg\"\nrounds = 3\n[data]\npath = \"" +
              plain.folder +
              "\"\n[model]\nname = \"logistic\"\n[cohort]\nsize = 20\n");
    ASSERT_EQ(Sfumato({"train", folder + ".toml", "--out", folder}), 0)
        << Read("err");
  }

  void WriteInspection(const std::string& data, int rounds = 3) {
    Write("i.toml",
          "name = \"t\"\npreset = \"gan_quick\"\nrounds = " +
              std::to_string(rounds) + "\n[data]\npath = \"" + data +
              "\"\n[select]\nby = \"accuracy\"\nabove = 0.6\nbelow = 0.4\n"
              "model = \"judge\"\nmodel_is = \"fixed\"\n[cohort]\nsize = 3\n"
              "[inspect]\nsamples = 50\n[gan]\nlatent = 8\nsample_count = 50\n"
              "sample_every = 1\ngenerator_steps = 1\n[local]\nmax_steps = 1\n"
              "[privacy]\nnoise_multiplier = 2.0\ndelta = 1e-3\n"
              "[survey]\ncount_noise = 2.0\nhistogram_noise = 2.0\n"
              "correction_noise = 2.0\n[checkpoint]\nevery = 1\n");
  }

 private:
  static std::vector<std::uint8_t> BarOf(const Bars& bars, int user, int i) {
    const auto side = static_cast<std::size_t>(bars.side);
    const auto channels = static_cast<std::size_t>(bars.channels);
    std::vector<std::uint8_t> pixels(side * side * channels);
    const std::size_t from = i % 2 == 0 ? side / 8 : side * 5 / 8;
    for (std::size_t y = 2; y < side - 2; ++y) {
      for (std::size_t x = from; x < from + side / 4; ++x) {
        for (std::size_t c = 0; c < channels; ++c) {
          pixels[(y * side + x) * channels + c] =
              static_cast<std::uint8_t>(200 + user % 50);
        }
      }
    }
    const bool broken = bars.graded ? i * bars.users < user * kExamples
                                    : user >= bars.users / 2;
    if (bars.bug && broken) {
      for (std::uint8_t& pixel : pixels) pixel = 255 - pixel;
    }
    if (bars.canary && user == 3) {
      const std::string row = CanaryRow();
      for (std::size_t p = 0; p < pixels.size(); ++p) {
        pixels[p] = static_cast<std::uint8_t>(row[p % row.size()]);
      }
    }
    return pixels;
  }
};

}  // namespace sfumato
