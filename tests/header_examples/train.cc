// The examples in the headers of `train`.
