#include "models/lstm_draw.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/random.h"
#include "base/worker_pool.h"
#include "fmt/format.h"
#include "models/lstm_cursor.h"
#include "models/lstm_loops.h"

namespace sfumato::models {
namespace {

constexpr std::int64_t kRows = 96;  // beginnings advanced at once

Error NotFinite() {
  return BadInput("a language model whose numbers are not finite", "model",
                  "train it with a smaller learning rate, or clip updates");
}

void Check(const Lstm& model, const at::Tensor& params, std::int64_t count,
           std::int64_t longest, const std::vector<std::int64_t>& forbid,
           std::int64_t models = 1) {
  if (count < 0 || count > 100'000'000) {
    throw BadInput(fmt::format("{} sequences of a language model", count),
                   "count", "give 0 to 100000000");
  }
  if (longest < 1 || longest > 1'000'000) {
    throw BadInput(fmt::format("sequences of at most {} symbols", longest),
                   "longest", "give 1 to 1000000");
  }
  for (const std::int64_t symbol : forbid) {
    if (symbol < 0 || symbol >= model.shape().symbols) {
      throw BadInput(fmt::format("symbol {} of {} is forbidden", symbol,
                                 model.shape().symbols),
                     "forbid", "give symbols of the model");
    }
  }
  if (params.dim() != 2 || params.size(0) < 1 || params.size(0) > models ||
      params.size(1) != model.layout().size()) {
    throw BadInput(fmt::format("{} parameters for a model of {}",
                               params.numel(), model.layout().size()),
                   "model", "give the parameters of this model");
  }
  if (!params.isfinite().all().item<bool>()) throw NotFinite();
}

// Which symbols may come, 1 or 0: [symbol].
std::vector<float> Allowed(const LstmShape& shape,
                           const std::vector<std::int64_t>& forbid) {
  std::vector<float> allowed(static_cast<std::size_t>(shape.symbols), 1);
  allowed[static_cast<std::size_t>(shape.begin)] = 0;
  for (const std::int64_t s : forbid) allowed[static_cast<std::size_t>(s)] = 0;
  return allowed;
}

// The symbols of a beginning, from the last one back.
struct Trace {
  const Trace* before = nullptr;
  std::int32_t symbol = 0;
  std::int32_t length = 0;  // begin not counted
};

std::vector<std::int32_t> SymbolsOf(const Trace* trace) {
  std::vector<std::int32_t> symbols(static_cast<std::size_t>(trace->length));
  for (; trace->length > 0; trace = trace->before) {
    symbols[static_cast<std::size_t>(trace->length - 1)] = trace->symbol;
  }
  return symbols;
}

// A beginning that some of the draws share.
struct Beginning {
  const Trace* trace = nullptr;
  const float* state = nullptr;  // before its last symbol was read
  std::uint64_t name = 0;        // a number for its symbols
  std::int64_t copies = 0;
};
// Beginnings of one length; `states` is what they point into.
struct Front {
  std::vector<Beginning> beginnings;
  std::shared_ptr<float[]> states;
};
struct Finished {
  Sequence sequence;
  std::int64_t copies = 0;
};

std::uint64_t NameAfter(std::uint64_t name, std::int32_t symbol) {
  std::uint64_t x = name * 0x9E3779B97F4A7C15 +
                    static_cast<std::uint64_t>(symbol) + 0x632BE59BD9B4E019;
  x ^= x >> 31;
  x *= 0xD6E8FEB86659FD93;
  x ^= x >> 32;
  return x;
}

// Draws the symbols that follow beginnings. One for each thread.
class Drawer {
 public:
  Drawer(const std::shared_ptr<const LstmWeights>& weights,
         const DrawOptions& options)
      : shape_(weights->shape),
        options_(options),
        allowed_(Allowed(shape_, options.forbid)),
        cursor_(weights, kRows),
        chances_(allowed_.size()),
        sums_((allowed_.size() + kBlock - 1) / kBlock) {}

