import ObjectGraph
import SQLiteStore

/// Compares the rows of one entity in two stores. A comparison by primary key reads both stores in parallel, one page
/// at a time.
package struct RowComparison {
    let old: ComparedSide
    let new: ComparedSide
    private let naming: RowNaming?
    /// Properties that are stored in the row and that both models have.
    private let properties: [String]
    /// Relationships that both models have and whose links are compared apart from the row's values.
    private let linked: [String]
    /// Whether both models store the same values in the same slots, so that equal rows need not be split into
    /// properties.
    private let sharesLayout: Bool
    /// Called at intervals with the number of rows read since the last call; throws to stop.
    package var checkpoint: (Int) throws -> Void = { _ in }

    package enum Difference: Sendable {
        case added(ObjectID, label: String?)
        case removed(ObjectID, label: String?)
        case changed(ObjectID, label: String?, [Change])
    }

    package struct Change: Sendable {
        package let property: String
        package let old: InspectedValue
        package let new: InspectedValue
    }

    package struct Counts: Sendable {
        package private(set) var added = 0
        package private(set) var removed = 0
        package private(set) var changed = 0

        package init() {}

        package var total: Int { added + removed + changed }

        package mutating func add(_ difference: Difference) {
            switch difference {
            case .added: added += 1
            case .removed: removed += 1
            case .changed: changed += 1
            }
        }
    }

    static let pageSize = 500

    /// - Parameter naming: the properties that identify rows; `nil` to match rows by primary key. With a naming, two
    ///   links are equal if their destinations have the same name, or the same values where they have no name.
    /// - Throws: `InspectionError`.
    package init(
        _ name: String, _ oldModel: Model, _ oldReading: StoreReading, _ newModel: Model, _ newReading: StoreReading,
        naming: RowNaming?
    ) throws {
        self.naming = naming
        sharesLayout = oldModel.versionHashes == newModel.versionHashes
        let (left, right) = (
            try ComparedSide(name, oldModel, oldReading, other: newModel),
            try ComparedSide(name, newModel, newReading, other: oldModel)
        )
        (old, new) = (left, right)
        let common = Set(right.entity.propertyNames)
        let attributes = left.entity.attributes.filter { !$0.attribute.isTransient }.map(\.name)
        let relationships = left.entity.relationships.filter { relationship in
            !relationship.relationship.isTransient && common.contains(relationship.name)
        }
        let toOne = relationships.filter(\.isToOne).map(\.name)
        let toMany = relationships.filter { relationship in
            // Rows without a name are compared by content, which does not show that only their reference changed. So
            // the links of their owners are compared.
            left.isLinkOfItsOwn(relationship) || !relationship.isToOne && naming?.names(relationship, oldModel) == false
        }.map(\.name)
        properties = (naming == nil ? attributes + toOne : attributes).filter(common.contains)
        linked = naming == nil ? toMany : toOne + toMany
    }

    /// An estimate of the total number of rows reported to `checkpoint`.
    /// - Throws: `SQLiteError`.
    package var rowsToRead: Int {
        get throws {
            let rows = try old.reading.count(old.rows) + new.reading.count(new.rows)
            return naming == nil ? rows : rows * 2
        }
    }

    /// - Parameters:
    ///   - ambiguous: called if the property that matches rows does not identify all of them.
    ///   - body: throws to stop.
    /// - Throws: `SQLiteError`, and errors of the closures and `checkpoint`.
    package func forEachDifference(
        ambiguous: (RowNames.Ambiguity) -> Void = { _ in }, _ body: (Difference) throws -> Void
    ) throws {
        guard let naming else { return try compareByKey(body) }
        guard let property = naming.property(of: old.entity, in: old.model) else {
            return try compareByContent(naming, body)
        }
        let names = try RowNames(property, old, new, checkpoint)
        if let ambiguity = names.ambiguity { ambiguous(ambiguity) }
        try compare(by: names, body)
        guard names.ambiguity != nil else { return }
        try compareByContent(naming, of: { !names.isUniqueOnBothSides($0, $1) }, body)
    }

    // MARK: By primary key

    private func compareByKey(_ body: (Difference) throws -> Void) throws {
        var start: Int64?
        repeat {
            start = try old.reading.droppingMarks {
                try new.reading.droppingMarks { try comparePage(after: start, body) }
            }
        } while start != nil
    }

    /// - Returns: the last key that was compared; `nil` at the end of both stores.
    private func comparePage(after start: Int64?, _ body: (Difference) throws -> Void) throws -> Int64? {
        let left = try old.reading.rows(ofEntity: old.entity.index, after: start, limit: Self.pageSize)
        let right = try new.reading.rows(ofEntity: new.entity.index, after: start, limit: Self.pageSize)
        try checkpoint(left.count + right.count)
        // Both pages are complete up to this key.
        let end = [left, right].filter { $0.count == Self.pageSize }.compactMap { $0.last?.id.key }.min()
        try compare(left.filter { $0.id.key <= end ?? .max }, right.filter { $0.id.key <= end ?? .max }, body)
        return end
    }

    private func compare(_ left: [Snapshot], _ right: [Snapshot], _ body: (Difference) throws -> Void) throws {
        var rightByKey = Dictionary(right.map { ($0.id.key, $0) }, uniquingKeysWith: { first, _ in first })
        try report(left.map { ($0, rightByKey.removeValue(forKey: $0.id.key)) }, body)
        try report(added: right.filter { rightByKey[$0.id.key] != nil }, body)
    }

    // MARK: Differences

    /// - Parameter pairs: rows of the old store, each with its counterpart in the new store, if there is one.
    func report(_ pairs: [(before: Snapshot, after: Snapshot?)], _ body: (Difference) throws -> Void) throws {
        let links = try linkChanges(pairs.compactMap { pair in pair.after.map { (pair.before, $0) } })
        let changes = pairs.map { before, after in
            after.map { self.changes(before, $0, links[before.id.key] ?? []) } ?? []
        }
        let oldLabels = try old.labels.labels(of: pairs.filter { $0.after == nil }.map(\.before))
        let newLabels = try new.labels.labels(of: zip(pairs, changes).compactMap { $1.isEmpty ? nil : $0.after })
        for ((before, after), changes) in zip(pairs, changes) {
            if let after {
                if !changes.isEmpty { try body(.changed(after.id, label: newLabels[after.id], changes)) }
            } else {
                try body(.removed(before.id, label: oldLabels[before.id]))
            }
        }
    }

    func report(added rows: [Snapshot], _ body: (Difference) throws -> Void) throws {
        let labels = try new.labels.labels(of: rows)
        for row in rows { try body(.added(row.id, label: labels[row.id])) }
    }

    private func changes(_ before: Snapshot, _ after: Snapshot, _ links: [Change]) -> [Change] {
        if sharesLayout, links.isEmpty, old.isWhole(before), new.isWhole(after), before.values.isExactly(after.values) {
            return []
        }
        let changes = properties.compactMap { property -> Change? in
            guard let was = old.rendering.value(property, of: before),
                let now = new.rendering.value(property, of: after),
                !was.isExactly(now)
            else { return nil }
            return Change(property: property, old: was, new: now)
        }
        return changes + links
    }

    // MARK: Links

    /// Changed links, by the primary key of the old row.
    private func linkChanges(_ pairs: [(Snapshot, Snapshot)]) throws -> [Int64: [Change]] {
        var changes: [Int64: [Change]] = [:]
        for property in linked {
            let isToOne = old.entity.relationship(named: property)?.isToOne ?? false
            let nothing: InspectedValue = isToOne ? .none : .list([])
            var parts = LinkedParts()
            try parts.forEachPart(of: pairs) { pairs in
                try checkpoint(0)
                let before = try links(property, of: pairs.map(\.0), old)
                let after = try links(property, of: pairs.map(\.1), new)
                for (was, now) in pairs {
                    let (one, other) = (before[was.id] ?? nothing, after[now.id] ?? nothing)
                    guard one != other else { continue }
                    changes[was.id.key, default: []].append(Change(property: property, old: one, new: other))
                }
                return [before, after].joined().reduce(0) { $0 + ($1.value.listValue?.count ?? 1) }
            }
        }
        return changes
    }

    /// The destinations of the relationship: by address, by name or by values.
    private func links(_ name: String, of rows: [Snapshot], _ side: ComparedSide) throws -> [ObjectID: InspectedValue] {
        guard let relationship = side.entity.relationship(named: name) else { return [:] }
        let members = try side.members(relationship, of: rows)
        guard let naming else { return members.mapValues { .texts($0.map(\.address)) } }
        let names = try LinkNaming(naming: naming, side: side, inverse: relationship.relationship.inverseName)
            .names(of: Set(members.values.joined()))
        return members.mapValues { ids in
            let found = ids.map { names[$0] ?? .text($0.address) }
            if relationship.isToOne { return found.first ?? InspectedValue.none }
            // An unordered relationship is sorted, as the order of primary keys has no meaning.
            return .list(relationship.relationship.isOrdered ? found : Self.sorted(found))
        }
    }

    private static func sorted(_ values: [InspectedValue]) -> [InspectedValue] {
        values.map { (text: $0.cellText, value: $0) }.sorted { $0.text < $1.text }.map(\.value)
    }

    // MARK: By a property

    private func compare(by names: RowNames, _ body: (Difference) throws -> Void) throws {
        try old.reading.forEachPage(of: old.rows, size: Self.pageSize) { page in
            try checkpoint(page.count)
            let page = page.filter { names.isUniqueOnBothSides($0, old) }
            let targets = page.map { names.match(of: $0, old) }
            let rows = Dictionary(
                try new.reading.snapshots(of: targets.compactMap { $0 }).map { ($0.id, $0) },
                uniquingKeysWith: { first, _ in first })
            try report(zip(page, targets).map { row, target in (row, target.flatMap { rows[$0] }) }, body)
        }
        try new.reading.forEachPage(of: new.rows, size: Self.pageSize) { page in
            try checkpoint(page.count)
            try report(added: page.filter { names.isUniqueOnBothSides($0, new) && !names.isInBoth($0, new) }, body)
        }
    }
}
