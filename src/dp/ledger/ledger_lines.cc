// A ledger as lines of JSON, out and in.

#include "base/error.h"
#include "base/json.h"
#include "base/json_lines.h"
#include "dp/ledger/ledger.h"
#include "fmt/format.h"

namespace sfumato::dp {
namespace {

// One line of the lines' file.
struct Line {
  std::int64_t seq = 0;
  std::string body;
  std::string hash;
  Entry entry;
};

Line ReadLine(const nlohmann::json& line, const std::string& where) {
  if (line.size() != 2 || !line.contains("entry") || !line.contains("hash") ||
      !line["entry"].is_object() || !line["hash"].is_string()) {
    throw BadInput("no line of a ledger", where,
                   "give what 'sfumato ledger export' wrote");
  }
  const nlohmann::json& entry = line["entry"];
  const auto seq = entry.find("seq");
  if (seq == entry.end() || !seq->is_number_integer()) {
    throw Corrupt("an entry without its number", where);
  }
  return {.seq = seq->get<std::int64_t>(),
          .body = entry.dump(),
          .hash = line["hash"],
          .entry = EntryFromJson(entry, where)};
}

// The entries of a file, in order, each checked against the one before.
class LineReader {
 public:
  LineReader(Tables& tables, const std::string& key)
      : tables_(tables), key_(key) {}

  void Read(const nlohmann::json& json, const std::string& where) {
    if (ended_) throw Corrupt("a line after the last", where);
    if (json.contains("end")) {
      ended_ = true;
      if (json["end"] != ToText(last_)) {
        throw Corrupt("the last line names another end", where,
                      "export the ledger again");
      }
      return;
    }
    const Line line = ReadLine(json, where);
    if (line.seq != last_.seq + 1) {
      throw Corrupt(fmt::format("entry {} where {} was expected", line.seq,
                                last_.seq + 1),
                    where, "export the ledger again");
    }
    if (ChainHash(key_, last_.hash, line.body) != line.hash) {
      throw Corrupt("the entry's hash does not follow from it", where,
                    "export the ledger again; with --key-file if it has a key, "
                    "and only then");
    }
    tables_.Apply(line.seq, line.body, line.hash, line.entry);
    last_ = {.seq = line.seq, .hash = line.hash};
  }

  // The head of the history that was read.
  Head End(const std::string& where) const {
    if (last_.seq == 0) {
      throw BadInput("no entries", where,
                     "give what 'sfumato ledger export' wrote");
    }
    if (!ended_) {
      throw Corrupt("the end of the file is missing", where,
                    "export the ledger again");
    }
    return last_;
  }

 private:
  Tables& tables_;
  const std::string& key_;
  Head last_;
  bool ended_ = false;
};

}  // namespace

std::vector<Finding> Ledger::Verify(std::span<const Head> heads) {
  return Audit(tables_, key_, heads);
}

void Ledger::Export(const std::function<void(const std::string& line)>& write) {
  Transaction transaction(tables_.db(), Transaction::Kind::kRead);
  Statement row =
      tables_.db().Prepare("SELECT body, hash FROM entries ORDER BY seq");
  while (row.Next()) {
    // ASCII passes every terminal and locale; written anew without escapes, the
    // entry has the bytes that were hashed.
    const nlohmann::json line = {{"entry", base::ParseJson(row.View(0))},
                                 {"hash", row.Text(1)}};
    write(line.dump(-1, ' ', true));
  }
  // Without it a file that lost its end would read like a shorter history.
  write(fmt::format(R"({{"end":"{}"}})", ToText(tables_.LastHead())));
}

Ledger Ledger::Import(const base::Path& lines, const base::Path& path,
                      std::string key) {
  MakeAt(path, [&](const base::Path& made) {
    Ledger ledger(Tables(Database(made, Database::Mode::kCreate)), key);
    {
      Transaction transaction(ledger.tables_.db());
      ledger.tables_.Make();
      LineReader reader(ledger.tables_, key);
      base::ReadJsonLines(lines, [&](const nlohmann::json& line, int number) {
        reader.Read(line, fmt::format("{}:{}", lines.string(), number));
      });
      const Head end = reader.End(lines.string());
      ledger.Append(Importing{.seq = end.seq, .hash = end.hash});
      transaction.Commit();
    }
    const std::vector<Finding> findings = ledger.Verify();
    if (!findings.empty()) {
      throw Corrupt(fmt::format("entry {}: {}", findings.front().seq,
                                findings.front().what),
                    lines.string(), "give an export of a sound ledger");
    }
  });
  return Open(path, std::move(key));
}

}  // namespace sfumato::dp
