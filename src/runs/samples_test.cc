#include "runs/samples.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/error.h"
#include "runs/sample_set.h"

namespace sfumato::runs {
namespace {

namespace fs = std::filesystem;

class SamplesTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) /
              (std::string("SamplesTest.") + test->name());
    fs::remove_all(folder_);
  }

  base::Path folder_;
};

// Two images of 3 × 2 pixels in colour: 0, 1, 2, … 35.
ImageSamples Colour() {
  ImageSamples samples{
      .round = 120, .height = 2, .width = 3, .channels = 3, .labels = {7, 0}};
  for (int i = 0; i < 36; ++i) {
    samples.pixels.push_back(static_cast<std::uint8_t>(i));
  }
  return samples;
}

void ExpectSame(const ImageSamples& a, const ImageSamples& b) {
  EXPECT_EQ(a.round, b.round);
  EXPECT_EQ(a.height, b.height);
  EXPECT_EQ(a.width, b.width);
  EXPECT_EQ(a.channels, b.channels);
  EXPECT_EQ(a.pixels, b.pixels);
  EXPECT_EQ(a.labels, b.labels);
}

ErrorKind KindOfReading(const base::Path& path) {
  try {
    ReadSamples(path);
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), path.string());
    return error.kind();
  }
  ADD_FAILURE() << path << " was read";
  return ErrorKind::kBadInput;
}

TEST_F(SamplesTest, AreReadAsTheyWereWritten) {
  WriteSamples(folder_, Colour(), {{"epsilon", "0.5"}});
  ImageSamples grey{.round = 7, .height = 1, .width = 2, .pixels = {3, 250}};
  WriteSamples(folder_, grey, {});
  const std::vector<base::Path> found = SamplesIn(folder_);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].filename(), "round_000007.safetensors");
  EXPECT_EQ(found[1].filename(), "round_000120.safetensors");
  ExpectSame(ReadSamples(found[0]), grey);
  ExpectSame(ReadSamples(found[1]), Colour());
  EXPECT_EQ(base::SafetensorsFile(found[1]).metadata().at("epsilon"), "0.5");
  EXPECT_TRUE(SamplesIn(folder_ / "nowhere").empty());
}

TEST_F(SamplesTest, AGridHasThePixelsWhereTheyBelong) {
  const base::Image second = ImageAt(Colour(), 1);
  ASSERT_EQ(second.channels, 3);
  // Image 1 begins at 18; row 1, column 2, blue: 18 + 9 + 6 + 2.
  EXPECT_EQ(second.pixels[(1 * 3 + 2) * 3 + 2], 35);
  base::Image grid =
      GridOf(Colour(), {.first = 1, .columns = 1, .rows = 1, .scale = 1});
  // A gap of two pixels lies around the one image.
  ASSERT_EQ(grid.width, 3 + 4);
  ASSERT_EQ(grid.height, 2 + 4);
  EXPECT_EQ(grid.at(2, 2, 0), 18);
  EXPECT_EQ(grid.at(4, 3, 2), 35);
}

TEST_F(SamplesTest, ADamagedFileIsSaidToBe) {
  WriteSamples(folder_, Colour(), {});
  const base::Path path = SamplesIn(folder_).at(0);
  fs::resize_file(path, fs::file_size(path) - 1);
  EXPECT_EQ(KindOfReading(path), ErrorKind::kCorrupt);
  base::WriteFileAtomically(path, "nothing");
  EXPECT_EQ(KindOfReading(path), ErrorKind::kCorrupt);
  // Whole files of something else.
  const std::vector<std::uint8_t> bytes(6);
  const auto write = [&](const char* name, std::vector<std::uint64_t> shape,
                         const base::Metadata& metadata) {
    const base::TensorOut tensor{.name = name,
                                 .type = base::DType::kU8,
                                 .shape = std::move(shape),
                                 .bytes = std::as_bytes(std::span(bytes))};
    base::WriteSafetensors(path, {&tensor, 1}, metadata);
  };
  write("images", {6}, {{"round", "1"}});
  EXPECT_EQ(KindOfReading(path), ErrorKind::kCorrupt);
  write("images", {1, 1, 1, 6}, {{"round", "1"}});  // six channels
  EXPECT_EQ(KindOfReading(path), ErrorKind::kCorrupt);
  write("images", {1, 2, 3, 1}, {});
  EXPECT_EQ(KindOfReading(path), ErrorKind::kCorrupt);
  write("weights", {1, 2, 3, 1}, {{"round", "1"}});
  EXPECT_EQ(KindOfReading(path), ErrorKind::kCorrupt);
  ImageSamples odd = Colour();
  odd.labels.pop_back();
  WriteSampleFile(path, odd, {});
  EXPECT_EQ(KindOfReading(path), ErrorKind::kCorrupt);
}

SampleSet Set() {
  return {.samples = Colour(),
          .label = {{"model", "wgan"},
                    {"algorithm", "dp_fedavg_gan"},
                    {"epsilon", "1.23456"},
                    {"delta", "1e-06"},
                    {"unit", "user"},
                    {"adjacency", "add-remove"},
                    {"simulation", "false"}},
          .classes = {"zero"},
          .name = "first",
          .seed = 5};
}

TEST_F(SamplesTest, ASetHoldsWhatWasAskedFor) {
  const std::vector<std::string> plain = {"grid.png", "samples.safetensors",
                                          "README.md"};
  EXPECT_EQ(WriteSampleSet(folder_, Set()), plain);
  EXPECT_FALSE(fs::exists(folder_ / "samples.npz"));
  ExpectSame(ReadSamples(folder_ / "samples.safetensors"), Colour());
  SampleSet more = Set();
  more.npz = more.images = true;
  WriteSampleSet(folder_, more);
  WriteSampleSet(folder_, more);  // takes the place of the one before
  EXPECT_TRUE(fs::exists(folder_ / "samples.npz"));
  const base::Image second = base::DecodePng(
      base::ReadFile(folder_ / "images" / "000001.png"), "second");
  EXPECT_EQ(second.pixels, ImageAt(Colour(), 1).pixels);
  // Class 7 has no name here.
  EXPECT_EQ(base::ReadFile(folder_ / "images" / "metadata.jsonl"),
            "{\"file_name\":\"000000.png\",\"label\":7}\n"
            "{\"class\":\"zero\",\"file_name\":\"000001.png\",\"label\":0}\n");
}

TEST_F(SamplesTest, TheCardSaysWhoseImagesTheyAreAndWhatTheyCost) {
  const std::string card = CardOf(Set());
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(card, "nobody's images"));
  EXPECT_TRUE(has(card, "2 images of 3 × 2 pixels, in colour"));
  EXPECT_TRUE(has(card, "| ε | 1.235 |")) << "a bound is rounded up" << card;
  EXPECT_TRUE(has(card, "| δ | 1e-06 |"));
  EXPECT_TRUE(has(card, "| rounds | 120 |"));
  EXPECT_TRUE(has(card, "| unit of privacy | user |"));
  EXPECT_TRUE(has(card, "| adjacency | add-remove |"));
  EXPECT_TRUE(has(card, "| simulation | no |"));
  EXPECT_FALSE(has(card, "protected nobody"));
  SampleSet simulated = Set();
  simulated.label["simulation"] = "true";
  EXPECT_TRUE(has(CardOf(simulated), "protected nobody"));
  EXPECT_TRUE(has(CardOf(simulated), "| simulation | yes |"));
}

}  // namespace
}  // namespace sfumato::runs
