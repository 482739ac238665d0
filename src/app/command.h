// One command of the program, in one file that registers itself.
//
//   // src/app/hello_command.cc
//   const Registration kHello({
//       .path = "hello",
//       .summary = "Say hello to somebody.",
//       .example = "sfumato hello --name Ann",
//       .define = [](CLI::App& app, const Common&) -> Action {
//         auto name = std::make_shared<std::string>("you");
//         app.add_option("--name", *name, "Whom to greet.");
//         return [name] { return Answer{.text = "Hello, " + *name + "!",
//                                       .json = {{"greeted", *name}}}; };
//       }});
//
// A command computes and returns; main prints the text or the JSON, reports
// errors, and chooses the exit code. Options are plain values that live as
// long as the action that holds them.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "nlohmann/json.hpp"

namespace sfumato::app {

// The options that every command has.
struct Common {
  bool json = false;
  bool quiet = false;
  std::uint64_t seed = 1;
  bool seed_given = false;
};

struct Answer {
  std::string text;                                // for people
  nlohmann::json json = nlohmann::json::object();  // the same for programs
  int exit_code = 0;
};

using Action = std::function<Answer()>;

struct Command {
  std::string path;          // the words that call it: "data make handwriting"
  std::string summary;       // one sentence
  std::string example;       // works when pasted; lines separated by '\n'
  bool needs_torch = false;  // opens the Torch part (torch_part.h)
  // Adds the command's options to `app`; returns what runs after parsing.
  std::function<Action(CLI::App& app, const Common& common)> define;
};

class Registration {
 public:
  explicit Registration(Command command);
};

// All registered commands, sorted by path.
std::vector<Command> Commands();

}  // namespace sfumato::app
