// Every way by which a file reaches the program, tried with records of every
// origin. What must come of it is not written here: it is the table "Where
// records come in" of docs/privacy_proofs.md, cell by cell.
//
//   opened    it works, spends nothing, and what it writes is no secret
//   ledger    it works only with an entry in the ledger, which is then there
//   refused   one error, and nothing is left behind
//   –         there is no such thing

#include <algorithm>
#include <functional>
#include <map>
#include <sstream>

#include "config/config_fields.h"
#include "data/dataset_writer.h"
#include "inspection_testing.h"

namespace sfumato {
namespace {

using Words = std::vector<std::string>;

// Cells of a row of the table, by column: "private" → "refused".
using Row = std::map<std::string, std::string>;

std::vector<std::string> CellsOf(const std::string& line) {
  std::vector<std::string> cells;
  std::size_t from = 1;
  for (std::size_t bar = line.find('|', from); bar != std::string::npos;
       bar = line.find('|', from)) {
    std::string cell = line.substr(from, bar - from);
    cell.erase(0, cell.find_first_not_of(' '));
    cell.erase(cell.find_last_not_of(' ') + 1);
    cells.push_back(cell);
    from = bar + 1;
  }
  return cells;
}

// Rows by their input: "data.path", "eval --data".
std::map<std::string, Row> TableInDocs() {
  std::istringstream docs(
      base::ReadFile(std::string(SFUMATO_DOCS) + "/privacy_proofs.md"));
  std::map<std::string, Row> rows;
  std::vector<std::string> columns;
  std::string line;
  bool here = false;
  while (std::getline(docs, line)) {
    if (line.starts_with("## ")) here = line == "## Where records come in";
    if (!here || !line.starts_with("| ")) continue;
    const std::vector<std::string> cells = CellsOf(line);
    if (columns.empty()) {
      columns = cells;
      continue;
    }
    const std::string input = cells.at(0).substr(1, cells.at(0).size() - 2);
    for (std::size_t i = 1; i < cells.size(); ++i) {
      rows[input][columns.at(i)] = cells[i];
    }
  }
  return rows;
}

const std::vector<std::string> kOrigins = {"generated", "public", "private",
                                           "missing", "damaged"};

// What is tried with a set, model, … of that origin, named after it. `entered`:
// with the ledger that a private one needs.
using Try = std::function<int(const std::string& origin, bool entered)>;

class InputsTest : public InspectionFixture {
 protected:
  // Sets of the four origins that there are, and a damaged one: images that
  // were drawn, or text.
  void MakeSets(bool text) {
    for (const auto origin : {data::Origin::kGenerated, data::Origin::kPublic,
                              data::Origin::kPrivate}) {
      const std::string name(data::Name(origin));
      text ? MakeText(name, origin)
           : MakeBars({.folder = name, .origin = origin, .side = 8});
    }
    fs::copy(folder_ / "public", folder_ / "damaged");
    const std::string json = Read("damaged/dataset.json");
    Write("damaged/dataset.json", json.substr(0, json.size() / 2));
  }

  void MakeText(const std::string& folder, data::Origin origin,
                const std::string& name = "") {
    data::DatasetInfo info;
    info.name = name.empty() ? folder : name;
    info.kind = data::Kind::kText;
    info.origin = origin;
    data::DatasetWriter writer(folder_ / folder, info);
    for (int user = 0; user < 40; ++user) {
      writer.BeginUser(UserName(user));
      for (const char* text : {"the cat sat", "i have a dog", "secretword ran"})
        writer.Add({.text = text});
    }
    writer.Finish();
  }

  // Another ledger than before, which the sets have never seen.
  void Grant(const std::string& population = "private") {
    fs::remove(folder_ / "ledger.sqlite");
    for (const char* set : {"private", "now", "asked_private"}) {
      fs::remove(folder_ / set / "ledger.id");
    }
    ASSERT_EQ(Sfumato({"ledger", "create", "ledger.sqlite", "--population",
                       population, "--epsilon", "1000", "--delta", "1e-3"}),
              0)
        << Read("err");
  }
  std::size_t Entries() {
    if (!fs::exists(folder_ / "ledger.sqlite")) return 0;
    EXPECT_EQ(Sfumato({"ledger", "export", "ledger.sqlite"}), 0) << Read("err");
    return static_cast<std::size_t>(std::ranges::count(Read("out"), '\n'));
  }