  // One symbol further: what is finished goes to `done`, the rest comes back.
  Front Next(const Front& front, std::deque<Trace>& traces,
             std::vector<Finished>& done) {
    Front next;
    const std::size_t size = front.beginnings.size();
    next.states = Room(size * cursor_.state_size());
    for (std::size_t from = 0; from < size; from += kRows) {
      base::CheckInterrupted();
      const std::size_t count = std::min<std::size_t>(kRows, size - from);
      const std::span part(&front.beginnings[from], count);
      const std::span states(next.states.get() + from * cursor_.state_size(),
                             count * cursor_.state_size());
      const float* logits = Advance(part, states);
      for (std::size_t i = 0; i < count; ++i) {
        Continue(part[i], {logits + i * allowed_.size(), allowed_.size()},
                 states.data() + i * cursor_.state_size(), traces,
                 next.beginnings, done);
      }
    }
    return next;
  }

 private:
  // Memory for states; what no front points into is used again.
  std::shared_ptr<float[]> Room(std::size_t size) {
    for (Slab& slab : slabs_) {
      if (slab.numbers.use_count() > 1) continue;
      if (slab.size < size) {
        slab = {.numbers = std::make_shared_for_overwrite<float[]>(size),
                .size = size};
      }
      return slab.numbers;
    }
    slabs_.push_back({.numbers = std::make_shared_for_overwrite<float[]>(size),
                      .size = size});
    return slabs_.back().numbers;
  }

  const float* Advance(std::span<const Beginning> part,
                       std::span<float> states) {
    from_.clear();
    symbols_.clear();
    for (const Beginning& beginning : part) {
      from_.push_back(beginning.state);
      symbols_.push_back(beginning.trace->symbol);
    }
    return cursor_.Advance(from_, symbols_, states);
  }

  // Draws the next symbols of all copies.
  void Continue(const Beginning& beginning, std::span<const float> logits,
                const float* state, std::deque<Trace>& traces,
                std::vector<Beginning>& next, std::vector<Finished>& done) {
    const double total = Chances({.logits = logits,
                                  .allowed = allowed_,
                                  .sharpness = static_cast<float>(std::min(
                                      1 / options_.temperature, kSharpest))},
                                 chances_.data(), sums_);
    if (!(total > 0) || !std::isfinite(total)) throw NotFinite();
    base::Rng rng(options_.seed, {base::Key("draw"), beginning.name});
    drawn_.clear();
    for (std::int64_t copy = 0; copy < beginning.copies; ++copy) {
      drawn_.push_back(SymbolAt(rng.Uniform() * total));
    }
    std::ranges::sort(drawn_);
    for (std::size_t i = 0; i < drawn_.size();) {
      const std::int32_t symbol = drawn_[i];
      std::size_t end = i;
      while (end < drawn_.size() && drawn_[end] == symbol) ++end;
      const auto copies = static_cast<std::int64_t>(end - i);
      i = end;
      if (symbol == shape_.end) {
        done.push_back({{SymbolsOf(beginning.trace), true}, copies});
        continue;
      }
      const Trace trace{.before = beginning.trace,
                        .symbol = symbol,
                        .length = beginning.trace->length + 1};
      if (trace.length == options_.longest) {
        done.push_back({{SymbolsOf(&trace), false}, copies});
        continue;
      }
      next.push_back({.trace = &traces.emplace_back(trace),
                      .state = state,
                      .name = NameAfter(beginning.name, symbol),
                      .copies = copies});
    }
  }

  static constexpr double kSharpest = 1e30;  // 0 times it is still 0

  // The symbol at which the running sum of chances passes u.
  std::int32_t SymbolAt(double u) const {
    auto block = std::upper_bound(sums_.begin(), sums_.end(), u);
    if (block == sums_.end()) {  // u was rounded to the total
      block = std::lower_bound(sums_.begin(), sums_.end(), sums_.back());
    }
    const auto first = static_cast<std::size_t>(block - sums_.begin()) * kBlock;
    const std::size_t end = std::min(allowed_.size(), first + kBlock);
    double left = u - (first == 0 ? 0 : *(block - 1));
    std::size_t last = first;
    for (std::size_t i = first; i < end; ++i) {
      if (chances_[i] <= 0) continue;
      last = i;  // rounding may leave a rest: then it is the last that counts
      left -= static_cast<double>(chances_[i]);
      if (left < 0) break;
    }
    return static_cast<std::int32_t>(last);
  }

