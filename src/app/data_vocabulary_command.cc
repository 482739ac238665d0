// `sfumato data vocabulary`: the words that a language model will know, chosen
// from what users wrote, privately, or exactly where nobody's privacy is at
// stake.

#include <unistd.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "app/command.h"
#include "app/ledger_options.h"
#include "base/error.h"
#include "base/progress.h"
#include "base/secure_random.h"
#include "data/vocabulary.h"
#include "dp/accounting/accountant.h"
#include "dp/accounting/calibration.h"
#include "fed/release/word_choice.h"
#include "fmt/format.h"
#include "plan/consent.h"
#include "plan/dataset_ledger.h"
#include "plan/guarantee_text.h"
#include "plan/train_plan.h"
#include "plan/vocabulary_source.h"

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
  bool dry_run = false;
  std::string population;
  LedgerGiven ledger;
};

struct Chosen {
  std::vector<std::string> words;
  plan::VocabularySource source;
  nlohmann::json json = nlohmann::json::object();
  std::string text;  // about the price
};

data::FederatedDataset OpenText(const std::string& folder) {
  data::FederatedDataset set{base::Path(folder)};
  if (!set.info().grouped) throw data::NoUsers(set.info(), folder);
  plan::RequireId(set.info(), folder);
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
          .source = {.remarks = {fmt::format("From '{}', without noise.",
                                             set.info().name)},
                     .counted = std::string(data::Name(set.info().origin))},
          .json = {{"exact", true}},
          .text = "Costs    nothing was protected: counted exactly\n"};
}

// A choice that was planned and not yet made.
struct Choice {
  const data::FederatedDataset& set;
  bool simulation = true;
  std::string population;
  fed::WordChoice words;
  dp::Event event;
  std::string ledger;  // of private data
  double delta = 0;    // the ledger's, or a usual one
  plan::Spent spent;   // by itself
};

std::string LedgerOf(const VocabularyGiven& given,
                     const std::string& population) {
  const base::Path path = given.ledger.path.empty()
                              ? plan::LedgerBeside(given.folder)
                              : base::Path(given.ledger.path);
  if (std::filesystem::exists(path)) return path.string();
  throw plan::NoLedger(path, population);
}

dp::Ledger OpenLedger(const VocabularyGiven& given, const Choice& choice,
                      dp::Ledger::Mode mode) {
  LedgerGiven where = given.ledger;
  where.path = choice.ledger;
  return where.Open(mode);
}

Choice Planned(const data::FederatedDataset& set, const VocabularyGiven& given,
               std::uint64_t seed) {
  const bool simulation = set.info().origin != data::Origin::kPrivate;
  const std::string population =
      given.population.empty() ? set.info().name : given.population;
  Choice choice{.set = set,
                .simulation = simulation,
                .population = population,
                .words = fed::WordChoice(
                    {.run = "vocabulary-" + set.info().name,
                     .population = population,
                     .randomness = {.simulation = simulation, .seed = seed},
                     .words_per_user = given.words_a_user,
                     .noise_multiplier = given.noise,
                     .show_delta = given.show_delta}),
                .event = {},
                .ledger = simulation ? "" : LedgerOf(given, population),
                .spent = {}};
  choice.event = choice.words.event();
  if (simulation) {
    choice.delta = dp::UsualDelta(static_cast<double>(set.users()));
  } else {
    dp::Ledger ledger = OpenLedger(given, choice, dp::Ledger::Mode::kRead);
    plan::RequireOwnLedger(given.folder, ledger);
    ledger.CheckBound(population, {&set.info().id, 1});
    choice.delta = ledger.TotalsOf(population).budget.delta;
  }
  choice.spent =
      plan::AccountFor({&choice.event, 1}, choice.delta, dp::Accountant::kPld);
  return choice;
}