  static std::string TrainToml(const std::string& data,
                               const std::string& more = "") {
    return "rounds = 2\n[data]\npath = \"" + data + "\"\n" + more +
           "[model]\nname = \"logistic\"\n[cohort]\nsize = 5\n"
           "population = 60\n[privacy]\nnoise_multiplier = 2.0\n"
           "delta = 1e-3\n";
  }
  int Train(const std::string& toml) {
    Write("c.toml", toml);
    return Sfumato({"train", "c.toml", "--out", "made", "--yes", "--json"});
  }

  // The row of docs/privacy_proofs.md, cell by cell.
  void Follow(const std::string& input, const Try& attempt) {
    const auto table = TableInDocs();
    ASSERT_TRUE(table.contains(input)) << "no row in docs/privacy_proofs.md";
    for (const std::string& origin : kOrigins) {
      const std::string wanted = table.at(input).at(origin);
      const std::string about = input + ", " + origin + ": " + wanted;
      const auto refused = [&](bool entered) {
        EXPECT_NE(attempt(origin, entered), 0) << about << "\n" << Read("out");
        EXPECT_NE(Read("err").find("error: "), std::string::npos)
            << about << "\n"
            << Read("err");
        EXPECT_FALSE(fs::exists(folder_ / "made")) << about;
      };
      if (wanted == "–") continue;
      if (wanted == "opened") {
        fs::remove(folder_ / "ledger.sqlite");
        EXPECT_EQ(attempt(origin, false), 0) << about << "\n" << Read("err");
      } else if (wanted == "ledger") {
        fs::remove(folder_ / "ledger.sqlite");
        refused(false);
        Grant();
        EXPECT_EQ(attempt(origin, true), 0) << about << "\n" << Read("err");
        EXPECT_GT(Entries(), 2u) << about << ": nothing was entered";
        NothingPrivateIn("made");
      } else {
        ASSERT_EQ(wanted, "refused") << about;
        Grant();
        const std::size_t before = Entries();
        refused(true);
        EXPECT_EQ(Entries(), before) << about;
      }
      fs::remove_all(folder_ / "made");
    }
  }

