// A SQLite file with prepared statements and errors of our own.
//
//   Database db(path, Database::Mode::kWrite);
//   Transaction transaction(db);
//   db.Prepare("INSERT INTO t VALUES (?, ?)").Bind(1, "x").Run();
//   transaction.Commit();  // on the disk, also if the power fails now
//
// Several processes may use one file: a transaction that writes has the file
// for itself, others wait their turn for up to a minute. One Database belongs
// to one thread and does not survive fork.

#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/file.h"

namespace sfumato::dp {

// A statement ready to run; borrowed from its Database, valid until the same
// SQL is prepared again.
class Statement {
 public:
  Statement(sqlite3* db, sqlite3_stmt* statement, const base::Path& path)
      : db_(db), statement_(statement), path_(&path) {}

  template <typename... Values>
  Statement& Bind(const Values&... values) {
    int place = 0;
    (BindOne(++place, values), ...);
    return *this;
  }
  // Steps to the next row; false after the last.
  bool Next();
  // Runs to the end.
  void Run() {
    while (Next()) {
    }
  }

  std::int64_t Whole(int column) const;
  double Number(int column) const;
  std::string Text(int column) const;
  // Valid until the next step.
  std::string_view View(int column) const;

 private:
  void BindOne(int place, std::int64_t value);
  void BindOne(int place, int value) { BindOne(place, std::int64_t{value}); }
  void BindOne(int place, bool value) { BindOne(place, std::int64_t{value}); }
  void BindOne(int place, double value);
  void BindOne(int place, std::string_view value);
  void BindOne(int place, const std::string& value) {
    BindOne(place, std::string_view(value));
  }
  void BindOne(int place, const char* value) {
    BindOne(place, std::string_view(value));
  }

  sqlite3* db_;
  sqlite3_stmt* statement_;
  const base::Path* path_;
};

class Database {
 public:
  enum class Mode { kCreate, kWrite, kRead };

  // kRead and kWrite throw BadInput when there is no such file, or one of
  // another kind; Corrupt when it is damaged; Unavailable when it cannot be
  // opened, or for kWrite not be written. kRead, too, may have to undo what a
  // killed process left half-done.
  Database(const base::Path& path, Mode mode);
  ~Database();
  Database(Database&& other) noexcept = default;
  Database& operator=(Database&& other) noexcept = delete;

  void Run(const char* sql);  // one or more statements without values
  Statement Prepare(const char* sql);
  std::int64_t WholeOf(const char* sql);  // the first column of the only row

  sqlite3* handle() { return db_.get(); }
  const base::Path& path() const { return *path_; }

 private:
  struct Close {
    void operator()(sqlite3* db) const { sqlite3_close_v2(db); }
  };
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const {
      sqlite3_finalize(statement);
    }
  };

  struct Naps;
  static int Nap(void* naps, int tries);

  std::unique_ptr<base::Path> path_;  // statements point to it
  std::shared_ptr<Naps> naps_;        // so does the connection
  std::unique_ptr<sqlite3, Close> db_;
  // By the address of the SQL, which is a literal.
  std::map<const char*, std::unique_ptr<sqlite3_stmt, Finalize>> prepared_;
};

// Takes the file for writing at once, so that nothing read inside can have
// changed when it is written. Rolls back unless committed.
class Transaction {
 public:
  enum class Kind { kWrite, kRead };
  explicit Transaction(Database& db, Kind kind = Kind::kWrite);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  void Commit();

 private:
  Database& db_;
  bool open_ = true;
};

}  // namespace sfumato::dp
