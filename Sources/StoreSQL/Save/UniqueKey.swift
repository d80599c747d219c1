import ObjectGraph

/// The values of one constraint's columns in one row; null if a composite lacks a part.
package struct UniqueKey: Hashable {
    package let entityIndex: Int
    package let uniqueness: Uniqueness
    package let values: [Value]
}

extension WritePlan {
    /// Returns the keys by which a row may match another one, for the constraints that apply to it.
    /// - Parameter resolved: Returns the value that is written for a given value.
    package func uniqueKeys(
        of row: SlotValues, _ constraints: [Uniqueness], resolved: (Value) -> Value
    ) -> [UniqueKey] {
        constraints.compactMap { uniqueness in
            values(of: uniqueness) { resolved(row[$0]) }
                .map { UniqueKey(entityIndex: entity.index, uniqueness: uniqueness, values: $0) }
        }
    }
}
