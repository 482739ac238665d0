// The examples in the headers of `dp`.
