// A small sweep and a small monitor, as a user starts them.

#include "base/json.h"
#include "training_testing.h"

namespace sfumato {
namespace {

class SeveralInspectionsSlowTest : public TrainingFixture {
 protected:
  // 60 writers, two sides by private quantiles with little noise, three rounds.
  std::vector<std::string> Inspect(const std::vector<std::string>& more) {
    std::vector<std::string> words = {
        "inspect", std::string(SFUMATO_CONFIGS) + "/handwriting_inspect.toml"};
    for (const char* set :
         {"rounds=3", "data.users=60", "data.examples=20", "inspect.samples=50",
          "primary.users=60", "primary.epochs=3", "cohort.size=3",
          "select.above_quantile=0.6", "select.below_quantile=0.6",
          "survey.quantile_epsilon=20", "survey.count_noise=1",
          "device.name=cpu"}) {
      words.insert(words.end(), {"--set", set});
    }
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  nlohmann::json Json(const std::string& name) {
    return base::ParseJson(Read(name));
  }
};

TEST_F(SeveralInspectionsSlowTest, ASweepGoesToItsEndAndFeedsAnInspection) {
  const auto sweep =
      Inspect({"--sweep", "--shares", "0.5", "--seeds", "1", "--out", "sweep"});
  ASSERT_EQ(Sfumato(sweep), 0) << Read("err");
  const nlohmann::json json = Json("sweep/sweep.json");
  ASSERT_EQ(json.at("trials").size(), 2u);
  EXPECT_EQ(json["trials"][0].at("bug"), "");
  EXPECT_EQ(json["trials"][1].at("bug"), "invert");
  for (const auto& trial : json["trials"]) {
    EXPECT_NE(trial.at("verdict"), "refused") << trial.dump();
    const fs::path folder = folder_ / "sweep" / std::string(trial["folder"]);
    EXPECT_TRUE(fs::exists(folder / "report.html"));
    EXPECT_FALSE(fs::exists(folder / "a1"));
    EXPECT_FALSE(fs::exists(folder / "data"));
  }
  EXPECT_EQ(json["false_alarms"].at("of"), 1);
  EXPECT_TRUE(fs::exists(folder_ / "sweep/sweep.png"));
  const std::string page = Read("sweep/sweep.html");
  EXPECT_NE(page.find("data:image/png"), std::string::npos);
  ASSERT_EQ(Sfumato(sweep), 0) << Read("err");
  EXPECT_EQ(Read("sweep/sweep.html"), page);

  ASSERT_EQ(Sfumato(Inspect({"--power", "sweep/sweep.json", "--out", "one"})),
            0)
      << Read("err");
  EXPECT_NE(Read("err").find("Will see in simulation, invert on 50 %"),
            std::string::npos)
      << Read("err");
  EXPECT_EQ(Json("one/inspection.json").at("power").size(), 2u);
  EXPECT_NE(Read("one/report.html").find("none: false alarms"),
            std::string::npos);
}

TEST_F(SeveralInspectionsSlowTest, AMonitorSeesTheThresholdsOfItsFirst) {
  ASSERT_EQ(
      Sfumato(Inspect({"--monitor", "2", "--set", "data.bug_share=0",
                       "--set-at", "2:data.bug_share=0.5", "--out", "watch"})),
      0)
      << Read("err");
  const nlohmann::json json = Json("watch/monitor.json");
  ASSERT_EQ(json.at("rows").size(), 2u);
  for (const auto& row : json["rows"]) {
    EXPECT_NE(row.at("verdict"), "refused") << row.dump();
    EXPECT_GE(row.at("correction_rate"), 0) << row.dump();
  }
  const nlohmann::json first = Json("watch/01/inspection.json");
  const nlohmann::json second = Json("watch/02/inspection.json");
  EXPECT_EQ(first.at("above").at("value"), second.at("above").at("value"));
  EXPECT_EQ(second.at("above").at("source"), "released");
  EXPECT_EQ(second.at("simulation_only").at("bug_share"), 0.5);
  EXPECT_EQ(second.at("earlier").at("folder"), "01");
  EXPECT_TRUE(fs::exists(folder_ / "watch/02/report.html"));
  EXPECT_TRUE(fs::exists(folder_ / "watch/monitor.html"));
  EXPECT_EQ(Sfumato({"resume", "watch"}), 2);
  EXPECT_NE(Read("err").find("the command that started them again"),
            std::string::npos)
      << Read("err");
}

}  // namespace
}  // namespace sfumato
