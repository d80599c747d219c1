extension AttributeType {
    /// Whether every value of this type is also a value of the other, so that stored values need no conversion.
    package func widens(to other: AttributeType) -> Bool {
        self == other || (Self.wider[self]?.contains(other) ?? false)
    }

    private static let wider: [AttributeType: Set<AttributeType>] = [
        .boolean: [.integer16, .integer32, .integer64],
        .integer16: [.integer32, .integer64, .decimal, .float, .double],
        .integer32: [.integer64, .decimal, .double],
        .integer64: [.decimal],
        .float: [.double],
        .uri: [.string],
    ]
}
