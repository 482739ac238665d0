// `sfumato ledger create`: a ledger, or another population in one.

#include <filesystem>
#include <memory>

#include "app/command.h"
#include "app/ledger_options.h"
#include "app/options.h"

namespace sfumato::app {
namespace {

struct CreateGiven {
  LedgerGiven ledger;
  dp::PopulationOptions population;
  bool has_epsilon = false;
  bool has_delta = false;
};

void CheckGiven(const CreateGiven& given) {
  const bool derived = !given.population.root.empty();
  if (derived && (given.has_epsilon || given.has_delta)) {
    throw BadInput("a derived population has no budget of its own",
                   given.has_epsilon ? "--epsilon" : "--delta",
                   "leave it out: the root population pays");
  }
  if (!derived && !(given.has_epsilon && given.has_delta)) {
    throw BadInput("a budget is missing",
                   given.has_epsilon ? "--delta" : "--epsilon",
                   "give --epsilon and --delta, or --root for a population "
                   "that another one pays for");
  }
}

Answer Create(const CreateGiven& given) {
  CheckGiven(given);
  const bool there = std::filesystem::exists(given.ledger.path);
  if (there && std::filesystem::is_regular_file(given.ledger.path) &&
      std::filesystem::file_size(given.ledger.path) == 0) {
    throw BadInput("an empty file is in the ledger's place", given.ledger.path,
                   "remove it, or choose another name");
  }
  if (!there && !given.population.root.empty()) {
    throw BadInput("no such ledger", given.ledger.path,
                   "create it with its root population first");
  }
  const dp::Head head = [&] {
    if (!there) {
      return dp::Ledger::Create(given.ledger.path, given.population,
                                given.ledger.Key())
          .head();
    }
    return given.ledger.Open(dp::Ledger::Mode::kWrite)
        .AddPopulation(given.population);
  }();
  const dp::PopulationOptions& made = given.population;
  const std::string what =
      made.root.empty()
          ? fmt::format(
                "ε {:g} at δ {:g} · {} · {} · {} filter", made.budget.epsilon,
                made.budget.delta, dp::Name(made.budget.unit),
                dp::Name(made.budget.adjacency), dp::Name(made.budget.filter))
          : fmt::format("charges '{}'{}", made.root,
                        made.partition.empty()
                            ? ""
                            : fmt::format(", cell of '{}'", made.partition));
  nlohmann::json json = {{"ledger", given.ledger.path},
                         {"created", !there},
                         {"population", made.name},
                         {"head", dp::ToText(head)}};
  if (made.root.empty()) {
    json["budget"] = plan::ToJson(made.budget);
  } else {
    json["root"] = made.root;
    json["partition"] = made.partition;
    json["selected"] = made.selected;
  }
  return {.text = fmt::format("{}: {}population '{}': {}\n  head {}",
                              given.ledger.path, there ? "" : "new ledger, ",
                              made.name, what, dp::ToText(head)),
          .json = json};
}

const Registration kCreate(
    {.path = "ledger create",
     .summary =
         "Make a ledger with a population and its privacy budget, or add "
         "a population to one.",
     .example =
         "sfumato ledger create ledger.sqlite --population phones --epsilon 2 "
         "--delta 1e-6\n"
         "sfumato ledger create ledger.sqlite --population slow --root phones",
     .define = [](CLI::App& app, const Common&) -> Action {
       auto given = std::make_shared<CreateGiven>();
       dp::PopulationOptions& population = given->population;
       AddLedger(app, given->ledger, "The ledger's file.");
       app.add_option("--population", population.name, "The population's name.")
           ->required();
       CLI::Option* epsilon =
           app.add_option("--epsilon", population.budget.epsilon,
                          "What may be spent on it, all releases together.");
       CLI::Option* delta =
           app.add_option("--delta", population.budget.delta,
                          "Probability that the bound fails; well below one "
                          "over the number of users.");
       AddChoice(
           app, "--adjacency", population.budget.adjacency,
           {{"add-remove", dp::Adjacency::kAddRemove},
            {"replace-one", dp::Adjacency::kReplaceOne}},
           "Neighbouring datasets differ by adding or removing one unit, or by "
           "replacing one.");
       AddChoice(app, "--unit", population.budget.unit,
                 {{"user", dp::Unit::kUser}, {"example", dp::Unit::kExample}},
                 "Whose privacy: all of a user's data, or one example.");
       AddChoice(app, "--filter", population.budget.filter,
                 {{"rdp", dp::FilterKind::kRdp}, {"gdp", dp::FilterKind::kGdp}},
                 "Proof behind the budget limit; gdp allows about 20 % more, "
                 "but only Gaussian noise without sampling.");
       app.add_option("--root", population.root,
                      "The population that pays for this one.");
       app.add_option("--partition", population.partition,
                      "With --root: cells of one partition share no user and "
                      "pay once.");
       AddChoice(
           app, "--chosen-by", population.selected,
           {{"data", true}, {"outside", false}},
           "With --root: whether membership depends on the users' own data.");
       return [given, epsilon, delta] {
         given->has_epsilon = epsilon->count() > 0;
         given->has_delta = delta->count() > 0;
         return Create(*given);
       };
     }});

}  // namespace
}  // namespace sfumato::app
