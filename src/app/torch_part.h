// The half of the program that needs LibTorch: a library that lies beside the
// program and is opened when a command first asks for it, so that all other
// commands start in milliseconds.
//
//   // Declared in train/torch_facts.h, implemented in the library:
//   TorchFunction<decltype(train::SfumatoTorchFacts)>("SfumatoTorchFacts")(
//       seconds, &facts);
//
// The library uses the program's own copy of the rooms below it (the program
// exports its symbols), so there is one set of flags, one log, one error type.

#pragma once

namespace sfumato::app {

// The address of `name` in the library. Throws Unavailable, with the loader's
// reason, when the library or the function is not there.
void* TorchSymbol(const char* name);

template <typename Function>
Function& TorchFunction(const char* name) {
  return *reinterpret_cast<Function*>(TorchSymbol(name));
}

}  // namespace sfumato::app
