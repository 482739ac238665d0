// The entries of a ledger: what happened, as plain data and as JSON.
//
// docs/ledger_format.md shows one of each. The events of a reservation or a
// release are written without their population, which is the run's.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dp/accounting/event.h"
#include "dp/accounting/filter.h"
#include "dp/ledger/standing.h"
#include "nlohmann/json.hpp"

namespace sfumato::dp {

inline constexpr char kLedgerSchema[] = "sfumato.ledger/2";
// Without owners, bindings and looks, and with times to the second.
inline constexpr char kFirstLedgerSchema[] = "sfumato.ledger/1";

// The first entry of every ledger.
struct Opening {
  std::string id = "";  // drawn at random: no two ledgers share a history
  bool keyed = false;
};

struct NewPopulation {
  std::string name = "";
  Budget budget = {};     // of a root population
  std::string root = "";  // empty for a root population
  std::string partition = "";
  bool selected = false;
  // The one run, with its further parts, that may charge it; empty: any.
  std::string owner = "";

  bool IsRoot() const { return root.empty(); }
  const std::string& Root() const { return IsRoot() ? name : root; }
  Population AsPopulation() const {
    return {.name = name,
            .root = root,
            .partition = partition,
            .selected = selected};
  }
};

struct Reserving {
  std::string run = "";
  std::string population = "";
  std::vector<Event> events = {};
  bool by_plan = false;
};

struct Releasing {
  std::string run = "";
  std::int64_t round = 0;
  std::int64_t attempt = 0;
  Event event = {};
  // On a root population's first release.
  std::optional<Settlement> settles = std::nullopt;
};

struct Finishing {
  std::string run = "";
};

// The records of this dataset are those of the population's users.
struct Binding {
  std::string population = "";
  std::string dataset = "";  // its id
};

// Somebody is about to see records of a dataset as they are.
struct Looking {
  std::string dataset = "";  // its id
  std::int64_t records = 0;  // at most; -1: all of them
  std::string command = "";
};

// Everything before was read from lines that ended with this head.
struct Importing {
  std::int64_t seq = 0;
  std::string hash = "";
};

using Entry = std::variant<Opening, NewPopulation, Reserving, Releasing,
                           Finishing, Binding, Looking, Importing>;

nlohmann::json ToJson(const Entry& entry);
// Throws Corrupt naming `where`: an entry is only ever written by us.
Entry EntryFromJson(const nlohmann::json& json, const std::string& where);

}  // namespace sfumato::dp