  // Rule 7: no value that was computed from records without a mechanism.
  void NothingPrivateIn(const std::string& run) {
    if (!fs::exists(folder_ / run / "metrics.jsonl")) return;
    for (const auto& line : Metrics(run)) {
      for (const char* secret :
           {"loss", "cohort", "client_norm", "test_accuracy", "test_loss"}) {
        EXPECT_FALSE(line.contains(secret)) << secret;
      }
    }
    EXPECT_EQ(Json(run + "/run.json").at("simulation"), false);
  }
};

TEST_F(InputsTest, EveryKeyThatNamesAnInputHasARowInTheDocs) {
  const auto table = TableInDocs();
  for (const config::Field* field : config::Inputs()) {
    EXPECT_TRUE(table.contains(field->FullKey())) << field->FullKey();
  }
  // A key for a path that does not say so would have no row.
  for (const config::Field& field : config::Fields()) {
    const bool path = field.key.ends_with("path") || field.key == "ledger" ||
                      field.key == "vocabulary" || field.key == "model" ||
                      field.key == "reference" || field.key == "voter" ||
                      field.key == "census";
    EXPECT_EQ(path, std::holds_alternative<config::Input>(field.rule))
        << field.FullKey();
  }
}

TEST_F(InputsTest, DataPath) {
  MakeSets(/*text=*/false);
  Follow("data.path", [&](const std::string& origin, bool) {
    return Train(TrainToml(origin));
  });
}

// What a model does on private records is itself private, also where it was
// trained on public ones.
TEST_F(InputsTest, DataTestPath) {
  MakeSets(false);
  for (const char* data : {"public", "private"}) {
    Follow("data.test_path", [&](const std::string& origin, bool) {
      if (data == std::string("private")) Grant();
      return Train(TrainToml(data, "test_path = \"" + origin + "\"\n"));
    });
  }
}

TEST_F(InputsTest, DataPublicPath) {
  MakeSets(false);
  Follow("data.public_path", [&](const std::string& origin, bool) {
    return Train(TrainToml("public", "public_path = \"" + origin + "\"\n"));
  });
}

// What voters learn from; whoever is asked.
class CensusInputsTest : public InputsTest {
 protected:
  void SetUp() override {
    InputsTest::SetUp();
    MakeSets(/*text=*/false);
    for (const auto origin : {data::Origin::kPublic, data::Origin::kPrivate}) {
      MakeBars({.folder = fmt::format("asked_{}", data::Name(origin)),
                .origin = origin,
                .side = 8,
                .bug = false});
    }
  }
  int Ask(const std::string& data, const std::string& reference,
          const std::string& out, const std::string& more = "") {
    Write("census.toml", "[data]\npath = \"" + data +
                             "\"\n[census]\nreference = \"" + reference +
                             "\"\neffort = 0.02\n" + more +
                             "[privacy]\npopulation = \"private\"\ndelta = "
                             "1e-3\n");
    return Sfumato({"census", "census.toml", "--out", out, "--yes"});
  }
};

TEST_F(CensusInputsTest, CensusReference) {
  for (const std::string data : {"asked_public", "asked_private"}) {
    Follow("census.reference", [&](const std::string& origin, bool) {
      if (data == "asked_private") Grant();
      return Ask(data, origin, "made");
    });
  }
}

// A model's draws are what its run was: of public data, or paid for by a
// population, or of nobody knows what.
TEST_F(CensusInputsTest, ReferencesThatARunDraws) {
  const auto train = [&](const std::string& data, const std::string& out) {
    Write("g.toml", "preset = \"gan_quick\"\nrounds = 1\n[data]\npath = \"" +
                        data +
                        "\"\n[cohort]\nsize = 3\npopulation = 60\n[gan]\n"
                        "latent = 8\ngenerator_steps = 1\n[local]\n"
                        "max_steps = 1\n[privacy]\nnoise_multiplier = 2.0\n"
                        "delta = 1e-3\npopulation = \"private\"\n");
    EXPECT_EQ(Sfumato({"train", "g.toml", "--out", out, "--yes"}), 0)
        << Read("err");
  };
  const auto reference = [&](const std::string& census) {
    return Json(census + "/census.json").at("reference");
  };
  train("public", "open");
  ASSERT_EQ(Ask("asked_public", "open", "of_open"), 0) << Read("err");
  EXPECT_EQ(reference("of_open").at("provenance"), "public");
  EXPECT_EQ(reference("of_open").at("epsilon"), 0);
  EXPECT_FALSE(fs::exists(folder_ / "of_open/reference"));
  ASSERT_EQ(Ask("asked_public", "open/samples", "of_samples"), 0)
      << Read("err");
  EXPECT_EQ(reference("of_samples").at("words"),
            reference("of_open").at("words"));

  Grant();
  train("asked_private", "closed");
  ASSERT_EQ(Ask("asked_private", "closed", "of_closed"), 0) << Read("err");
  EXPECT_EQ(reference("of_closed").at("provenance"), "released");
  EXPECT_EQ(reference("of_closed").at("population"), "private");
  EXPECT_GT(reference("of_closed").at("epsilon"), 0);
  EXPECT_EQ(reference("of_closed").at("delta"), 1e-3);
  for (const char* page : {"of_closed/report.html", "of_closed/census.json"}) {
    EXPECT_NE(Read(page).find("draws of the run"), std::string::npos) << page;
  }
  // Users are not chosen by what released draws have taught (rule 5).
  WriteInspection("asked_private", 1);
  EXPECT_EQ(
      Sfumato({"inspect", "i.toml", "--out", "made", "--dry-run", "--set",
               "select.by=vote", "--set", "select.census=of_closed", "--set",
               "select.users_a=30", "--set", "select.users_b=30"}),
      4);
  EXPECT_NE(Read("err").find("select.census"), std::string::npos)
      << Read("err");

  // Another ledger, which knows of no such run.
  Grant();
  const std::size_t entries = Entries();
  EXPECT_EQ(Ask("asked_private", "closed", "made"), 4);
  EXPECT_NE(Read("err").find("which its ledger does not have"),
            std::string::npos)
      << Read("err");
  fs::remove(folder_ / "ledger.sqlite");
  EXPECT_EQ(Ask("asked_public", "closed", "made"), 4) << Read("err");
  Grant();
  EXPECT_EQ(Entries(), entries);
  // It must draw, and what it draws must be of the users' kind.
  Write("j.toml", TrainToml("public"));
  ASSERT_EQ(Sfumato({"train", "j.toml", "--out", "judge"}), 0) << Read("err");
  EXPECT_EQ(Ask("asked_public", "judge", "made"), 2);
  MakeBars({.folder = "large", .origin = data::Origin::kPublic, .side = 16});
  EXPECT_EQ(Ask("large", "open", "made"), 2);
  EXPECT_NE(Read("err").find("8×8×1"), std::string::npos) << Read("err");
  EXPECT_FALSE(fs::exists(folder_ / "made"));
}

// What it prints is how people vote, without noise.
TEST_F(CensusInputsTest, BenchCensus) {
  const auto bench = [&](const std::string& people,
                         const std::string& reference) {
    return Sfumato({"bench", "census", "--people", people, "--reference",
                    reference, "--figure", "speed", "--quick", "--seeds", "1",
                    "--effort", "0.02", "--threads", "1"});
  };
  Follow("bench census --people", [&](const std::string& origin, bool) {
    return bench(origin, "asked_public");
  });
  Follow("bench census --reference", [&](const std::string& origin, bool) {
    return bench("asked_public", origin);
  });
  EXPECT_EQ(bench("private", ""), 4);
  EXPECT_EQ(Read("err").find("40"), std::string::npos) << Read("err");
}

// A voter learns before anything is reserved.
TEST_F(CensusInputsTest, AnInspectionReservesNothingForReferencesThatDoNotDo) {
  ASSERT_EQ(Train(TrainToml("public")), 0) << Read("err");
  fs::rename(folder_ / "made", folder_ / "judge");
  Write("g.toml",
        "preset = \"gan_quick\"\nrounds = 1\n[data]\npath = \"public\"\n"
        "[cohort]\nsize = 3\npopulation = 60\n[gan]\nlatent = 8\n"
        "generator_steps = 1\n[local]\nmax_steps = 1\n[privacy]\n"
        "noise_multiplier = 2.0\ndelta = 1e-3\n");
  ASSERT_EQ(Sfumato({"train", "g.toml", "--out", "open"}), 0) << Read("err");
  Grant();
  const std::size_t entries = Entries();
  WriteInspection("asked_private", 1);
  EXPECT_EQ(
      Sfumato({"inspect", "i.toml", "--out", "made", "--yes", "--set",
               "select.users_a=30", "--set", "select.users_b=30", "--set",
               "privacy.population=private", "--set", "census.reference=open",
               "--set", "census.least_examples=2000", "--set",
               "census.most_examples=2000"}),
      2);
  EXPECT_NE(Read("err").find("has too few references"), std::string::npos)
      << Read("err");
  EXPECT_EQ(Entries(), entries);
  EXPECT_FALSE(fs::exists(folder_ / "made"));
}

TEST_F(CensusInputsTest, CensusVoter) {
  ASSERT_EQ(Ask("asked_public", "generated", "generated_census"), 0)
      << Read("err");
  ASSERT_EQ(Ask("asked_public", "public", "public_census"), 0) << Read("err");
  fs::copy(folder_ / "public_census", folder_ / "damaged_census",
           fs::copy_options::recursive);
  const std::string json = Read("damaged_census/voter/voter.json");
  Write("damaged_census/voter/voter.json", json.substr(0, json.size() / 2));
  Follow("census.voter", [&](const std::string& origin, bool) {
    return Ask("asked_public", "public", "made",
               "voter = \"" + origin + "_census/voter\"\n");
  });
}

// Training on users of one answer, with the voter that the census stored.
TEST_F(CensusInputsTest, SelectCensus) {
  for (const char* reference : {"generated", "public"}) {
    ASSERT_EQ(
        Ask("asked_public", reference, std::string(reference) + "_census"), 0)
        << Read("err");
  }
  fs::copy(folder_ / "public_census", folder_ / "damaged_census",
           fs::copy_options::recursive);
  const std::string json = Read("damaged_census/voter/voter.json");
  // Still a voter, but another one.
  Write("damaged_census/voter/voter.json", json + "\n");
  Follow("select.census", [&](const std::string& origin, bool) {
    return Train(TrainToml("asked_public") +
                 "[select]\nby = \"vote\"\ncensus "
                 "= \"" +
                 origin + "_census\"\n");
  });
  EXPECT_EQ(Train(TrainToml("asked_public") +
                  "[select]\nby = \"vote\"\ncensus = \"damaged_census\"\n"),
            2);
  EXPECT_NE(Read("err").find("not the one its census voted with"),
            std::string::npos)
      << Read("err");

  // Private users are chosen so by an inspection alone. Nobody of them votes
  // for this answer, and nothing says so: an empty cohort releases noise.
  Grant();
  const std::string config =
      TrainToml("asked_private") +
      "[select]\nby = \"vote\"\ncensus = \"public_census\"\n";
  EXPECT_EQ(Train(config), 4);
  WriteInspection("asked_private", 1);
  ASSERT_EQ(
      Sfumato({"inspect", "i.toml", "--out", "made", "--yes", "--set",
               "select.by=vote", "--set", "select.census=public_census",
               "--set", "select.model=", "--set", "select.users_a=30", "--set",
               "select.users_b=30", "--set", "survey.count_noise=0", "--set",
               "privacy.population=private"}),
      0)
      << Read("err");
  const auto made = runs::ReadInspection(folder_ / "made");
  EXPECT_EQ(made.model_words, "the voter of the census public_census");
  EXPECT_EQ(made.model_provenance, "public");
  EXPECT_TRUE(made.privacy.pays_once);
  EXPECT_EQ(made.b.rule, "vote = none_of_these");
  EXPECT_EQ(made.privacy.entries.size(), 4u);  // models
  EXPECT_NE(Read("made/report.html").find("may have been chosen after"),
            std::string::npos);
  // Another voter in its place would move people between models.
  Write("public_census/voter/voter.json", json + "\n");
  runs::InspectionRecord stopped = made;
  stopped.status = runs::Status::kInterrupted;
  runs::WriteInspection(folder_ / "made", stopped);
  EXPECT_EQ(Sfumato({"resume", "made", "--yes"}), 2);
  EXPECT_NE(Read("err").find("not the one its census voted with"),
            std::string::npos)
      << Read("err");
}

// Two states of the same people's text.
class TextInputsTest : public InputsTest {
 protected:
  void SetUp() override {
    InputsTest::SetUp();
    MakeSets(/*text=*/true);
    MakeText("now", data::Origin::kPrivate, "private");
    Write("words.txt", "the\ncat\nsat\ni\nhave\na\ndog\nran\n");
  }

