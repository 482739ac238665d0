// Reads a file of the LEAF benchmark, user by user:
//
//   {"users": ["f1", …], "num_samples": [2, …],
//    "user_data": {"f1": {"x": [[0.1, …], …], "y": [3, …]}, …}}
//
// The text is parsed as a stream: at most one user is in memory as numbers.
//
// Source: Caldas et al. 2018, "LEAF: A Benchmark for Federated Settings".

#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sfumato::data {

// The examples of one user. Either `numbers` or `texts` is filled.
struct LeafUser {
  std::string id;
  std::size_t number = 0;           // in the file, from 0: errors name it
  std::vector<float> numbers;       // [example, width]
  std::size_t width = 0;            // numbers per example
  std::vector<std::string> texts;   // [example, fields]
  std::size_t fields = 1;           // strings an example: Sent140 has six
  std::vector<std::string> labels;  // [example], as they are spelled
  bool named_labels = false;        // some are strings

  std::size_t size() const { return labels.size(); }
};

using LeafVisitor = std::function<void(const LeafUser& user)>;

// Calls `visit` for every user with its examples, in the order of the file.
// Throws BadInput with `where`@offset when `text` is not JSON, or with the
// numbers of user and example when it is not of LEAF's form: fields unknown,
// twice or missing, rows that differ in length, values that are not numbers or
// strings, numbers beyond float, x and y of different lengths, or counts that
// num_samples contradicts. Throws Unsupported for nested examples (LEAF's
// Reddit).
void ParseLeaf(std::string_view text, const std::string& where,
               const LeafVisitor& visit);

}  // namespace sfumato::data
