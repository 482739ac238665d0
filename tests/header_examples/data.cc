// The examples in the headers of `data`.
