import ObjectGraph
import StoreSQL
import StoreTestSupport

@testable import SQLiteStore

/// The rules of a delete in their simplest form:
///
/// 1. The roots are deleted, and every existing destination of a cascade relationship of a deleted row.
/// 2. A survivor that is the destination of a nullify relationship of a deleted row loses the reference: its key becomes NULL, with
///    the entity number and the order key beside it, or its list is one shorter. Its version increases by one, however many
///    references it loses.
/// 3. A deny relationship of a deleted row with a surviving destination refuses everything. So does a mandatory key that is lost,
///    and, if counts are checked, a list that becomes too short (an optional one may be empty).
/// 4. Join rows of deleted rows are deleted. Nothing else changes.
struct ReferenceDelete {
    struct RowName: Hashable, Comparable {
        let entity: Int
        let key: Int64

        static func < (a: RowName, b: RowName) -> Bool { (a.entity, a.key) < (b.entity, b.key) }
    }

    let map: StorageMap
    let before: StoreDump
    private var rows: [RowName: StoreDump.Row] = [:]
    /// By hierarchy and key.
    private var names: [RowName: RowName] = [:]
    private var links: [RowName: [[RowName]]] = [:]

    init(_ map: StorageMap, _ before: StoreDump) {
        self.map = map
        self.before = before
        for root in map.model.entities where root.isRoot {
            for row in before[map.entities[root.index].table] {
                guard let key = row[SystemTables.keyColumn]?.key,
                    let number = row[SystemTables.entityColumn]?.key.flatMap({ Int(exactly: $0) }),
                    let entity = map.entityIndexByNumber[number]
                else { continue }
                rows[RowName(entity: entity, key: key)] = row
                names[RowName(entity: root.index, key: key)] = RowName(entity: entity, key: key)
            }
        }
        for name in rows.keys {
            links[name] = map.model[name.entity].relationships.map { destinations(of: name, $0) }
        }
    }

    var all: [RowName] { rows.keys.sorted() }

    // MARK: Links as stored

    private func row(_ key: Int64?, _ entityIndex: Int) -> RowName? {
        key.flatMap { names[RowName(entity: map.model[entityIndex].rootIndex, key: $0)] }
    }

    private func destinations(of name: RowName, _ relationship: EntityRelationship) -> [RowName] {
        let storage = map.entities[name.entity]
        if let slot = relationship.slot, let column = storage.columns[slot] {
            return [row(rows[name]?[column.name]?.key, relationship.destinationIndex)].compactMap { $0 }
        }
        switch storage.toMany[relationship.index] {
        case .foreignKey(let table, let column, _, _, _):
            return before[table].filter { $0[column]?.key == name.key }
                .compactMap { row($0[SystemTables.keyColumn]?.key, relationship.destinationIndex) }
        case .joinTable(let table, let owner, let member, _):
            return before[table].filter { $0[owner]?.key == name.key }
                .compactMap { row($0[member]?.key, relationship.destinationIndex) }
        case nil: return []
        }
    }

    // MARK: The rules

    struct Outcome {
        var deleted: Set<RowName> = []
        var updated: Set<RowName> = []
        /// Entity and relationship, and the number of rows that refuse or lack something.
        var refusals = DeleteRefusals()
        var after: StoreDump
    }

    func delete(_ roots: [RowName], checkingCounts: Bool) -> Outcome {
        var outcome = Outcome(after: before)
        outcome.deleted = closure(of: roots)
        var losses: [RowName: [Int: Set<RowName>]] = [:]
        for name in outcome.deleted {
            for relationship in map.model[name.entity].relationships {
                let staying = (links[name]?[relationship.index] ?? []).filter { !outcome.deleted.contains($0) }
                switch relationship.relationship.deleteRule {
                case .noAction, .cascade: break
                case .deny: outcome.refusals.deny(text(name, relationship), by: staying)
                case .nullify:
                    guard let inverse = relationship.inverseIndex else { break }
                    for survivor in staying { losses[survivor, default: [:]][inverse, default: []].insert(name) }
                }
            }
        }
        outcome.updated = Set(losses.keys)
        for (survivor, lost) in losses {
            for (index, gone) in lost {
                let relationship = map.model[survivor.entity].relationships[index]
                judge(survivor, relationship, losing: gone, checkingCounts, &outcome.refusals)
            }
        }
        write(losses, &outcome)
        return outcome
    }

    private func closure(of roots: [RowName]) -> Set<RowName> {
        var deleted: Set<RowName> = []
        var waiting = roots.filter { rows[$0] != nil }
        while let next = waiting.popLast() {
            guard deleted.insert(next).inserted else { continue }
            for relationship in map.model[next.entity].relationships
            where relationship.relationship.deleteRule == .cascade {
                waiting += links[next]?[relationship.index] ?? []
            }
        }
        return deleted
    }

