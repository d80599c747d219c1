/// Matches each name of the newer model with one of the older model.
///
/// A renaming identifier gives the former name of an entity or property. It may be the older name itself, or an
/// identifier that both keep through several versions. Renaming identifiers are matched first, then names.
struct NameMatching {
    /// The name of an entity or property in either model, and its renaming identifier, if any.
    struct Label {
        let name: String
        let identifier: String?

        var canonicalName: String { identifier ?? name }
    }

    /// By position in the newer model: the position in the older one, `nil` for new ones.
    private(set) var origins: [Int?]
    private let older: [Label]
    private let newer: [Label]
    private var isTaken: [Bool]

    init(older: [Label], newer: [Label]) {
        self.older = older
        self.newer = newer
        origins = Array(repeating: nil, count: newer.count)
        isTaken = Array(repeating: false, count: older.count)
        match { $0.identifier != nil && $0.name == $1.name && $0.canonicalName == $1.canonicalName }
        match { $0.identifier == $1.name }
        match { $0.identifier == $1.canonicalName }
        match { $0.name == $1.name }
        match { $0.name == $1.canonicalName }
    }

    /// Positions in the older model without a match.
    var unmatched: [Int] { isTaken.indices.filter { !isTaken[$0] } }

    /// - Parameter fits: Whether a newer label, the first argument, matches an older one.
    private mutating func match(_ fits: (Label, Label) -> Bool) {
        for position in newer.indices where origins[position] == nil {
            let found = older.indices.first { !isTaken[$0] && fits(newer[position], older[$0]) }
            guard let found else { continue }
            origins[position] = found
            isTaken[found] = true
        }
    }
}
