import Synchronization

/// Version numbers of unsaved edits. Child contexts, which use this graph as a store, detect changes by version alone,
/// and an unsaved edit does not change the row version.
extension Graph {
    /// Starts to number edits, because another graph reads from this one.
    package func numberEdits() {
        if edits.numbers == nil { edits.numbers = [:] }
    }

    /// Skips objects with a temporary identity, as no other graph has read them.
    func numberEdit(of record: Record) {
        guard edits.numbers != nil, !record.id.isTemporary else { return }
        edits.numbers?[record.id] = lastEditNumber.wrappingAdd(1, ordering: .relaxed).newValue & Record.largestHalf
    }
}

extension Record {
    /// The version seen by child contexts. Unique for each unsaved edit. Without an edit here, it contains the number
    /// of the edit with which the object was read from a parent graph.
    package var versionBelow: RowVersion {
        let number = graph?.edits.numbers?[id] ?? version >> 32
        return max(1, version) & Self.largestHalf | number << 32
    }

    /// The row version and the number of an edit have one half of the result each.
    static let largestHalf: RowVersion = 1 << 31 - 1
}

/// Shared by all graphs, because one graph may replace another as a parent.
private let lastEditNumber = Atomic<RowVersion>(0)
