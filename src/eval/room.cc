// Filled soon.
namespace sfumato {}
