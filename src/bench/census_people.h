// Who is asked in a measurement of the census, and the references that voters
// learn from.
//
// Both are datasets or generated people. What is made for the measurement, also
// copies of people with damages, is in a folder that is removed at its end.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/random.h"
#include "bench/bench_census.h"
#include "bench/census_damages.h"
#include "census/voter/text_damages.h"
#include "data/dataset.h"
#include "data/dataset_writer.h"

namespace sfumato::bench {

// A folder that is gone when this is.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  base::Path operator/(const std::string& name) const { return folder_ / name; }

 private:
  base::Path folder_;
};

class CensusPeople {
 public:
  static constexpr std::size_t kLeast = 8;  // examples of who is asked
  static constexpr std::size_t kMost = 50;  // that a device looks at

  // Throws as SfumatoBenchCensus; BadInput for fewer than two users to ask.
  // `job` must outlive it.
  explicit CensusPeople(const CensusBench& job);

  const data::FederatedDataset& set() const { return *people_; }
  // The same users, before. REQUIRES: change().
  const data::FederatedDataset& before() const { return *before_; }
  const data::FederatedDataset& reference() const { return *reference_; }
  // Of the references, for damages of text.
  const census::TextSource& source() const { return source_; }
  // Who is asked, in any order.
  const std::vector<std::int64_t>& users() const { return users_; }

  bool is_text() const { return people_->info().kind == data::Kind::kText; }
  bool change() const { return job_.design == "change"; }
  // Labels say something only if they mean the same as the references'.
  bool labelled() const {
    return people_->info().classes == reference_->info().classes;
  }

  // The first of users(), a few hundred, with these damages, one after the
  // other. Another call removes it.
  data::FederatedDataset Damaged(
      const std::vector<const Damage*>& damages) const;

 private:
  void OpenData();
  // A dataset of these users, each with the examples that `keep` takes.
  std::unique_ptr<data::FederatedDataset> Part(
      const char* name, std::span<const std::size_t> users,
      const std::function<bool(std::size_t example)>& keep) const;
  void HalveUsers();
  void HalveExamples();
  void ReadSource();
  void ChooseUsers();
  void WriteText(const data::User& user,
                 const std::vector<const Damage*>& damages, base::Rng& rng,
                 data::DatasetWriter& out) const;

  const CensusBench& job_;
  Scratch scratch_;
  std::unique_ptr<data::FederatedDataset> people_;
  std::unique_ptr<data::FederatedDataset> before_;  // of the same users
  std::unique_ptr<data::FederatedDataset> reference_;
  census::TextSource source_;
  std::vector<std::int64_t> users_;
};

}  // namespace sfumato::bench
