/// Links set before their owner's object is known, one for each relationship.
///
/// The first is stored inline: most objects have only one, and an array would take memory for each of them.
struct DeferredLinks {
    private var first: DeferredLink?
    private var others: [DeferredLink] = []

    var isEmpty: Bool { first == nil }
    var all: [DeferredLink] { first.map { [$0] + others } ?? [] }

    func forEach(_ body: (DeferredLink) -> Void) {
        if let first { body(first) }
        others.forEach(body)
    }

    /// Replaces the deferred link of the same relationship.
    mutating func set(_ link: DeferredLink) {
        remove(link.relationshipIndex)
        if first == nil { first = link } else { others.append(link) }
    }

    mutating func remove(_ relationshipIndex: Int) {
        if first?.relationshipIndex == relationshipIndex {
            first = others.isEmpty ? nil : others.removeFirst()
        } else {
            others.removeAll { $0.relationshipIndex == relationshipIndex }
        }
    }
}

/// A link set before the owner's object is known.
package struct DeferredLink {
    package let relationshipIndex: Int
    private let first: Graph.Member
    private let others: [Graph.Member]

    /// Creates a link with one destination, the most frequent case.
    package init(relationshipIndex: Int, destination: Graph.Member) {
        self.relationshipIndex = relationshipIndex
        first = destination
        others = []
    }

    /// - Returns: `nil` if there are no destinations.
    package init?(relationshipIndex: Int, destinations: [Graph.Member]) {
        guard let first = destinations.first else { return nil }
        self.relationshipIndex = relationshipIndex
        self.first = first
        others = Array(destinations.dropFirst())
    }

    /// The destinations' records, with the objects that keep them alive.
    package var destinations: [Graph.Member] { [first] + others }

    /// The destination if there is only one.
    var onlyDestination: Graph.Member? { others.isEmpty ? first : nil }
}
