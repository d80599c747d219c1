extension AttributeType {
    /// Returns a value computed by a batch update in the attribute's type, without fractions for integers; `nil` for one
    /// that it cannot store.
    package func fitting(_ value: Value) -> Value? {
        let whole: Int64? =
            switch value {
            case .integer(let number): number
            case .real(let number): Int64(exactly: number.rounded(.towardZero))
            default: nil
            }
        switch (self, value) {
        case (_, .null): return .null
        case (.integer16, _): return whole.flatMap(Int16.init(exactly:)).map { .integer(Int64($0)) }
        case (.integer32, _): return whole.flatMap(Int32.init(exactly:)).map { .integer(Int64($0)) }
        case (.integer64, _): return whole.map(Value.integer)
        case (.boolean, _): return whole.flatMap { (0...1).contains($0) ? .integer($0) : nil }
        case (.double, .integer(let number)), (.float, .integer(let number)), (.date, .integer(let number)):
            return .real(Double(number))
        case (.double, .real), (.float, .real), (.date, .real), (.decimal, .integer), (.decimal, .real),
            (.decimal, .decimal), (.string, .text), (.uri, .text), (.uuid, .uuid), (.binary, .bytes),
            (.transformable, .bytes):
            return value
        default: return nil
        }
    }
}
