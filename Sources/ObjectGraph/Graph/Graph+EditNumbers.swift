import Synchronization

/// Unsaved edits as versions. Those who read from this graph as from a store know what they have read by its version alone,
/// which an unsaved edit does not change.
extension Graph {
    /// From now on edits are numbered: there is somebody who reads from this graph.
    package func numberEdits() {
        if edits.numbers == nil { edits.numbers = [:] }
    }

    /// Objects with a temporary identity have been read by nobody.
    func numberEdit(of record: Record) {
        guard edits.numbers != nil, !record.id.isTemporary else { return }
        edits.numbers?[record.id] = lastEditNumber.wrappingAdd(1, ordering: .relaxed).newValue & Record.largestHalf
    }
}

extension Record {
    /// The version as those see it who read from this record's graph: another one after each edit, and never one twice.
    /// What was not edited here has the number of the edit that it was read with, from a graph above.
    package var versionBelow: RowVersion {
        let number = graph?.edits.numbers?[id] ?? version >> 32
        return max(1, version) & Self.largestHalf | number << 32
    }

    /// A version and the number of an edit share one number.
    static let largestHalf: RowVersion = 1 << 31 - 1
}

/// One for all graphs, as one may take another's place.
private let lastEditNumber = Atomic<RowVersion>(0)
