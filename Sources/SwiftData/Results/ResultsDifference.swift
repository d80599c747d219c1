import ObjectGraph

/// The exact difference between two states of live results: of their models, by identifier and position, and of their
/// sections.
///
/// This type is not part of Apple's SwiftData.
public struct ResultsDifference: Sendable, Hashable {
    /// The models that are removed, inserted, moved and updated.
    public internal(set) var elements = ListDifference<PersistentIdentifier>()
    /// The sections, by their titles, that are removed and inserted. Empty for results without sections.
    public internal(set) var sections = ListDifference<String>()
    /// Whether results were fetched again, so that all models that are not listed may have other values.
    public internal(set) var isRefetched = false

    /// Whether there is no difference.
    public var isEmpty: Bool { elements.isEmpty && sections.isEmpty && !isRefetched }

    init() {}

    /// - Parameter differences: One after the other.
    init(_ differences: [LiveDifference]) {
        isRefetched = differences.contains(where: \.isRefetched)
        // Joined in pairs, so that each change is joined a few times only.
        var parts = differences.map { ListDifference($0) }
        while parts.count > 1 {
            parts = stride(from: 0, to: parts.count, by: 2).map { index in
                var part = parts[index]
                if index + 1 < parts.count { part.append(parts[index + 1]) }
                return part
            }
        }
        elements = parts.first ?? elements
    }
}

extension ResultsDifference: MergeableDifference {
    var weight: Int {
        elements.removals.count + elements.insertions.count + elements.updates.count + sections.removals.count
            + sections.insertions.count
    }

    mutating func append(_ later: ResultsDifference) {
        elements.append(later.elements)
        sections.append(later.sections)
        isRefetched = isRefetched || later.isRefetched
    }
}

/// The identifiers of live results, and their sections, as a value that can be passed to other actors.
///
/// This type is not part of Apple's SwiftData.
public struct ResultsIdentifiers: Sendable, Hashable {
    /// A section of the results.
    public struct Section: Sendable, Hashable {
        /// The title.
        public let title: String
        /// The positions of its models in all results.
        public let range: Range<Int>
    }

    /// The identifiers of the models, in the order of the results.
    public let elements: [PersistentIdentifier]
    /// The sections in order; empty for results without sections.
    public let sections: [Section]
}
