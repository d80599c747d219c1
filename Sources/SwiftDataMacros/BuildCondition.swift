/// The condition under which a piece of code is compiled, derived from the surrounding `#if` clauses and the build
/// configuration that the compiler provides.
enum BuildCondition: Equatable {
    case always
    case never
    /// Compiled if a `#if` with this condition is true. The macro cannot evaluate it; the compiler evaluates it in the
    /// expansion.
    case when(String)

    static func && (lhs: Self, rhs: Self) -> Self {
        switch (lhs, rhs) {
        case (.never, _), (_, .never): .never
        case (.always, let other), (let other, .always): other
        case (.when(let left), .when(let right)): .when("(\(left)) && (\(right))")
        }
    }

    static func || (lhs: Self, rhs: Self) -> Self {
        switch (lhs, rhs) {
        case (.always, _), (_, .always): .always
        case (.never, let other), (let other, .never): other
        case (.when(let left), .when(let right)): .when("(\(left)) || (\(right))")
        }
    }

    static prefix func ! (condition: Self) -> Self {
        switch condition {
        case .always: .never
        case .never: .always
        case .when(let text): .when("!(\(text))")
        }
    }
}
