// Runs of training as a user starts them, for tests.

#pragma once

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "base/json_lines.h"
#include "program_testing.h"

namespace sfumato {

class TrainingFixture : public ProgramFixture {
 protected:
  // A small public set, `people`, and a config that trains on it.
  void MakePeople(int users = 20) {
    ASSERT_EQ(Sfumato({"data", "make", "handwriting", "--users",
                       std::to_string(users), "--mean-examples", "8", "--out",
                       "people"}),
              0)
        << Read("err");
  }

  void Write(const std::string& name, const std::string& text) {
    base::WriteFileAtomically(folder_ / name, text);
  }

  void WriteConfig(int rounds, const std::string& more = "") {
    Write("c.toml", "name = \"t\"\nrounds = " + std::to_string(rounds) +
                        "\n[data]\npath = \"people\"\ntest_share = 0.2\n"
                        "[model]\nname = \"logistic\"\n[cohort]\nsize = 5\n"
                        "[privacy]\nnoise_multiplier = 1.0\nclip_norm = 0.5\n" +
                        more);
  }

  nlohmann::json Json(const std::string& path) {
    return nlohmann::json::parse(Read(path));
  }

  // The bytes of every checkpoint.
  std::map<std::string, std::string> Checkpoints(const std::string& run) {
    std::map<std::string, std::string> files;
    for (const auto& entry :
         fs::directory_iterator(folder_ / run / "checkpoints")) {
      files[entry.path().filename()] = base::ReadFile(entry.path());
    }
    return files;
  }

  // Lines of metrics.jsonl without what a clock made.
  std::vector<nlohmann::json> Metrics(const std::string& run) {
    std::vector<nlohmann::json> lines;
    base::ReadJsonLines(folder_ / run / "metrics.jsonl",
                        [&](nlohmann::json line, int) {
                          line.erase("seconds");
                          lines.push_back(line);
                        });
    return lines;
  }
};

}  // namespace sfumato