  LstmShape shape_;
  const DrawOptions& options_;
  std::vector<float> allowed_;  // [symbol]: 1 or 0
  LstmCursor cursor_;
  struct Slab {
    std::shared_ptr<float[]> numbers;
    std::size_t size = 0;
  };
  std::vector<Slab> slabs_;
  std::vector<float> chances_;  // [symbol] of the beginning in hand
  std::vector<double> sums_;    // [block of symbols]: chances up to its end
  std::vector<const float*> from_;
  std::vector<std::int64_t> symbols_;
  std::vector<std::int32_t> drawn_;
};

// Parts of a front with about `copies` copies each, one after another.
std::vector<Front> Split(const Front& front, std::int64_t copies) {
  std::vector<Front> parts;
  std::int64_t held = copies;
  for (const Beginning& beginning : front.beginnings) {
    if (held >= copies) {
      parts.push_back({.beginnings = {}, .states = front.states});
      held = 0;
    }
    parts.back().beginnings.push_back(beginning);
    held += beginning.copies;
  }
  return parts;
}

// Draws whatever follows a front. A wide front is walked in parts, so that its
// states do not fill the memory.
void Walk(Drawer& drawer, Front front, std::vector<Finished>& done) {
  constexpr std::size_t kWidest = 8192;
  std::deque<Trace> traces;
  while (!front.beginnings.empty()) {
    front = drawer.Next(front, traces, done);
    if (front.beginnings.size() <= kWidest) continue;
    for (Front& part : Split(front, kWidest / 2)) {
      Walk(drawer, std::move(part), done);
    }
    return;
  }
}

std::vector<Sequence> Shuffled(std::vector<std::vector<Finished>>& parts,
                               const DrawOptions& options) {
  std::vector<Sequence> all;
  all.reserve(static_cast<std::size_t>(options.count));
  for (std::vector<Finished>& part : parts) {
    for (Finished& one : part) {
      for (std::int64_t i = 1; i < one.copies; ++i) all.push_back(one.sequence);
      all.push_back(std::move(one.sequence));
    }
    part = {};
  }
  base::Rng rng(options.seed, {base::Key("shuffle of draws")});
  rng.Shuffle(std::span(all));
  return all;
}

}  // namespace

std::vector<Sequence> DrawSequences(const Lstm& model, const at::Tensor& params,
                                    const DrawOptions& options) {
  Check(model, params, options.count, options.longest, options.forbid);
  if (!(options.temperature > 0) || !std::isfinite(options.temperature)) {
    throw BadInput(fmt::format("temperature {}", options.temperature),
                   "temperature", "give a number above 0; 1 draws as learned");
  }
  if (options.count == 0) return {};
  base::WorkerPool pool({.threads = options.threads, .begin_thread = [] {
                           at::set_num_threads(1);
                         }});  // of its kernels
  const auto weights = std::make_shared<const LstmWeights>(model, params);

  // First one thread, until there are enough different beginnings for all.
  constexpr std::size_t kEnough = 2048;
  constexpr std::int64_t kCopiesOfPart = 2048;
  const Trace begin{.symbol = static_cast<std::int32_t>(model.shape().begin)};
  std::deque<Trace> traces;
  Front front{.beginnings = {{.trace = &begin, .copies = options.count}},
              .states = {}};
  std::vector<Finished> early;
  Drawer first(weights, options);
  pool.Run(1, [&](int, std::size_t) {
    while (!front.beginnings.empty() && front.beginnings.size() < kEnough) {
      front = first.Next(front, traces, early);
    }
  });
  // Parts do not depend on the number of threads, so neither do the sizes of
  // products nor, to the last bit, what they say.
  std::vector<Front> parts = Split(front, kCopiesOfPart);
  std::vector<std::vector<Finished>> done(parts.size() + 1);
  done.back() = std::move(early);
  // Each has its own drawer: no two threads use the same memory again.
  std::vector<std::unique_ptr<Drawer>> drawers(
      static_cast<std::size_t>(pool.size()));
  pool.Run(parts.size(), [&](int worker, std::size_t i) {
    auto& own = drawers[static_cast<std::size_t>(worker)];
    if (!own) own = std::make_unique<Drawer>(weights, options);
    Walk(*own, std::move(parts[i]), done[i]);
  });
  return Shuffled(done, options);
}

namespace {

constexpr std::int64_t kMostModels = 64;

// Best-first search. A node is a beginning that was looked at; what waits is
// one symbol longer than a node.
class Search {
 public:
  Search(const Lstm& model, const at::Tensor& params,
         const MostLikelyOptions& options)
      : shape_(model.shape()),
        options_(options),
        allowed_(Allowed(shape_, options.forbid)) {
    for (const at::Tensor& own : params.split(1)) {
      cursors_.emplace_back(std::make_shared<const LstmWeights>(model, own),
                            kBatch);
    }
    waiting_.push_back({.log_probability = 0,
                        .node = -1,
                        .symbol = static_cast<std::int32_t>(shape_.begin)});
  }

