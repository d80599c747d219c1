/// Links made before their owner's object was known, one for each relationship.
///
/// The first has a place of its own: few objects have more, and a list would take memory for each of them.
struct DeferredLinks {
    private var first: DeferredLink?
    private var others: [DeferredLink] = []

    var isEmpty: Bool { first == nil }
    var all: [DeferredLink] { first.map { [$0] + others } ?? [] }

    func forEach(_ body: (DeferredLink) -> Void) {
        if let first { body(first) }
        others.forEach(body)
    }

    /// In place of what the relationship had.
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

/// A link asked for before the owner's object was known.
package struct DeferredLink {
    package let relationshipIndex: Int
    private let first: Graph.Member
    private let others: [Graph.Member]

    /// A link with one destination, as most are.
    package init(relationshipIndex: Int, destination: Graph.Member) {
        self.relationshipIndex = relationshipIndex
        first = destination
        others = []
    }

    /// - Returns: `nil` for a link that leads nowhere.
    package init?(relationshipIndex: Int, destinations: [Graph.Member]) {
        guard let first = destinations.first else { return nil }
        self.relationshipIndex = relationshipIndex
        self.first = first
        others = Array(destinations.dropFirst())
    }

    /// The destinations' records, with the objects that keep them alive.
    package var destinations: [Graph.Member] { [first] + others }

    /// The destination, if there is but one.
    var onlyDestination: Graph.Member? { others.isEmpty ? first : nil }
}
