#include "data/generate/english.h"

#include <gtest/gtest.h>

#include <string>

namespace sfumato::data {
namespace {

TEST(EnglishTest, PluralsFollowTheLastLetters) {
  const std::pair<const char*, const char*> kCases[] = {
      {"table", "tables"},
      {"query", "queries"},
      {"key", "keys"},
      {"class", "classes"},
      {"branch", "branches"},
      {"mutex", "mutexes"},
      {"primary key", "primary keys"},
      {"photo", "photos"}};
  for (const auto& [one, many] : kCases) EXPECT_EQ(Plural(one), many);
}

struct VerbCase {
  const char* verb;
  const char* third_person;
  const char* gerund;
  const char* past;
  const char* participle;
};

TEST(EnglishTest, VerbsInflect) {
  const VerbCase kCases[] = {
      {"load", "loads", "loading", "loaded", "loaded"},
      {"merge", "merges", "merging", "merged", "merged"},
      {"free", "frees", "freeing", "freed", "freed"},
      {"drop", "drops", "dropping", "dropped", "dropped"},
      {"show", "shows", "showing", "showed", "showed"},
      {"fix", "fixes", "fixing", "fixed", "fixed"},
      {"copy", "copies", "copying", "copied", "copied"},
      {"deploy", "deploys", "deploying", "deployed", "deployed"},
      {"edit", "edits", "editing", "edited", "edited"},
      {"commit+", "commits", "committing", "committed", "committed"},
      {"write:wrote:written", "writes", "writing", "wrote", "written"},
      {"go:went:gone offline", "goes offline", "going offline", "went offline",
       "gone offline"},
      {"time out", "times out", "timing out", "timed out", "timed out"},
      {"not respond", "does not respond", "not responding", "did not respond",
       "not responded"}};
  for (const VerbCase& c : kCases) {
    const VerbForms forms = Inflect(c.verb);
    EXPECT_EQ(forms.third_person, c.third_person);
    EXPECT_EQ(forms.gerund, c.gerund);
    EXPECT_EQ(forms.past, c.past);
    EXPECT_EQ(forms.participle, c.participle);
  }
  EXPECT_EQ(Inflect("not respond").plural, "do not respond");
}

TEST(EnglishTest, VerbsYieldAdjectivesAndAgents) {
  EXPECT_EQ(Inflect("load").able, "loadable");
  EXPECT_EQ(Inflect("drop").able, "droppable");
  EXPECT_EQ(Inflect("replace").able, "replaceable");
  EXPECT_EQ(Inflect("merge").agent, "merger");
  EXPECT_EQ(Inflect("copy").agent, "copier");
  EXPECT_EQ(Inflect("generate").agent, "generator");
  EXPECT_EQ(Inflect("extract").agent, "extractor");
  EXPECT_EQ(Inflect("load").undone, "unloaded");
  EXPECT_EQ(Inflect("time out").able, "");
  EXPECT_EQ(Inflect("undo:undid:undone").undone, "");
}

TEST(EnglishTest, ArticlesFollowTheSound) {
  for (const char* word : {"index", "LED", "API", "hour", "honest", "unused",
                           "unindexed", "MP3", "SSD", "empty"}) {
    EXPECT_EQ(Article(word), "an") << word;
  }
  for (const char* word : {"table", "URL", "user", "unit", "unique", "one",
                           "European", "VLAN", "header", "utility"}) {
    EXPECT_EQ(Article(word), "a") << word;
  }
}

}  // namespace
}  // namespace sfumato::data
