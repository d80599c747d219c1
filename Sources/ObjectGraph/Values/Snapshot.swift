/// The values of one row at one row version, in slot order of its entity (`Entity.slots`).
package struct Snapshot: Sendable, Hashable {
    package var id: ObjectID
    package var version: RowVersion
    package var values: SlotValues

    package init(id: ObjectID, version: RowVersion, values: SlotValues) {
        self.id = id
        self.version = version
        self.values = values
    }
}

/// The row's save counter (`Z_OPT`): 1 after the insertion, incremented by every save; 0 before the first. The basis of
/// optimistic locking.
package typealias RowVersion = Int64

extension RowVersion {
    /// The last version with a successor. Only a damaged file reaches it; its rows restart at 1.
    package static let last: RowVersion = .max - 1

    /// Returns the version of a row after its next write. The store's statements compute the same.
    package static func next(after version: RowVersion) -> RowVersion { version >= last ? 1 : version + 1 }
}
