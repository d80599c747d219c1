import ObjectGraph
import SQLiteStore

/// Compares the rows of one entity in two stores. By key, both sides are read side by side, a page at a time.
package struct RowComparison {
    private let old: Side
    private let new: Side
    private let name: String
    private let by: String?
    /// Properties that both models have.
    private let properties: [String]
    /// Whether rows of both have the same values in the same slots, so that equal rows need not be taken apart.
    private let sharesLayout: Bool

    private struct Side {
        let model: Model
        let entity: Entity
        let reading: StoreReading
        let rendering: RowRendering

        init(_ name: String, _ model: Model, _ reading: StoreReading) throws {
            self.model = model
            entity = try model.inspectedEntity(name)
            self.reading = reading
            rendering = RowRendering(model, .exact)
        }

        /// To-many relationships that no key at the other end tells, or not all of: not their order.
        func linked(_ name: String) -> EntityRelationship? {
            guard let relationship = entity.relationship(named: name), !relationship.isToOne,
                relationship.relationship.isOrdered || !(model.inverse(of: relationship)?.isToOne ?? false)
            else { return nil }
            return relationship
        }
    }

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

    private static let pageSize = 500

    /// - Parameter by: an attribute that tells rows apart; `nil` for their keys. Links are not compared then, as keys mean
    ///   nothing.
    /// - Throws: `InspectionError`.
    package init(
        _ name: String, _ oldModel: Model, _ oldReading: StoreReading, _ newModel: Model, _ newReading: StoreReading,
        by: String?
    ) throws {
        self.name = name
        self.by = by
        sharesLayout = oldModel.versionHashes == newModel.versionHashes
        old = try Side(name, oldModel, oldReading)
        new = try Side(name, newModel, newReading)
        let (left, right) = (old, new)
        var names = left.entity.attributes.filter { !$0.attribute.isTransient }.map(\.name)
        if by == nil {
            names += left.entity.relationships.filter { $0.isToOne || left.linked($0.name) != nil }.map(\.name)
        }
        properties = names.filter { right.entity.propertyNames.contains($0) }
        if let by, left.entity.attribute(named: by) == nil || right.entity.attribute(named: by) == nil {
            throw InspectionError.unknownProperty(entity: name, property: by, known: left.entity.attributes.map(\.name))
        }
    }

    /// - Parameter body: throws to stop.
    package func forEachDifference(_ body: (Difference) throws -> Void) throws {
        if let by { try compare(by: by, body) } else { try compareByKey(body) }
    }

    // MARK: By key

    private func compareByKey(_ body: (Difference) throws -> Void) throws {
        var start: Int64?
        while true {
            let left = try old.reading.rows(ofEntity: old.entity.index, after: start, limit: Self.pageSize)
            let right = try new.reading.rows(ofEntity: new.entity.index, after: start, limit: Self.pageSize)
            // Up to where both pages reach everything is known.
            let ends = [left, right].filter { $0.count == Self.pageSize }.compactMap { $0.last?.id.key }
            let end = ends.min() ?? .max
            try compare(left.filter { $0.id.key <= end }, right.filter { $0.id.key <= end }, body)
            guard !ends.isEmpty else { return }
            start = end
        }
    }

    private func compare(_ left: [Snapshot], _ right: [Snapshot], _ body: (Difference) throws -> Void) throws {
        var rightByKey = Dictionary(right.map { ($0.id.key, $0) }, uniquingKeysWith: { first, _ in first })
        let pairs = left.map { ($0, rightByKey.removeValue(forKey: $0.id.key)) }
        let links = try linkChanges(pairs.compactMap { pair in pair.1.map { (pair.0, $0) } })
        for (before, after) in pairs {
            guard let after else {
                try body(.removed(before.id, label: RowLabel.text(of: before, in: old.model)))
                continue
            }
            try tell(before, after, links[before.id.key] ?? [], body)
        }
        for row in right where rightByKey[row.id.key] != nil {
            try body(.added(row.id, label: RowLabel.text(of: row, in: new.model)))
        }
    }

    private func tell(
        _ before: Snapshot, _ after: Snapshot, _ links: [Change], _ body: (Difference) throws -> Void
    ) throws {
        if sharesLayout, links.isEmpty, before.values.isExactly(after.values) { return }
        let changes = properties.compactMap { property -> Change? in
            guard let was = old.rendering.value(property, of: before),
                let now = new.rendering.value(property, of: after),
                !was.isExactly(now)
            else { return nil }
            return Change(property: property, old: was, new: now)
        }
        guard !changes.isEmpty || !links.isEmpty else { return }
        try body(.changed(after.id, label: RowLabel.text(of: after, in: new.model), changes + links))
    }

    private func linkChanges(_ pairs: [(Snapshot, Snapshot)]) throws -> [Int64: [Change]] {
        var changes: [Int64: [Change]] = [:]
        for property in properties {
            guard let left = old.linked(property), let right = new.linked(property) else { continue }
            let before = try old.reading.members(of: left, entityIndex: old.entity.index, owners: pairs.map(\.0.id))
            let after = try new.reading.members(of: right, entityIndex: new.entity.index, owners: pairs.map(\.1.id))
            for (was, now) in pairs {
                let (one, other) = ((before[was.id] ?? []).map(\.address), (after[now.id] ?? []).map(\.address))
                guard one != other else { continue }
                changes[was.id.key, default: []].append(
                    Change(property: property, old: .texts(one), new: .texts(other)))
            }
        }
        return changes
    }

    // MARK: By a property

    private func compare(by property: String, _ body: (Difference) throws -> Void) throws {
        var wanted: [InspectedValue: ObjectID] = [:]
        try forEachRow(of: new) { row in
            if let value = new.rendering.value(property, of: row), wanted[value] == nil { wanted[value] = row.id }
        }
        var matched: Set<ObjectID> = []
        try old.reading.forEachPage(of: query(old), size: Self.pageSize) { page in
            let targets = page.map { row in old.rendering.value(property, of: row).flatMap { wanted[$0] } }
            let rows = Dictionary(
                try new.reading.snapshots(of: targets.compactMap { $0 }).map { ($0.id, $0) },
                uniquingKeysWith: { first, _ in first })
            for (row, target) in zip(page, targets) {
                guard let target, let found = rows[target], matched.insert(target).inserted else {
                    try body(.removed(row.id, label: RowLabel.text(of: row, in: old.model)))
                    continue
                }
                try tell(row, found, [], body)
            }
        }
        try forEachRow(of: new) { row in
            if !matched.contains(row.id) { try body(.added(row.id, label: RowLabel.text(of: row, in: new.model))) }
        }
    }

    private func query(_ side: Side) -> Query {
        var query = Query(entityIndex: side.entity.index)
        query.includesSubentities = false
        return query
    }

    private func forEachRow(of side: Side, _ body: (Snapshot) throws -> Void) throws {
        try side.reading.forEachPage(of: query(side), size: Self.pageSize) { try $0.forEach(body) }
    }
}
