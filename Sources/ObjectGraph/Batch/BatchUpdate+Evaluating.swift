extension QueryEvaluator {
    /// Returns the value that an assignment of a batch update gives an object of an entity.
    /// - Throws: `UntranslatableExpression` for an expression that reads other objects; `UnfitValue` for a computed value
    ///   that the attribute cannot store, or that overflows 64 bits.
    package func value(of assignment: BatchUpdate.Assignment, root: Object, _ entity: Entity) throws -> Value {
        if case .literal(let value) = assignment.value { return value }
        guard !assignment.value.readsOtherObjects else {
            throw UntranslatableExpression("a property of another object in the values of a batch update")
        }
        let value = try value(assignment.value, root: root)
        guard entity.slots.indices.contains(assignment.slot),
            case .attribute(_, let leaf) = entity.slots[assignment.slot], let fitting = leaf.type.fitting(value),
            try !(assignment.value.overflow.map { try test($0, root: root) } ?? false)
        else {
            throw UnfitValue(entity: entity.name, properties: [entity.propertyName(ofSlot: assignment.slot)])
        }
        return fitting
    }
}

extension AttributeType {
    /// Returns the value in the attribute's type, without fractions for integers; `nil` for one that it cannot store.
    fileprivate func fitting(_ value: Value) -> Value? {
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
