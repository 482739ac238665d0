#include "app/command.h"

#include <algorithm>

namespace sfumato::app {
namespace {

std::vector<Command>& Registry() {
  static std::vector<Command> commands;
  return commands;
}

}  // namespace

Registration::Registration(Command command) {
  Registry().push_back(std::move(command));
}

std::vector<Command> Commands() {
  std::vector<Command> commands = Registry();
  std::sort(commands.begin(), commands.end(),
            [](const Command& a, const Command& b) { return a.path < b.path; });
  return commands;
}

}  // namespace sfumato::app
