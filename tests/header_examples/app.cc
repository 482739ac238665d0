// The examples in the headers of `app`.
