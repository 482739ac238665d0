// `sfumato data vocabulary`: the words that a language model will know, chosen
// from what users wrote, privately, or exactly where nobody's privacy is at
// stake.

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <utility>

#include "app/command.h"
#include "app/consent.h"
#include "app/guarantee_text.h"
#include "app/ledger_options.h"
#include "app/vocabulary_source.h"
#include "base/error.h"
#include "base/progress.h"
#include "base/secure_random.h"
#include "data/vocabulary.h"
#include "dp/accounting/accountant.h"
#include "dp/mechanisms/key_histogram.h"
#include "fmt/format.h"

namespace sfumato::app {
namespace {

struct VocabularyGiven {
  std::string folder;
  std::string out;
  std::int64_t size = 10'000;
  std::int64_t words_a_user = 100;
  double noise = 1;
  double show_delta = 1e-9;
  bool exact = false;
  bool yes = false;
  std::string population;
  LedgerGiven ledger;
};

struct Chosen {
  std::vector<std::string> words;
  VocabularySource source;
  nlohmann::json json = nlohmann::json::object();
  std::string text;  // about the price
};

data::FederatedDataset OpenText(const std::string& folder) {
  data::FederatedDataset set{base::Path(folder)};
  if (!set.info().grouped) {
    throw BadInput("a pool of examples that nobody owns", folder,
                   "make users of it: sfumato data split");
  }
  if (set.info().kind == data::Kind::kText) return set;
  throw BadInput(
      fmt::format("{}, which have no words", data::Name(set.info().kind)),
      folder, "give a set of text");
}

Chosen CountedExactly(const data::FederatedDataset& set,
                      const VocabularyGiven& given) {
  if (set.info().origin == data::Origin::kPrivate) {
    throw Unsupported("exact counts of private words", "--exact",
                      "leave it out: words are then chosen privately");
  }
  return {.words = data::MostFrequent(data::CountWords(set),
                                      static_cast<std::size_t>(given.size)),
          .source = {.words = fmt::format(
                         "Counted exactly in '{}': for simulations only, or "
                         "where the text is public.",
                         set.info().name)},
          .json = {{"exact", true}},
          .text = "Costs    nothing was protected: counted exactly\n"};
}

struct Paid {
  std::string run;
  std::string head;
};

// Asks, and enters the price.
Paid Pay(const data::FederatedDataset& set, const VocabularyGiven& given,
         const std::string& population, const dp::Event& event) {
  LedgerGiven where = given.ledger;
  if (where.path.empty()) {
    base::Path folder = base::Path(given.folder).lexically_normal();
    if (folder.filename().empty()) folder = folder.parent_path();
    where.path = (folder.parent_path() / "ledger.sqlite").string();
  }
  if (!std::filesystem::exists(where.path)) {
    throw BadInput("no ledger for private data", where.path,
                   fmt::format("have one granted: sfumato ledger create {} "
                               "--population {} --epsilon … --delta …",
                               where.path, population));
  }
  dp::Ledger ledger = where.Open(dp::Ledger::Mode::kWrite);
  const double delta = ledger.TotalsOf(population).budget.delta;
  const Spent spent = AccountFor({&event, 1}, delta, dp::Accountant::kPld);
  const std::string price =
      fmt::format("Costs    ε {} at δ {:g} by itself, of '{}' in {}\n",
                  EpsilonText(spent.guarantee), delta, population, where.path) +
      MeansLine(spent.guessed_right);
  if (!given.yes && !Consents(price)) {
    throw BadInput("nobody said yes, and nothing was spent", "Spend it?");
  }
  // Another choice of words is another release.
  const std::string run = fmt::format("vocabulary-{}-{:08x}", set.info().name,
                                      base::SecureRandom()() & 0xffffffffu);
  return {.run = run,
          .head = dp::ToText(ledger.Spend(run, population, {&event, 1}).head)};
}

Chosen ChosenPrivately(const data::FederatedDataset& set,
                       const VocabularyGiven& given, std::uint64_t seed) {
  const bool simulation = set.info().origin != data::Origin::kPrivate;
  const std::string population =
      given.population.empty() ? set.info().name : given.population;
  const dp::KeyHistogram histogram(
      {.noise_multiplier = given.noise,
       .delta = given.show_delta,
       .most_keys = given.words_a_user,
       .participants = dp::ParticipantsOf(dp::All{}, {.name = population})});
  const std::string cohort =
      simulation ? fmt::format("vocabulary/seed {}", seed)
                 : fmt::format("vocabulary/{:016x}", base::SecureRandom()());
  const dp::Event event = histogram.Event(cohort);
  const Paid paid = simulation ? Paid{} : Pay(set, given, population, event);

  const std::uint64_t draw = simulation ? seed : base::SecureRandom()();
  std::vector<std::vector<std::string>> words_of_users;
  for (std::size_t user = 0; user < set.users(); ++user) {
    std::vector<std::string> own;
    try {
      own =
          data::WordsOfUser(set.user(user), set.info().text_form,
                            static_cast<std::size_t>(given.words_a_user), draw);
    } catch (const Error&) {  // one user's damage is nobody else's business
      if (simulation) throw;
    }
    words_of_users.push_back(std::move(own));
  }
  dp::NoiseSource noise = simulation ? dp::NoiseSource::Simulation(seed)
                                     : dp::NoiseSource::Secure();
  const auto shown = histogram.Release(words_of_users, cohort, noise);
  Chosen chosen;
  chosen.words =
      data::MostFrequent(shown.value(), static_cast<std::size_t>(given.size));
  const double delta = std::min(
      1e-3,
      std::pow(std::max<double>(1, static_cast<double>(set.users())), -1.1));
  chosen.source = {.event = event,
                   .ledger_run = paid.run,
                   .sum = data::Vocabulary(chosen.words).Sum()};
  chosen.source.words = fmt::format(
      "Chosen privately in '{}': noise multiplier {:g}, {} words a user, a "
      "word that one user alone has is shown with a chance of {:g} at most, {}",
      set.info().name, given.noise, given.words_a_user, given.show_delta,
      simulation ? fmt::format("simulated with seed {}", seed)
                 : "ledger head " + paid.head);
  chosen.json = {{"exact", false},
                 {"simulation", simulation},
                 {"noise_multiplier", given.noise},
                 {"deviation", histogram.deviation()},
                 {"threshold", histogram.threshold()},
                 {"words_a_user", given.words_a_user},
                 {"show_delta", given.show_delta}};
  if (simulation) {
    const Spent spent = AccountFor({&event, 1}, delta, dp::Accountant::kPld);
    chosen.text = fmt::format(
        "Costs    would cost ε {} at δ {:.2g} (user, add-remove); a simulation "
        "spends nothing\n",
        EpsilonText(spent.guarantee), delta);
    chosen.json["price"] = GuaranteeJson(spent);
  } else {
    chosen.text =
        fmt::format("Spent    keep the ledger's head {}\n", paid.head);
    chosen.json["ledger_head"] = paid.head;
    chosen.json["ledger_run"] = paid.run;
  }
  chosen.text += fmt::format(
      "Shown    words of about {:.0f} users or more (counts ± {:.0f})\n",
      histogram.threshold(), histogram.deviation());
  return chosen;
}

Answer MakeVocabulary(const VocabularyGiven& given, const Common& common) {
  if (std::filesystem::exists(given.out)) {
    throw BadInput("already exists", given.out,
                   "choose another name, or remove it first");
  }
  base::Path parent = base::Path(given.out).parent_path();
  if (parent.empty()) parent = ".";
  // Before anything is spent on it.
  if (!std::filesystem::is_directory(parent) ||
      access(parent.c_str(), W_OK) != 0) {
    throw Unavailable("the file cannot be made", given.out,
                      "choose another with --out");
  }
  const data::FederatedDataset set = OpenText(given.folder);
  const Chosen chosen = given.exact ? CountedExactly(set, given)
                                    : ChosenPrivately(set, given, common.seed);
  if (chosen.words.empty()) {
    throw BadInput("no word that so many users share", given.folder,
                   "take less noise or fewer words a user, or more users; "
                   "what was spent stays spent");
  }
  base::WriteFileAtomically(
      given.out, data::ToText({.words = chosen.words,
                               .remarks = RemarksOf(chosen.source)}));
  Answer answer{.text = fmt::format(
                    "Words    {} of at most {} into {}\n{}",
                    base::HumanCount(chosen.words.size()),
                    base::HumanCount(static_cast<std::uint64_t>(given.size)),
                    given.out, chosen.text),
                .json = chosen.json};
  answer.json["words"] = chosen.words.size();
  answer.json["file"] = given.out;
  return answer;
}

const Registration kVocabulary(
    {.path = "data vocabulary",
     .summary = "Choose the words that language models will know: the ones "
                "that many users share, with noise and a threshold; of private "
                "data with an entry in the ledger.",
     .example = "sfumato data make forum --users 300 --out people\n"
                "sfumato data vocabulary people --size 500 --out words.txt",
     .define = [](CLI::App& app, const Common& common) -> Action {
       auto given = std::make_shared<VocabularyGiven>();
       app.add_option("DIR", given->folder, "The dataset's folder.")
           ->required();
       app.add_option("--out", given->out, "The file of words, a word a line.")
           ->required();
       app.add_option("--size", given->size, "So many at most.")
           ->capture_default_str()
           ->check(CLI::Range(1, 1'000'000));
       app.add_option("--words-a-user", given->words_a_user,
                      "Different words that a user adds at most, drawn at "
                      "random.")
           ->capture_default_str()
           ->check(CLI::Range(1, 1'000'000));
       app.add_option("--noise", given->noise,
                      "Deviation of the noise on a count, over the square root "
                      "of the words a user.")
           ->capture_default_str();
       app.add_option("--show-delta", given->show_delta,
                      "Chance that a word of one user alone is shown.")
           ->capture_default_str();
       app.add_flag("--exact", given->exact,
                    "Count without noise: generated or public text only.");
       app.add_option("--ledger", given->ledger.path,
                      "Of private data; by default ledger.sqlite beside them.");
       app.add_option("--population", given->population,
                      "Its name there; by default the set's name.");
       AddKeyFile(app, given->ledger);
       app.add_flag("--yes,-y", given->yes, "Spend without asking.");
       return [given, &common] { return MakeVocabulary(*given, common); };
     }});

}  // namespace
}  // namespace sfumato::app
