// The examples in the headers of `plan`.
