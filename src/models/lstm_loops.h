// The loops between the products of a language model (lstm.h) that reads or
// draws, on one core of a CPU.
//
//   RunCells(rows, bias, hidden);            // every row one symbol further
//   double total = Chances({.logits = logits, .allowed = allowed}, chances,
//                          running);         // of the next symbol

#pragma once

#include <cstdint>
#include <span>

namespace sfumato::models {

// One row of a layer: what its gates are made of, [3 hidden] each, its cells
// before, and where its cells and its output go, [hidden] each.
struct CellRow {
  const float* input = nullptr;
  const float* recurrent = nullptr;
  const float* before = nullptr;
  float* cells = nullptr;
  float* hidden = nullptr;
};
// The gates are input + recurrent + bias.
void RunCells(std::span<const CellRow> rows, const float* bias,
              std::int64_t hidden);

struct ChancesOf {
  std::span<const float> logits;
  std::span<const float> allowed;  // 1, or 0 for what cannot come
  float sharpness = 1;             // 1 / temperature
};
constexpr std::size_t kBlock = 16;
// Chances up to a common factor, [symbol], and their running sums after each
// kBlock symbols, [blocks]. Returns the sum of all: not finite where a logit is
// not, 0 where nothing is allowed.
double Chances(const ChancesOf& of, float* chances, std::span<double> running);

}  // namespace sfumato::models
