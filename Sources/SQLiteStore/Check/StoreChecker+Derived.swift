import ObjectGraph

extension StoreChecker {
    /// Derived attributes whose stored values can be compared exactly. Excludes the time, changed texts and sums of
    /// reals, which other implementations may compute slightly differently.
    private var comparable: [DerivedColumn] {
        DerivedAttributes(map).columns.filter { column in
            switch column.value.kind {
            case .now, .value(.some): false
            case .value(nil), .count: true
            case .sum: column.isWhole
            }
        }
    }

    private func condition(_ derived: DerivedColumn) -> String {
        "r.\(derived.column) IS NOT \(derived.expression(of: "r"))\(derived.andHasAttribute("r"))"
    }

    /// Finds derived values that differ from their expression.
    var staleValues: [CheckTask] {
        comparable.map { derived in
            CheckTask(derived.table) {
                let question = Question(
                    kind: .staleValue, severity: .warning, entity: derived.entity, property: derived.attribute.name,
                    table: derived.table, condition: condition(derived))
                return try answer(question).map { [$0] } ?? []
            }
        }
    }

    /// Returns the rows with outdated values, by attribute.
    func staleRows() throws -> [(derived: DerivedColumn, rows: [ObjectID])] {
        try comparable.map { ($0, try rows(table: $0.table, where: condition($0), $0.entity)) }
    }
}
