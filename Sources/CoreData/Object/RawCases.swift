/// Substitute cases of enums with raw values, for attributes whose value is missing or unknown.
enum RawCases {
    /// The case for zero or for an empty text; else the first case of a `CaseIterable` enum; else, for integers, the smallest
    /// case from 1 to 32,767, or the largest below zero.
    static func missing<Kind: RawRepresentable>(_ kind: Kind.Type) -> Kind? where Kind.RawValue: ManagedScalar {
        if let kind = Kind(rawValue: Kind.RawValue.missingManagedValue) { return kind }
        if let listed = Kind.self as? any CaseIterable.Type { return firstCase(listed) as? Kind }
        guard let integers = Kind.RawValue.self as? any FixedWidthInteger.Type else { return nil }
        return firstCase(of: kind, integers)
    }

    private static func firstCase<Kind: CaseIterable>(_ kind: Kind.Type) -> Any? { Kind.allCases.first }

    private static func firstCase<Kind: RawRepresentable, Integer: FixedWidthInteger>(
        of kind: Kind.Type, _ integers: Integer.Type
    ) -> Kind? {
        let limit = Int(Int16.max)
        let candidates = [Array(1...limit), Array((-limit - 1)...(-1)).reversed()].joined()
        return candidates.lazy.compactMap { Integer(exactly: $0) as? Kind.RawValue }.compactMap(Kind.init(rawValue:))
            .first
    }
}