  MostLikelySequences Run() {
    MostLikelySequences result;
    while (true) {
      base::CheckInterrupted();
      const std::vector<Waiting> batch = TakeBest();
      if (batch.empty()) break;
      Expand(batch);
    }
    // Nothing that could be better is left, or the limit was reached.
    result.exact = waiting_.empty() || !Hopeful(waiting_.front());
    result.expanded = std::ssize(nodes_);
    std::ranges::sort(whole_, Better);
    for (const Waiting& one : whole_) {
      result.sequences.push_back({.symbols = SymbolsOf(one.node),
                                  .log_probability = one.log_probability});
    }
    return result;
  }

 private:
  static constexpr std::int64_t kBatch = 64;

  struct Node {
    std::int32_t before = -1;
    std::int32_t symbol = 0;
    std::int32_t length = 0;  // begin not counted
    // By model: what it remembers, how likely it finds the beginning, and then
    // each symbol.
    std::vector<std::vector<float>> states = {};
    std::vector<double> log_probabilities = {};
    std::vector<at::Tensor> scores = {};
  };
  // A beginning that ends in `symbol` after those of `node`. Whole sequences
  // are such with the end symbol.
  struct Waiting {
    double log_probability = 0;
    std::int32_t node = -1;
    std::int32_t symbol = 0;
  };
  // One order for all, so that equal chances come in one order too.
  static bool Better(const Waiting& a, const Waiting& b) {
    if (a.log_probability != b.log_probability) {
      return a.log_probability > b.log_probability;
    }
    return std::pair(a.node, a.symbol) < std::pair(b.node, b.symbol);
  }
  // For heaps: the best of what waits, and the worst of what is whole, first.
  static bool Worse(const Waiting& a, const Waiting& b) { return Better(b, a); }

  // Whether a sequence that begins so could still be among the best.
  bool Hopeful(const Waiting& one) const {
    return std::ssize(whole_) < options_.count ||
           one.log_probability > whole_.front().log_probability;
  }

  std::vector<Waiting> TakeBest() {
    std::vector<Waiting> batch;
    while (!waiting_.empty() && std::ssize(batch) < kBatch &&
           std::ssize(nodes_) + std::ssize(batch) < options_.most_expanded &&
           Hopeful(waiting_.front())) {
      std::ranges::pop_heap(waiting_, Worse);
      batch.push_back(waiting_.back());
      waiting_.pop_back();
    }
    return batch;
  }

  void Expand(const std::vector<Waiting>& batch) {
    const auto first = static_cast<std::int32_t>(nodes_.size());
    for (const Waiting& one : batch) {
      nodes_.push_back({.before = one.node,
                        .symbol = one.symbol,
                        .length = one.node < 0 ? 0 : At(one.node).length + 1});
    }
    for (std::size_t model = 0; model < cursors_.size(); ++model) {
      Advance(model, first);
    }
    for (auto node = first; node < std::ssize(nodes_); ++node) Offer(node);
    Forget();
  }

  // What one of the models says of the nodes from `first` on.
  void Advance(std::size_t model, std::int32_t first) {
    LstmCursor& cursor = cursors_[model];
    const std::size_t size = cursor.state_size();
    std::vector<const float*> from;
    std::vector<std::int64_t> symbols;
    for (auto node = first; node < std::ssize(nodes_); ++node) {
      const std::int32_t before = At(node).before;
      from.push_back(before < 0 ? nullptr : At(before).states[model].data());
      symbols.push_back(At(node).symbol);
    }
    std::vector<float> states(from.size() * size);
    const at::Tensor scores = at::log_softmax(
        at::from_blob(const_cast<float*>(cursor.Advance(from, symbols, states)),
                      {std::ssize(from), shape_.symbols}),
        1);
    auto state = states.begin();
    for (auto node = first; node < std::ssize(nodes_); ++node) {
      Node& one = At(node);
      one.states.emplace_back(state, state + static_cast<std::int64_t>(size));
      state += static_cast<std::int64_t>(size);
      one.log_probabilities.push_back(
          one.before < 0 ? 0
                         : LogProbability(At(one.before), model, one.symbol));
      one.scores.push_back(scores[node - first]);
    }
  }

