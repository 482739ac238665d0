#include "fed/lane_cohort.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/interrupt.h"
#include "fed/lane_sum.h"
#include "fed/local_schedule.h"
#include "fmt/format.h"

#if SFUMATO_HAS_CUDA
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAGuard.h>
#endif

namespace sfumato::fed {
namespace {

// Without a number from the config: more lanes than this bring nothing, even to
// small models.
constexpr std::int64_t kMostLanes = 256;
// Shapes of groups (numbers of steps) whose memory and graphs are kept.
constexpr std::size_t kMostPlans = 32;

// Numbers of the host as a tensor on the device, sent without waiting.
template <typename T>
at::Tensor Send(std::span<const T> values, at::IntArrayRef shape,
                at::ScalarType type, at::Device device) {
  const at::Tensor here =
      at::from_blob(const_cast<T*>(values.data()), shape, type);
  if (device.is_cpu()) return here.clone();
  return here.pin_memory().to(device, /*non_blocking=*/true);
}

// Examples in the device's memory: all of them, or those of a group.
struct Table {
  at::Tensor inputs;                 // [example, height, width, channel]
  at::Tensor labels;                 // [example] int64
  std::vector<std::int64_t> begins;  // of each user in it
  std::int64_t nobody = 0;           // a row of zeros
};

Table Load(const models::Examples& examples,
           std::span<const std::int64_t> users, at::Device device) {
  Table table;
  std::int64_t count = 0;
  for (const std::int64_t user : users) {
    table.begins.push_back(count);
    count += examples.user_size(user);
  }
  const models::Shape shape = examples.shape();
  const auto size = static_cast<std::size_t>(shape.size());
  // The last row is nobody's: what idle places look at. Anybody's example there
  // would reach others (0 · infinity is not 0).
  table.nobody = count;
  at::Tensor inputs =
      at::zeros({count + 1, shape.height, shape.width, shape.channels});
  at::Tensor labels = at::zeros({inputs.size(0)}, at::kLong);
  float* to = inputs.data_ptr<float>();
  auto* label = labels.data_ptr<std::int64_t>();
  for (const std::int64_t user : users) {
    base::CheckInterrupted();
    for (std::int64_t i = 0; i < examples.user_size(user); ++i, to += size) {
      *label++ = examples.Read(user, i, {to, size});
    }
  }
  table.inputs = inputs.to(device);
  table.labels = labels.to(device);
  return table;
}

// A group's batches on the device, and, once recorded, its steps as a graph.
struct Plan {
  at::Tensor rows;     // [step, lane, batch] int64: places in the table
  at::Tensor weights;  // [step, lane, batch]
  at::Tensor keys;     // [lane] int64
  int runs = 0;
#if SFUMATO_HAS_CUDA
  std::unique_ptr<at::cuda::CUDAGraph> graph;
#endif
};

void Replace(at::Tensor& kept, const at::Tensor& fresh) {
  if (kept.defined()) {
    kept.copy_(fresh, /*non_blocking=*/true);
  } else {
    kept = fresh;
  }
}

}  // namespace

struct LaneCohort::Memory {
  Memory(const models::Examples& given, const LaneCohortOptions& options_given)
      : examples(given), options(options_given) {
    const double bytes = TotalBytes();
    resident = bytes <= options.resident_bytes;
    if (!resident) return;
    std::vector<std::int64_t> everyone(
        static_cast<std::size_t>(examples.users()));
    std::iota(everyone.begin(), everyone.end(), 0);
    table = Load(examples, everyone, options.device);
  }

  double TotalBytes() const {
    double count = 0;
    for (std::int64_t user = 0; user < examples.users(); ++user) {
      count += static_cast<double>(examples.user_size(user));
    }
    return count * static_cast<double>(examples.shape().size()) * 4;
  }

  // Room for as many lanes as asked for, or as there are users and the device
  // can hold.
  void Prepare(const Algorithm& algorithm, std::int64_t users) {
    const at::Tensor now = algorithm.Broadcast().contiguous();
    if (trains == algorithm.id()) {
      broadcast.copy_(now);
      return;
    }
    trains = algorithm.id();
    plans.clear();
    broadcast = now.to(options.device);
    const bool asked = options.lanes > 0;
    lanes =
        asked ? options.lanes : std::clamp<std::int64_t>(users, 8, kMostLanes);
    for (;; lanes /= 2) {
      try {
        trainer = algorithm.MakeTrainer(options.device, lanes,
                                        options.local.batch_size);
        params = params::EmptyLanes(lanes, broadcast.numel(), options.device);
        return;
      } catch (const c10::OutOfMemoryError&) {
        if (asked || lanes == 1) {
          throw Unavailable(fmt::format("no room for {} lanes on {}", lanes,
                                        options.device.str()),
                            "device.lanes",
                            "give fewer lanes, or a smaller model");
        }
      }
    }
  }

