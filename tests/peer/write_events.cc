// write_events FOLDER: a run of two processes as TensorBoard event files, for
// tensorboard_test.py.
//
// The first process reaches round 4 and is killed; the second goes on from the
// checkpoint of round 2.

#include <cstdio>

#include "base/image.h"
#include "runs/tensorboard.h"

namespace {

using namespace sfumato::runs;

void AppendRound(EventFile& file, int round, double loss) {
  file.Append(round, 1000.0 + round,
              {Public("epsilon", 0.25 * round), SimulationOnly("loss", loss),
               Public("users", 10)});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("write_events FOLDER\n", stderr);
    return 2;
  }
  {
    EventFile first(argv[1], Gate::Simulation(), {.seconds = 1000});
    for (int round = 1; round <= 4; ++round) AppendRound(first, round, 8);
  }
  EventFile second(argv[1], Gate::Simulation(),
                   {.seconds = 1010, .after_round = 2});
  for (int round = 3; round <= 5; ++round) AppendRound(second, round, 4);
  second.Append(
      5, 1005,
      {Released("samples", Png{sfumato::base::EncodePng(
                               sfumato::base::BlankImage(5, 3, 1, 0))}),
       Public("note", "a text with **bold** é")});
  return 0;
}