std::string PriceText(const Choice& choice) {
  const std::string epsilon = plan::EpsilonText(choice.spent.guarantee);
  return (choice.simulation
              ? fmt::format("Costs    would cost ε {} at δ {:.2g} (user, "
                            "add-remove); a simulation spends nothing\n",
                            epsilon, choice.delta)
              : fmt::format("Costs    ε {} at δ {:g} by itself (user, "
                            "add-remove), of '{}' in {}\n",
                            epsilon, choice.delta, choice.population,
                            choice.ledger)) +
         fmt::format(
             "Shown    words of about {:.0f} users or more (counts ± {:.2g})\n",
             choice.words.threshold(), choice.words.deviation()) +
         plan::MeansLine(choice.spent.guessed_right);
}

nlohmann::json PriceJson(const Choice& choice, const VocabularyGiven& given) {
  return {{"exact", false},
          {"simulation", choice.simulation},
          {"noise_multiplier", given.noise},
          {"deviation", choice.words.deviation()},
          {"threshold", choice.words.threshold()},
          {"words_a_user", given.words_a_user},
          {"show_delta", given.show_delta},
          {"price", plan::GuaranteeJson(choice.spent)}};
}

// What is left of the budget with it; throws budget_spent as paying would.
std::string BudgetText(const VocabularyGiven& given, const Choice& choice) {
  if (choice.simulation) return "";
  dp::Ledger ledger = OpenLedger(given, choice, dp::Ledger::Mode::kRead);
  const dp::Price price = ledger.PriceOf(choice.population, {&choice.event, 1});
  if (price.fits)
    return plan::BudgetLine(ledger.TotalsOf(choice.population), price);
  throw Error(
      ErrorKind::kBudgetSpent,
      fmt::format("the choice does not fit into what is left of '{}'",
                  choice.population),
      choice.ledger,
      plan::HintFor(price, "more noise or fewer words per user cost less"));
}

// The ledger that the choice will be entered in, once somebody agreed.
dp::Ledger LedgerToPay(const VocabularyGiven& given, const Choice& choice) {
  const std::string budget = BudgetText(given, choice);
  if (!given.yes) plan::RequireYes(PriceText(choice) + budget, false);
  // What cannot be kept is not paid for.
  constexpr double kBytesPerWord = 40;
  base::RequireSpace(given.out,
                     kBytesPerWord * static_cast<double>(given.size) + 1e5);
  base::WriteFileAtomically(given.out, "");
  std::filesystem::remove(given.out);
  dp::Ledger ledger = OpenLedger(given, choice, dp::Ledger::Mode::kWrite);
  plan::BindToLedger(given.folder, ledger);
  ledger.BindFirst(choice.population, {&choice.set.info().id, 1});
  return ledger;
}

std::vector<std::vector<std::string>> WordsOfUsers(const Choice& choice,
                                                   std::int64_t words,
                                                   std::uint64_t draw) {
  std::vector<std::vector<std::string>> all;
  for (std::size_t user = 0; user < choice.set.users(); ++user) {
    std::vector<std::string> own;
    try {
      own =
          data::WordsOfUser(choice.set.user(user), choice.set.info().text_form,
                            static_cast<std::size_t>(words), draw);
    } catch (const Error&) {  // one user's damage is nobody else's business
      if (choice.simulation) throw;
    }
    all.push_back(std::move(own));
  }
  return all;
}