  // The batches of `users`, sent to the device.
  Plan& Sent(std::uint64_t round, std::span<const std::int64_t> users,
             const Table& from, bool by_user) {
    schedule.Plan(
        {.seed = options.seed, .round = round, .local = options.local}, users,
        examples);
    const std::int64_t batch = schedule.batch();
    // Always all lanes, the idle ones too: which kernels a product takes, and
    // so a client's rounding, must not depend on how many others were drawn.
    const std::int64_t group = lanes;
    const std::vector<std::int64_t> shape = {schedule.steps(), group, batch};
    const auto places =
        static_cast<std::size_t>(schedule.steps() * group * batch);
    rows.assign(places, from.nobody);
    weights.assign(places, 0.0f);
    keys.assign(static_cast<std::size_t>(group), 0);
    for (std::size_t lane = 0; lane < users.size(); ++lane) {
      const auto user = static_cast<std::size_t>(users[lane]);
      const std::int64_t begin = from.begins[by_user ? user : lane];
      keys[lane] = models::ClientKey(options.seed, round, user);
      for (std::int64_t step = 0; step < schedule.steps(); ++step) {
        const auto at = static_cast<std::int64_t>(lane);
        const auto chosen = schedule.examples(step, at);
        const auto weight = schedule.weights(step, at);
        const auto first =
            static_cast<std::size_t>((step * group + at) * batch);
        for (std::size_t i = 0; i < chosen.size() && weight[i] > 0; ++i) {
          rows[first + i] = chosen[i] + begin;
          weights[first + i] = weight[i];
        }
      }
    }
    if (plans.size() >= kMostPlans && !plans.contains(schedule.steps())) {
      plans.clear();
    }
    Plan& plan = plans[schedule.steps()];
    Replace(plan.rows,
            Send<std::int64_t>(rows, shape, at::kLong, options.device));
    Replace(plan.weights,
            Send<float>(weights, shape, at::kFloat, options.device));
    Replace(plan.keys,
            Send<std::int64_t>(keys, {group}, at::kLong, options.device));
    return plan;
  }

  void TakeSteps(const Plan& plan, const Table& from,
                 const at::Tensor& lane_params) {
    const std::int64_t group = plan.rows.size(1);
    const std::int64_t batch = plan.rows.size(2);
    const models::Shape shape = examples.shape();
    for (std::int64_t step = 0; step < plan.rows.size(0); ++step) {
      const at::Tensor chosen = plan.rows[step].flatten();
      trainer->Step(
          lane_params,
          {.inputs = from.inputs.index_select(0, chosen).view(
               {group, batch, shape.height, shape.width, shape.channels}),
           .labels = from.labels.index_select(0, chosen).view({group, batch}),
           .weights = plan.weights[step],
           .keys = plan.keys,
           .step = step});
    }
  }

  // The steps of a group; the second time a shape comes, recorded as a graph,
  // and from then on replayed.
  void Run(Plan& plan, const Table& from, const at::Tensor& lane_params) {
    ++plan.runs;
#if SFUMATO_HAS_CUDA
    if (options.device.is_cuda() && options.graphs && resident &&
        trainer->recordable()) {
      if (plan.runs == 2 && plan.rows.size(0) > 0) {
        plan.graph = std::make_unique<at::cuda::CUDAGraph>();
        plan.graph->capture_begin();
        TakeSteps(plan, from, lane_params);
        plan.graph->capture_end();
      }
      if (plan.graph) {
        plan.graph->replay();
        return;
      }
    }
#endif
    TakeSteps(plan, from, lane_params);
  }