    private func judge(
        _ survivor: RowName, _ relationship: EntityRelationship, losing gone: Set<RowName>, _ checkingCounts: Bool,
        _ refusals: inout DeleteRefusals
    ) {
        let rule = relationship.relationship
        if relationship.isToOne {
            if !rule.isOptional { refusals.empty(text(survivor, relationship), survivor) }
        } else if checkingCounts {
            let left = (links[survivor]?[relationship.index] ?? []).filter { !gone.contains($0) }.count
            if left < rule.minimumCount, left > 0 || !rule.isOptional {
                refusals.shorten(text(survivor, relationship), survivor)
            }
        }
    }

    private func text(_ name: RowName, _ relationship: EntityRelationship) -> String {
        "\(map.model[name.entity].name).\(relationship.name)"
    }

    // MARK: The rows afterwards

    private func write(_ losses: [RowName: [Int: Set<RowName>]], _ outcome: inout Outcome) {
        for (survivor, lost) in losses {
            change(survivor, &outcome.after) { row in
                for index in lost.keys { clear(map.model[survivor.entity].relationships[index], survivor, &row) }
                row[SystemTables.versionColumn] = .integer((row[SystemTables.versionColumn]?.key ?? 0) + 1)
            }
        }
        for name in outcome.deleted {
            let storage = map.entities[name.entity]
            outcome.after[storage.table].removeAll { $0[SystemTables.keyColumn]?.key == name.key }
            for relationship in map.model[name.entity].relationships {
                guard case .joinTable(let table, let owner, let member, _)? = storage.toMany[relationship.index] else {
                    continue
                }
                let isOwnInverse = map.model.inverse(of: relationship)?.propertyKey == relationship.propertyKey
                outcome.after[table].removeAll {
                    $0[owner]?.key == name.key || (isOwnInverse && $0[member]?.key == name.key)
                }
            }
        }
    }

    private func change(_ name: RowName, _ dump: inout StoreDump, _ edit: (inout StoreDump.Row) -> Void) {
        let table = map.entities[name.entity].table
        guard let place = dump[table].firstIndex(where: { $0[SystemTables.keyColumn]?.key == name.key }) else { return }
        edit(&dump[table][place])
    }

    private func clear(_ relationship: EntityRelationship, _ survivor: RowName, _ row: inout StoreDump.Row) {
        guard let slot = relationship.slot, let column = map.entities[survivor.entity].columns[slot] else { return }
        row[column.name] = .null
        if let number = column.entityNumberColumn { row[number] = .null }
        if let inverse = relationship.inverseIndex,
            case .foreignKey(_, _, _, let order?, _)? =
                map.entities[relationship.destinationIndex].toMany[inverse]
        {
            row[order] = .null
        }
    }
}

/// Reasons of a refused delete: relationships, and the number of rows at fault. Equal for every way of deleting.
struct DeleteRefusals: Equatable {
    /// Deny relationships with surviving destinations. A walk over objects reports them object by object.
    private(set) var denied: Set<String> = []
    /// Mandatory keys, with the rows that lose them.
    private(set) var emptied: [String: Int] = [:]
    /// Lists that become too short.
    private(set) var shortened: [String: Int] = [:]

    var isEmpty: Bool { denied.isEmpty && emptied.isEmpty && shortened.isEmpty }

    init() {}

    mutating func deny(_ name: String, by staying: [ReferenceDelete.RowName]) {
        if !staying.isEmpty { denied.insert(name) }
    }

    mutating func empty(_ name: String, _ row: ReferenceDelete.RowName) { emptied[name, default: 0] += 1 }
    mutating func shorten(_ name: String, _ row: ReferenceDelete.RowName) { shortened[name, default: 0] += 1 }

    init(_ refusals: [DeleteRefusal]) {
        for refusal in refusals {
            switch refusal.reason {
            case .denied: denied.insert(refusal.relationship.description)
            case .mandatory(let inverse, _): emptied[inverse.description, default: 0] += refusal.count
            case .tooFew(let inverse, _): shortened[inverse.description, default: 0] += refusal.count
            }
        }
    }

    init(_ error: ValidationError) {
        switch error {
        case .deniedDelete(let id, let relationship, _, _): denied.insert("\(id.entityName).\(relationship)")
        case .missingValue(let id, let property): emptied["\(id.entityName).\(property)", default: 0] += 1
        case .tooFew(let id, let relationship, _, _), .tooMany(let id, let relationship, _, _):
            shortened["\(id.entityName).\(relationship)", default: 0] += 1
        case .unwritableValue: break
        case .several(let errors):
            for error in errors {
                let other = DeleteRefusals(error)
                denied.formUnion(other.denied)
                emptied.merge(other.emptied, uniquingKeysWith: +)
                shortened.merge(other.shortened, uniquingKeysWith: +)
            }
        }
    }
}

extension Cell {
    /// The number of an integer cell.
    var key: Int64? { if case .integer(let key) = self { key } else { nil } }
}
