// The examples in the headers of `eval`.
