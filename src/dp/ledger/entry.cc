#include "dp/ledger/entry.h"

#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::dp {
namespace {

using nlohmann::json;

json Bare(Event event) {
  event.population = {};
  return ToJson(event);
}

json EventsToJson(const std::vector<Event>& events) {
  json list = json::array();
  for (const Event& event : events) list.push_back(Bare(event));
  return list;
}

struct Writer {
  json operator()(const Opening& entry) const {
    return {{"kind", "ledger"},
            {"schema", kLedgerSchema},
            {"id", entry.id},
            {"keyed", entry.keyed}};
  }
  json operator()(const NewPopulation& entry) const {
    json out = {{"kind", "population"}, {"name", entry.name}};
    if (entry.IsRoot()) {
      out["epsilon"] = entry.budget.epsilon;
      out["delta"] = entry.budget.delta;
      out["adjacency"] = Name(entry.budget.adjacency);
      out["unit"] = Name(entry.budget.unit);
      out["filter"] = Name(entry.budget.filter);
    } else {
      out["root"] = entry.root;
      out["partition"] = entry.partition;
      out["selected"] = entry.selected;
      if (!entry.owner.empty()) out["owner"] = entry.owner;
    }
    return out;
  }
  json operator()(const Reserving& entry) const {
    return {{"kind", "reservation"},
            {"run", entry.run},
            {"population", entry.population},
            {"events", EventsToJson(entry.events)},
            {"proof", entry.by_plan ? "plan" : "filter"}};
  }
  json operator()(const Releasing& entry) const {
    json out = {{"kind", "release"},
                {"run", entry.run},
                {"round", entry.round},
                {"attempt", entry.attempt},
                {"event", Bare(entry.event)}};
    if (entry.settles) {
      out["settles"] = {{"stage", Name(entry.settles->stage)},
                        {"order", entry.settles->order}};
    }
    return out;
  }
  json operator()(const Finishing& entry) const {
    return {{"kind", "finish"}, {"run", entry.run}};
  }
  json operator()(const Binding& entry) const {
    return {{"kind", "binding"},
            {"population", entry.population},
            {"dataset", entry.dataset}};
  }
  json operator()(const Looking& entry) const {
    return {{"kind", "look"},
            {"dataset", entry.dataset},
            {"records", entry.records},
            {"command", entry.command}};
  }
  json operator()(const Importing& entry) const {
    return {{"kind", "import"}, {"from", entry.seq}, {"hash", entry.hash}};
  }
};

template <typename T>
T Choice(const json& value, std::initializer_list<T> choices) {
  const std::string word = value.get<std::string>();
  for (const T choice : choices) {
    if (Name(choice) == word) return choice;
  }
  throw BadInput(fmt::format("unknown word '{}'", word));
}

NewPopulation PopulationFrom(const json& from) {
  NewPopulation entry{.name = from.at("name")};
  if (from.contains("root")) {
    entry.root = from.at("root");
    entry.partition = from.at("partition");
    entry.selected = from.at("selected");
    entry.owner = from.value("owner", "");
    return entry;
  }
  entry.budget = {
      .epsilon = from.at("epsilon"),
      .delta = from.at("delta"),
      .adjacency = Choice(from.at("adjacency"),
                          {Adjacency::kAddRemove, Adjacency::kReplaceOne}),
      .unit = Choice(from.at("unit"), {Unit::kUser, Unit::kExample}),
      .filter =
          Choice(from.at("filter"), {FilterKind::kRdp, FilterKind::kGdp})};
  CheckBudget(entry.budget);
  return entry;
}

Reserving ReservationFrom(const json& from) {
  Reserving entry{.run = from.at("run"), .population = from.at("population")};
  for (const json& event : from.at("events")) {
    entry.events.push_back(EventFromJson(event, ""));
  }
  entry.by_plan =
      Choice(from.at("proof"), {Stage::kFilter, Stage::kPlan}) == Stage::kPlan;
  return entry;
}

Releasing ReleaseFrom(const json& from) {
  Releasing entry{.run = from.at("run"),
                  .round = from.at("round"),
                  .attempt = from.at("attempt"),
                  .event = EventFromJson(from.at("event"), "")};
  if (from.contains("settles")) {
    const json& settles = from.at("settles");
    entry.settles = {
        .stage = Choice(settles.at("stage"), {Stage::kFilter, Stage::kPlan}),
        .order = settles.at("order")};
  }
  return entry;
}

Entry Read(const json& from) {
  const std::string kind = from.at("kind");
  if (kind == "ledger") {
    const std::string schema = from.at("schema");
    if (schema != kLedgerSchema && schema != kFirstLedgerSchema) {
      throw Unsupported("entries of another version of the program");
    }
    return Opening{.id = from.at("id"), .keyed = from.at("keyed")};
  }
  if (kind == "population") return PopulationFrom(from);
  if (kind == "reservation") return ReservationFrom(from);
  if (kind == "release") return ReleaseFrom(from);
  if (kind == "finish") return Finishing{.run = from.at("run")};
  if (kind == "binding") {
    return Binding{.population = from.at("population"),
                   .dataset = from.at("dataset")};
  }
  if (kind == "look") {
    return Looking{.dataset = from.at("dataset"),
                   .records = from.at("records"),
                   .command = from.at("command")};
  }
  if (kind == "import") {
    return Importing{.seq = from.at("from"), .hash = from.at("hash")};
  }
  throw BadInput(fmt::format("unknown kind '{}'", kind));
}

}  // namespace

nlohmann::json ToJson(const Entry& entry) {
  return std::visit(Writer{}, entry);
}

Entry EntryFromJson(const nlohmann::json& from, const std::string& where) {
  std::string what;
  try {
    return Read(from);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kUnsupported) {
      throw Unsupported(error.what(), where, "use the one that wrote them");
    }
    what = error.what();
  } catch (const json::exception& error) {
    what = error.what();
  }
  throw Corrupt(fmt::format("an entry that cannot be read ({})", what), where,
                "restore the file, or export the ledger again");
}

}  // namespace sfumato::dp
