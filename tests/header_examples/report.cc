// The examples in the headers of `report`.