  // Of a node's beginning with one symbol more.
  static double LogProbability(const Node& node, std::size_t model,
                               std::int32_t symbol) {
    return node.log_probabilities[model] +
           static_cast<double>(node.scores[model].data_ptr<float>()[symbol]);
  }

  // By the mean of all models' probabilities.
  double LogMean(const Node& node, std::int32_t symbol) const {
    double highest = LogProbability(node, 0, symbol);
    if (cursors_.size() == 1) return highest;
    for (std::size_t model = 1; model < cursors_.size(); ++model) {
      highest = std::max(highest, LogProbability(node, model, symbol));
    }
    if (std::isinf(highest)) return highest;
    double sum = 0;
    for (std::size_t model = 0; model < cursors_.size(); ++model) {
      sum += std::exp(LogProbability(node, model, symbol) - highest);
    }
    return highest + std::log(sum / static_cast<double>(cursors_.size()));
  }

  void Offer(std::int32_t node) {
    const bool may_go_on = At(node).length < options_.longest;
    for (std::int32_t symbol = 0; symbol < shape_.symbols; ++symbol) {
      if (allowed_[static_cast<std::size_t>(symbol)] == 0) continue;
      const Waiting one{.log_probability = LogMean(At(node), symbol),
                        .node = node,
                        .symbol = symbol};
      if (std::isnan(one.log_probability)) throw NotFinite();
      if (!Hopeful(one)) continue;
      if (symbol == shape_.end) {
        Keep(one);
      } else if (may_go_on) {
        waiting_.push_back(one);
        std::ranges::push_heap(waiting_, Worse);
      }
    }
  }

  void Keep(const Waiting& whole) {
    whole_.push_back(whole);
    std::ranges::push_heap(whole_, Better);
    if (std::ssize(whole_) > options_.count) {
      std::ranges::pop_heap(whole_, Better);
      whole_.pop_back();
    }
  }

  // Of what waits no more than can still be expanded is of any use: when that
  // many better ones have been, the limit is reached.
  void Forget() {
    const std::int64_t useful = options_.most_expanded - std::ssize(nodes_) + 1;
    if (std::ssize(waiting_) < 2 * useful + 4096) return;
    std::ranges::nth_element(waiting_, waiting_.begin() + useful, Better);
    waiting_.resize(static_cast<std::size_t>(useful));
    std::ranges::make_heap(waiting_, Worse);
  }

  std::vector<std::int32_t> SymbolsOf(std::int32_t node) const {
    std::vector<std::int32_t> symbols;
    while (At(node).before >= 0) {
      symbols.push_back(At(node).symbol);
      node = At(node).before;
    }
    std::ranges::reverse(symbols);
    return symbols;
  }

  Node& At(std::int32_t node) { return nodes_[static_cast<std::size_t>(node)]; }
  const Node& At(std::int32_t node) const {
    return nodes_[static_cast<std::size_t>(node)];
  }

  LstmShape shape_;
  const MostLikelyOptions& options_;
  std::vector<float> allowed_;
  std::vector<LstmCursor> cursors_;  // one for each model
  std::vector<Node> nodes_;
  std::vector<Waiting> waiting_;  // a heap
  std::vector<Waiting> whole_;    // a heap, at most `count`
};

}  // namespace

MostLikelySequences MostLikely(const Lstm& model, const at::Tensor& params,
                               const MostLikelyOptions& options) {
  Check(model, params, options.count, options.longest, options.forbid,
        kMostModels);
  if (options.most_expanded < 1 || options.most_expanded > 100'000'000) {
    throw BadInput(
        fmt::format("a search through {} beginnings", options.most_expanded),
        "most_expanded", "give 1 to 100000000");
  }
  const at::NoGradGuard no_gradient;
  return Search(model, params, options).Run();
}

}  // namespace sfumato::models
