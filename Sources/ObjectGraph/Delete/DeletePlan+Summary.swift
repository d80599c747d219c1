/// A summary of a plan for display.
extension DeletePlan {
    /// The deleted rows of one entity, on all paths.
    package struct Group: Sendable, Hashable {
        package let entity: String
        package let count: Int
        /// At most five of the rows.
        package let examples: [ObjectID]
    }

    /// The deleted rows by entity, in the order in which the rules reached them.
    package var groups: [Group] {
        var names: [String] = []
        for reach in reaches where !names.contains(reach.entity) { names.append(reach.entity) }
        let spaces = Dictionary(grouping: deleted.keysBySpace) { $0.key.entityName }
        return names.compactMap { name in
            guard let own = spaces[name]?.sorted(by: { $0.key.number < $1.key.number }) else { return nil }
            let examples = own.lazy.flatMap { Self.examples($0.value, $0.key) }.prefix(Self.exampleCount)
            return Group(
                entity: name, count: own.reduce(0) { $0 + $1.value.count }, examples: Array(examples))
        }
    }

    /// Returns one line for each effect of the plan.
    /// - Parameter noun: The displayed word for an object.
    package func summary(of noun: String) -> String {
        if isEmpty { return "Nothing would be deleted." }
        let count = deleted.count
        var lines = ["\(count.grouped) \(noun)\(count == 1 ? "" : "s") would be deleted:"]
        for reach in reaches {
            lines.append("  \(reach.count.grouped) \(reach.entity)" + (reach.via.map { " through \($0)" } ?? ""))
        }
        for link in cleared {
            lines.append(
                "  \(link.name) of \(link.keys.count.grouped) \(link.kind == .toOne ? "becomes nil" : "loses members")")
        }
        for link in removedJoinRows { lines.append("  \(link.count.grouped) links of \(link.name) go") }
        for refusal in refusals { lines.append("  Not possible: \(refusal)") }
        return lines.joined(separator: "\n")
    }

    fileprivate static let exampleCount = 5

    fileprivate static func examples(_ keys: KeySet, _ space: IDSpace) -> [ObjectID] {
        keys.prefix(exampleCount).keys.map { ObjectID(space: space, key: $0) }
    }
}

extension NullifiedLink {
    /// At most five of the survivors.
    package var examples: [ObjectID] { DeletePlan.examples(keys, space) }
}

extension DeletePlan {
    /// The entities, relationships and numbers of rows, in the order in which they were found; the removed links if no
    /// row is deleted.
    package var summary: String {
        if deleted.isEmpty {
            return cleared.map { "\($0.keys.count) \($0.space.entityName) without \($0.name)" }.joined(separator: ", ")
        }
        return reaches.map { reach in
            let via = reach.via.map { " by \($0)" } ?? ""
            return "\(reach.count.grouped) \(reach.entity)\(via)"
        }.joined(separator: ", ")
    }
}
