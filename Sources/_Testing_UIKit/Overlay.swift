// The compiler looks for this module wherever `Testing` and `UIKit` are both imported. Elsewhere it attaches pictures of UIKit to tests; here
// there are none, and it is empty.