Chosen ChosenPrivately(const Choice& choice, const VocabularyGiven& given,
                       std::uint64_t seed) {
  std::optional<dp::Ledger> ledger;
  if (!choice.simulation) ledger.emplace(LedgerToPay(given, choice));
  const fed::WordCounts counts =
      choice.words.Choose(ledger ? &*ledger : nullptr, [&] {
        return WordsOfUsers(choice, given.words_a_user,
                            choice.simulation ? seed : base::SecureRandom()());
      });
  Chosen chosen;
  chosen.words = data::MostFrequent(counts.words.value(),
                                    static_cast<std::size_t>(given.size));
  chosen.source = {.event = counts.words.event(),
                   .ledger_run = counts.ledger_run,
                   .sum = chosen.words.empty()  // refused by the caller
                              ? ""
                              : data::Vocabulary(chosen.words).Sum()};
  chosen.source.remarks.push_back(fmt::format(
      "Chosen privately in '{}': noise multiplier {:g}, {} words a user, a "
      "word that one user alone has is shown with a chance of {:g} at most, {}",
      choice.set.info().name, given.noise, given.words_a_user, given.show_delta,
      choice.simulation ? fmt::format("simulated with seed {}", seed)
                        : "ledger head " + counts.ledger_head));
  chosen.json = PriceJson(choice, given);
  chosen.text = PriceText(choice);
  if (!choice.simulation) {
    chosen.text +=
        fmt::format("Spent    keep the ledger's head {}\n", counts.ledger_head);
    chosen.json["ledger_head"] = counts.ledger_head;
    chosen.json["ledger_run"] = counts.ledger_run;
  }
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
  set.CheckSums();
  std::optional<Choice> choice;
  if (!given.exact) choice.emplace(Planned(set, given, common.seed));
  if (given.dry_run) {
    if (!choice) throw BadInput("exact counts have no price", "--dry-run");
    Answer price{.text = PriceText(*choice) + BudgetText(given, *choice) +
                         "Nothing was chosen: --dry-run",
                 .json = PriceJson(*choice, given)};
    price.json["chosen"] = false;
    return price;
  }
  const Chosen chosen = choice ? ChosenPrivately(*choice, given, common.seed)
                               : CountedExactly(set, given);
  if (chosen.words.empty()) {
    throw BadInput(
        choice ? fmt::format("no word that about {:.0f} users share",
                             choice->words.threshold())
               : "no word at all",
        given.folder,
        choice && !choice->simulation
            ? "take less noise or fewer words per user, or more users; what "
              "was "
              "spent stays spent"
            : "take less noise or fewer words per user, or more users");
  }
  try {
    base::WriteFileAtomically(
        given.out, data::ToText({.words = chosen.words,
                                 .remarks = plan::RemarksOf(chosen.source)}));
  } catch (const Error& error) {
    if (!choice || choice->simulation) throw;
    throw Error(error.kind(),
                fmt::format("{}; the words are lost and their price stays "
                            "spent (run '{}' of the ledger)",
                            error.what(), chosen.source.ledger_run),
                given.out, "fix that before you choose again");
  }
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
     .summary =
         "Choose the words that language models will know: the ones "
         "that many users share, with noise and a threshold; for private "
         "data with an entry in the ledger.",
     .example = "sfumato data make forum --users 3000 --out people\n"
                "sfumato data vocabulary people --size 500 --out words.txt",
     .define = [](CLI::App& app, const Common& common) -> Action {
       auto given = std::make_shared<VocabularyGiven>();
       app.add_option("DIR", given->folder, "The dataset's folder.")
           ->required();
       app.add_option("--out", given->out, "The file of words, one per line.")
           ->required();
       app.add_option("--size", given->size, "The most words to choose.")
           ->capture_default_str()
           ->check(CLI::Range(1, 1'000'000));
       app.add_option("--words-a-user", given->words_a_user,
                      "The most different words that one user adds, drawn "
                      "at random.")
           ->capture_default_str()
           ->check(CLI::Range(1, 1'000'000));
       CLI::Option* noise =
           app.add_option("--noise", given->noise,
                          "Deviation of the noise on a count, over the square "
                          "root of the words per user.")
               ->capture_default_str()
               ->check(CLI::Range(1e-3, 1e5));
       CLI::Option* show =
           app.add_option("--show-delta", given->show_delta,
                          "Chance that a word of one user alone is shown.")
               ->capture_default_str()
               ->check(CLI::Range(1e-300, 0.5));
       app.add_flag("--exact", given->exact,
                    "Count without noise: generated or public text only.")
           ->excludes(noise)
           ->excludes(show);
       app.add_flag("--dry-run", given->dry_run,
                    "Show what it would cost, and how many users must share a "
                    "word for it to be shown.");
       app.add_option("--ledger", given->ledger.path,
                      "For private data; by default ledger.sqlite beside it.");
       app.add_option("--population", given->population,
                      "Its name there; by default the set's name.");
       AddKeyFile(app, given->ledger);
       app.add_flag("--yes,-y", given->yes, "Spend without asking.");
       return [given, &common] { return MakeVocabulary(*given, common); };
     }});

}  // namespace
}  // namespace sfumato::app
