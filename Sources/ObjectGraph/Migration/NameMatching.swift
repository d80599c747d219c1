/// Finds for each name of the newer model the one it had in the older.
///
/// A renaming identifier says what a thing was called before. It may name the older thing itself, or be a name both keep
/// as their identifier through several versions. Those that say so come first; the rest go by their names.
struct NameMatching {
    /// A thing of either model: what it is called, and its renaming identifier where it has one.
    struct Label {
        let name: String
        let identifier: String?

        var canonicalName: String { identifier ?? name }
    }

    /// By position among the newer things: position among the older ones, `nil` for what is new.
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

    /// What nothing newer comes from.
    var unmatched: [Int] { isTaken.indices.filter { !isTaken[$0] } }

    /// - Parameter fits: whether a newer thing, which is first, comes from an older one.
    private mutating func match(_ fits: (Label, Label) -> Bool) {
        for position in newer.indices where origins[position] == nil {
            let found = older.indices.first { !isTaken[$0] && fits(newer[position], older[$0]) }
            guard let found else { continue }
            origins[position] = found
            isTaken[found] = true
        }
    }
}