  const models::Examples& examples;
  LaneCohortOptions options;
  bool resident = false;
  Table table;
  std::uint64_t trains = 0;  // the algorithm's id
  std::int64_t lanes = 0;
  std::unique_ptr<LaneTrainer> trainer;
  at::Tensor params;     // [lane, size]
  at::Tensor broadcast;  // [size]
  LocalSchedule schedule;
  std::vector<std::int64_t> rows;
  std::vector<float> weights;
  std::vector<std::int64_t> keys;
  std::map<std::int64_t, Plan> plans;  // by steps
#if SFUMATO_HAS_CUDA
  std::optional<c10::cuda::CUDAStream> stream;  // one, so that memory is reused
#endif
};

LaneCohort::LaneCohort(const models::Examples& examples,
                       const LaneCohortOptions& options)
    : memory_(std::make_unique<Memory>(examples, options)) {}
LaneCohort::~LaneCohort() = default;

std::int64_t LaneCohort::lanes() const { return memory_->lanes; }
bool LaneCohort::resident() const { return memory_->resident; }

CohortFacts LaneCohort::Train(const Algorithm& algorithm, std::uint64_t round,
                              std::span<const std::int64_t> users,
                              std::span<const double> weights,
                              dp::ClippedSum& sum) {
  const at::NoGradGuard no_gradient;
  Memory& m = *memory_;
#if SFUMATO_HAS_CUDA
  // Graphs cannot be recorded on the default stream.
  std::optional<c10::cuda::CUDAStreamGuard> guard;
  if (m.options.device.is_cuda()) {
    if (!m.stream) {
      m.stream = at::cuda::getStreamFromPool(false, m.options.device.index());
    }
    guard.emplace(*m.stream);
  }
#endif
  for (const double weight : weights) {
    TORCH_CHECK(weight >= 0 && weight <= 1);  // the sum's bound rests on it
  }
  m.Prepare(algorithm, static_cast<std::int64_t>(users.size()));

  // The longest first, so that those who train together end together.
  std::vector<std::int64_t> steps;
  for (const std::int64_t user : users) {
    steps.push_back(StepsOf(m.examples.user_size(user), m.options.local));
  }
  std::vector<std::size_t> order(users.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater(),
                           [&](std::size_t i) { return steps[i]; });

  // Who has nothing to train on adds zero, and comes last.
  std::size_t busy = order.size();
  while (busy > 0 && steps[order[busy - 1]] == 0) --busy;

  LaneSum total(m.options.device, m.broadcast.numel(), sum.clip_norm());
  std::vector<at::Tensor> norms;
  std::vector<at::Tensor> losses;
  std::vector<std::int64_t> group_users;
  std::vector<double> group_weights;
  for (std::size_t from = 0; from < busy;
       from += static_cast<std::size_t>(m.lanes)) {
    base::CheckInterrupted();
    const std::size_t to =
        std::min(busy, from + static_cast<std::size_t>(m.lanes));
    group_users.clear();
    group_weights.clear();
    for (std::size_t i = from; i < to; ++i) {
      group_users.push_back(users[order[i]]);
      group_weights.push_back(weights[order[i]]);
    }
    const Table loaded =
        m.resident ? Table{} : Load(m.examples, group_users, m.options.device);
    const Table& table = m.resident ? m.table : loaded;
    const auto group = static_cast<std::int64_t>(group_users.size());
    Plan& plan = m.Sent(round, group_users, table, m.resident);
    const at::Tensor lanes = m.params.narrow(0, 0, plan.rows.size(1));
    lanes.copy_(m.broadcast.unsqueeze(0).expand(lanes.sizes()));
    m.trainer->Begin();
    m.Run(plan, table, lanes);
    const at::Tensor updates = lanes.narrow(0, 0, group).sub_(m.broadcast);
    losses.push_back(m.trainer->losses().narrow(0, 0, group).clone());
    norms.push_back(total.Add(
        updates,
        Send<double>(group_weights, {group}, at::kDouble, m.options.device)));
  }
  total.AddTo(sum);

  std::vector<ClientFacts> clients(users.size());
  for (std::size_t i = busy; i < order.size(); ++i) {
    clients[order[i]] = {.clip = {.finite = true}};
  }
  if (busy == 0) return Summary(clients);
  const at::Tensor all_norms = at::cat(norms).to(at::kCPU);
  const at::Tensor all_losses = at::cat(losses).to(at::kCPU);
  for (std::size_t i = 0; i < busy; ++i) {
    const double norm = all_norms.data_ptr<double>()[i];
    const bool finite = std::isfinite(norm);
    clients[order[i]] = {.clip = {.norm = finite ? norm : 0,
                                  .clipped = finite && norm > sum.clip_norm(),
                                  .finite = finite},
                         .loss = all_losses.data_ptr<float>()[i],
                         .stepped = true};
  }
  return Summary(clients);
}

}  // namespace sfumato::fed
