/// When a piece of code is compiled: what is around it in the source decides, and what the compiler tells of the build.
enum BuildCondition: Equatable {
    case always
    case never
    /// When a `#if` with this text lets it. The macro cannot tell; the compiler that reads the expansion can.
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
