// The examples in the headers of `models`.
