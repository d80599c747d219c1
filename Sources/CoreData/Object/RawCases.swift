/// Cases of enums with raw values, for attributes without one of them.
enum RawCases {
    /// The case for zero or for an empty text, else the first one of an enum that lists its cases.
    static func missing<Kind: RawRepresentable>(_ kind: Kind.Type) -> Kind? where Kind.RawValue: ManagedScalar {
        if let kind = Kind(rawValue: Kind.RawValue.missingManagedValue) { return kind }
        return (Kind.self as? any CaseIterable.Type).flatMap { firstCase($0) } as? Kind
    }

    private static func firstCase<Kind: CaseIterable>(_ kind: Kind.Type) -> Any? { Kind.allCases.first }
}
