#include "dp/ledger/database.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <random>

#include "base/error.h"
#include "base/interrupt.h"
#include "fmt/format.h"

namespace sfumato::dp {
namespace {

constexpr int kWaitMicroseconds = 60'000'000;
constexpr int kLongestNap = 2'000;

bool WasInterrupted() {
  try {
    base::CheckInterrupted();
  } catch (const base::Interrupted&) {
    return true;
  }
  return false;
}

[[noreturn]] void Throw(sqlite3* db, int code, const base::Path& path) {
  const std::string where = path.string();
  const char* said = db != nullptr ? sqlite3_errmsg(db) : sqlite3_errstr(code);
  switch (code & 0xff) {
    case SQLITE_NOTADB:
      throw BadInput("this is not a ledger", where,
                     "'sfumato ledger create' makes one");
    case SQLITE_CORRUPT:
      throw Corrupt(fmt::format("the ledger is damaged ({})", said), where,
                    "restore a copy and check it with 'sfumato ledger verify "
                    "--head' against the heads that your runs kept");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      base::CheckInterrupted();
      throw Unavailable("another process held the ledger for a minute", where,
                        "wait for it, or end it");
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      throw Unavailable("the ledger cannot be written", where,
                        "check the permissions of the file and its folder");
    case SQLITE_CANTOPEN:
      throw Unavailable(
          fmt::format("cannot open ({})",
                      std::strerror(sqlite3_system_errno(db))),
          where, "check the path and the permissions of file and folder");
    case SQLITE_FULL:
      throw Unavailable("the disk is full", where,
                        "free some space; nothing was entered");
    case SQLITE_IOERR:
      throw Unavailable(fmt::format("the disk failed ({})", said), where,
                        "check the disk; repeating the same step is safe");
    case SQLITE_NOMEM:
      throw Unavailable("out of memory", where, "");
    case SQLITE_ERROR:  // a table or column that should be there
      throw Corrupt(fmt::format("the ledger is damaged ({})", said), where,
                    "restore a copy and check it with 'sfumato ledger verify'");
    default:
      throw Error(ErrorKind::kBug, fmt::format("{} ({})", said, code), where,
                  "this is a bug in sfumato; please report the command");
  }
}

}  // namespace

struct Database::Naps {
  int waited = 0;
  std::minstd_rand random{static_cast<unsigned>(getpid())};
};

// SQLite's own waiting sleeps up to a tenth of a second, in which processes
// that do not sleep take the file again and again. Short naps of random length
// give every waiter about the same chance at every opening.
int Database::Nap(void* state, int tries) {
  Naps& naps = *static_cast<Naps*>(state);
  if (tries == 0) naps.waited = 0;
  if (naps.waited > kWaitMicroseconds || WasInterrupted()) return 0;
  const int longest = std::min(kLongestNap, 50 << std::min(tries, 10));
  const int nap =
      20 + static_cast<int>(naps.random() % static_cast<unsigned>(longest));
  usleep(static_cast<useconds_t>(nap));
  naps.waited += nap;
  return 1;
}

void Statement::BindOne(int place, std::int64_t value) {
  const int code = sqlite3_bind_int64(statement_, place, value);
  if (code != SQLITE_OK) Throw(db_, code, *path_);
}
void Statement::BindOne(int place, double value) {
  const int code = sqlite3_bind_double(statement_, place, value);
  if (code != SQLITE_OK) Throw(db_, code, *path_);
}
void Statement::BindOne(int place, std::string_view value) {
  const int code = sqlite3_bind_text64(
      statement_, place, value.data() == nullptr ? "" : value.data(),
      value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  if (code != SQLITE_OK) Throw(db_, code, *path_);
}

bool Statement::Next() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  // Without this a finished read would keep its hold on the file.
  sqlite3_reset(statement_);
  if (code == SQLITE_DONE) return false;
  Throw(db_, code, *path_);
}

std::int64_t Statement::Whole(int column) const {
  return sqlite3_column_int64(statement_, column);
}
double Statement::Number(int column) const {
  return sqlite3_column_double(statement_, column);
}
std::string_view Statement::View(int column) const {
  const unsigned char* text = sqlite3_column_text(statement_, column);
  if (text == nullptr) return {};
  return {reinterpret_cast<const char*>(text),
          static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}
std::string Statement::Text(int column) const {
  return std::string(View(column));
}

Database::Database(const base::Path& path, Mode mode)
    : path_(std::make_unique<base::Path>(path)),
      naps_(std::make_shared<Naps>()) {
  if (mode != Mode::kCreate && access(path.c_str(), F_OK) != 0) {
    throw BadInput(errno == ENOENT ? "no such file" : std::strerror(errno),
                   path.string(), "'sfumato ledger create' makes a ledger");
  }
  if (mode != Mode::kCreate && std::filesystem::is_directory(path)) {
    throw BadInput("this is a folder, no ledger", path.string(),
                   "name the ledger's file");
  }
  // Where the file is write-protected, SQLite falls back to reading by itself.
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX |
                    (mode == Mode::kCreate ? SQLITE_OPEN_CREATE : 0);
  sqlite3* db = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &db, flags, nullptr);
  db_.reset(db);
  if (code != SQLITE_OK) Throw(db, code, path);
  if (mode != Mode::kRead && sqlite3_db_readonly(db, "main") == 1) {
    Throw(db, SQLITE_READONLY, path);
  }
  sqlite3_busy_handler(db, Nap, naps_.get());
  // A rollback journal, not a write-ahead log: at rest a ledger is one file,
  // which can be copied, and read from where nobody may write. EXTRA also puts
  // the journal's removal, which is the commit, on the disk; without it a power
  // failure could bring the journal back and undo an entry whose value was
  // already released.
  if (mode != Mode::kRead) Run("PRAGMA journal_mode=DELETE");
  Run("PRAGMA synchronous=EXTRA; PRAGMA trusted_schema=0");
}

Database::~Database() = default;

void Database::Run(const char* sql) {
  const int code = sqlite3_exec(db_.get(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) Throw(db_.get(), code, *path_);
}

Statement Database::Prepare(const char* sql) {
  auto& statement = prepared_[sql];
  if (statement == nullptr) {
    sqlite3_stmt* made = nullptr;
    const int code = sqlite3_prepare_v3(
        db_.get(), sql, -1, SQLITE_PREPARE_PERSISTENT, &made, nullptr);
    if (code != SQLITE_OK) Throw(db_.get(), code, *path_);
    statement.reset(made);
  }
  sqlite3_reset(statement.get());
  return {db_.get(), statement.get(), *path_};
}

std::int64_t Database::WholeOf(const char* sql) {
  Statement statement = Prepare(sql);
  const std::int64_t value = statement.Next() ? statement.Whole(0) : 0;
  statement.Run();
  return value;
}

Transaction::Transaction(Database& db, Kind kind) : db_(db) {
  db_.Run(kind == Kind::kWrite ? "BEGIN IMMEDIATE" : "BEGIN");
}

Transaction::~Transaction() {
  // SQLite may have rolled back by itself; then there is nothing to do.
  if (open_ && sqlite3_get_autocommit(db_.handle()) == 0) {
    sqlite3_exec(db_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
  }
}

void Transaction::Commit() {
  db_.Run("COMMIT");
  open_ = false;
}

}  // namespace sfumato::dp
