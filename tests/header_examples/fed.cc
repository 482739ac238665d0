// The examples in the headers of `fed`.