  static std::string TextToml(const std::string& data,
                              const std::string& vocabulary,
                              const std::string& vocabulary_is) {
    return "preset = \"word_lm_quick\"\nrounds = 2\n[data]\npath = \"" + data +
           "\"\n[cohort]\nsize = 5\npopulation = 40\n[text]\nvocabulary = \"" +
           vocabulary + "\"\nvocabulary_is = \"" + vocabulary_is +
           "\"\n[privacy]\nnoise_multiplier = 2.0\ndelta = 1e-3\n";
  }
  // As a user would who compares `before` with `data`.
  void WriteBeforeAfter(const std::string& data, const std::string& before,
                        const std::string& vocabulary = "words.txt") {
    Write("i.toml",
          "preset = \"word_lm_quick\"\nrounds = 1\n[data]\npath = \"" + data +
              "\"\nbefore_path = \"" + before +
              "\"\n[select]\nby = \"before_after\"\nusers_a = 40\n"
              "users_b = 40\n[cohort]\nsize = 5\n[text]\nvocabulary = \"" +
              vocabulary +
              "\"\nvocabulary_is = \"public\"\n[inspect]\nsamples = 50\n"
              "twins = 1\ncharacter_preset = \"\"\n[privacy]\n"
              "noise_multiplier = 2.0\ndelta = 1e-3\n");
  }
};

TEST_F(TextInputsTest, DataBeforePath) {
  Follow("data.before_path", [&](const std::string& origin, bool) {
    WriteBeforeAfter(origin == "private" ? "now" : "public", origin);
    return Sfumato({"inspect", "i.toml", "--out", "made", "--yes"});
  });
}

// A simulation counts words exactly, and a state of the data that is private
// would be counted by whoever looks at the other one alone.
TEST_F(TextInputsTest, BeforeAndNowAreBothPrivateOrNeither) {
  Grant();
  const std::size_t entries = Entries();
  for (const auto& [data, before] : {std::pair{"public", "private"},
                                     {"generated", "private"},
                                     {"private", "public"},
                                     {"private", "generated"}}) {
    for (const char* vocabulary : {"words.txt", ""}) {
      WriteBeforeAfter(data, before, vocabulary);
      const Words words = {"inspect",
                           "i.toml",
                           "--out",
                           "made",
                           "--yes",
                           "--set",
                           "text.vocabulary_is=\"\""};
      for (const Words& more :
           {Words{}, Words{"--dry-run"}, Words{"--monitor", "2"},
            Words{"--monitor", "2", "--dry-run"},
            Words{"--sweep", "--bugs", "join"}}) {
        if (more.size() == 3 && data == std::string("private")) {
          continue;  // refused for other reasons
        }
        Words all = words;
        all.insert(all.end(), more.begin(), more.end());
        EXPECT_EQ(Sfumato(all), 4) << data << before << Read("err");
        EXPECT_NE(Read("err").find("data.before_path"), std::string::npos)
            << Read("err");
        EXPECT_FALSE(fs::exists(folder_ / "made")) << data << before;
      }
    }
  }
  EXPECT_EQ(Entries(), entries);
}

TEST_F(TextInputsTest, TextVocabulary) {
  Follow("text.vocabulary", [&](const std::string& origin, bool entered) {
    fs::remove(folder_ / "list.txt");
    std::string is = "public";
    if (origin == "damaged") {
      Write("list.txt", "one word\xff\n\n");
    } else if (origin == "private") {
      if (!entered) Grant();
      is = "released";
      EXPECT_EQ(Sfumato({"data", "vocabulary", "private", "--out", "list.txt",
                         "--noise", "0.5", "--yes"}),
                0)
          << Read("err");
      if (!entered) Grant();  // another one, which knows of no such choice
    } else if (origin != "missing") {
      EXPECT_EQ(Sfumato({"data", "vocabulary", origin, "--exact", "--out",
                         "list.txt"}),
                0)
          << Read("err");
    }
    if (!fs::exists(folder_ / "ledger.sqlite")) Grant();
    return Train(TextToml("private", "list.txt", is));
  });
}

// A model that was trained on the same people was released by the ledger.
TEST_F(InputsTest, SelectModel) {
  MakeSets(false);
  Follow("select.model", [&](const std::string& origin, bool entered) {
    fs::remove_all(folder_ / "judge");
    const bool own = origin == "private";
    if (!fs::exists(folder_ / "ledger.sqlite")) Grant();
    if (origin != "missing") {
      Write("j.toml", TrainToml(origin == "damaged" ? "public" : origin));
      EXPECT_EQ(Sfumato({"train", "j.toml", "--out", "judge", "--yes"}), 0)
          << Read("err");
    }
    if (origin == "damaged") Write("judge/run.json", "{\"schema\": ");
    if (own && !entered) Grant();  // another one, which knows of no such run
    WriteInspection("private", 1);
    return Sfumato({"inspect", "i.toml", "--out", "made", "--dry-run", "--set",
                    own ? "select.model_is=released" : "select.model_is=public",
                    "--set", "select.users_a=30", "--set",
                    "select.users_b=30"});
  });
}

TEST_F(InputsTest, PrivacyLedger) {
  MakeSets(false);
  Write("damaged.sqlite", "SQLite format 3");
  Follow("privacy.ledger", [&](const std::string& state, bool) {
    return Train(TrainToml("private") + "ledger = \"" + state + ".sqlite\"\n");
  });
}

TEST_F(InputsTest, EvalData) {
  MakeSets(false);
  Write("j.toml", TrainToml("public"));
  ASSERT_EQ(Sfumato({"train", "j.toml", "--out", "run"}), 0) << Read("err");
  Follow("eval --data", [&](const std::string& origin, bool) {
    return Sfumato({"eval", "run", "--data", origin, "--csv", "made"});
  });
}

// Who looks at records has said so, and the ledger knows.
TEST_F(InputsTest, DataShow) {
  MakeSets(false);
  Follow("data show", [&](const std::string& origin, bool) {
    return Sfumato({"data", "show", origin, "--picture", "made",
                    "--look-at-private-records"});
  });
  EXPECT_EQ(Sfumato({"data", "show", "private", "--picture", "made"}), 2);
  EXPECT_FALSE(fs::exists(folder_ / "made"));
}

TEST_F(InputsTest, DataDescribe) {
  MakeSets(false);
  Follow("data describe", [&](const std::string& origin, bool) {
    return Sfumato({"data", "describe", origin, "--look-at-private-records"});
  });
  // Without a look, what a config has to know: no count, no sum of contents.
  const std::size_t before = Entries();
  ASSERT_EQ(Sfumato({"data", "describe", "private", "--json"}), 0);
  const auto schema = nlohmann::json::parse(Read("out"));
  for (const char* secret :
       {"users", "examples", "crc32c", "labels", "provenance"}) {
    EXPECT_FALSE(schema.contains(secret)) << secret;
  }
  EXPECT_EQ(Entries(), before);
  // That somebody looked is in the ledger; how many records there are is not.
  Grant();
  ASSERT_EQ(
      Sfumato({"data", "describe", "private", "--look-at-private-records"}), 0);
  ASSERT_EQ(Sfumato({"ledger", "show", "ledger.sqlite", "--json"}), 0);
  const auto looks = nlohmann::json::parse(Read("out")).at("looks");
  ASSERT_EQ(looks.size(), 1u);
  EXPECT_EQ(looks[0].at("command"), "data describe");
  EXPECT_EQ(looks[0].at("records"), -1);
}

// One byte of the records is another, and the description is whole.
TEST_F(InputsTest, RecordsThatChangedAreRefused) {
  MakeSets(false);
  Write("j.toml", TrainToml("public"));
  ASSERT_EQ(Sfumato({"train", "j.toml", "--out", "run"}), 0) << Read("err");
  std::string bytes = Read("public/data.safetensors");
  bytes[bytes.size() - 40] ^= 1;
  Write("public/data.safetensors", bytes);
  for (const Words& words :
       {Words{"train", "j.toml", "--out", "made"},
        {"eval", "run", "--data", "public", "--csv", "made"},
        {"data", "describe", "public"},
        {"data", "split", "public", "--regroup", "--users", "4", "--out",
         "made"},
        {"data", "bug", "public", "--bug", "invert", "--out", "made"}}) {
    EXPECT_EQ(Sfumato(words), 5) << words[0] << words[1] << Read("err");
    EXPECT_FALSE(fs::exists(folder_ / "made")) << words[0] << words[1];
  }
}

TEST_F(InputsTest, DataSplit) {
  MakeSets(false);
  Follow("data split", [&](const std::string& origin, bool) {
    return Sfumato({"data", "split", origin, "--regroup", "--users", "4",
                    "--out", "made"});
  });
}

TEST_F(InputsTest, DataBug) {
  MakeSets(false);
  Follow("data bug", [&](const std::string& origin, bool) {
    return Sfumato({"data", "bug", origin, "--bug", "invert", "--out", "made"});
  });
}

TEST_F(TextInputsTest, DataVocabulary) {
  Follow("data vocabulary", [&](const std::string& origin, bool) {
    return Sfumato({"data", "vocabulary", origin, "--out", "made", "--noise",
                    "0.5", "--yes"});
  });
}

}  // namespace
}  // namespace sfumato
