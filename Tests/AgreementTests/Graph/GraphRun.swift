import ObjectGraph
import StoreSQL
import TestSupport
import Testing

@testable import SQLiteStore

/// A graph, its reference, and a second graph that merges every save: one random run of all three.
final class GraphRun {
    let schema: RandomSchema
    /// The same rows in a file's layout and in memory: each step checks that both agree.
    private let pair: StorePair
    var store: SQLiteStore { pair.sqlite }
    private let face = TestFace()
    private let graph: Graph
    private let other: Graph
    private var reference: ReferenceGraph
    private var records: [Int: Record] = [:]
    /// Objects stay as long as the run, as a user's would.
    private var objects: [Int: AnyObject] = [:]
    private var lastNumber = 0
    private(set) var log: [String] = []
    private(set) var saves = 0
    private(set) var refusals = 0
    /// The errors of refused saves.
    let met = MetErrors()

    init(_ random: inout SeededGenerator) throws {
        schema = try RandomSchema(&random)
        pair = try StorePair(schema.model)
        graph = Graph(model: schema.model, store: pair, face: face)
        other = Graph(model: schema.model, store: pair, face: face)
        reference = ReferenceGraph(model: schema.model)
    }

    // MARK: Steps

    func step(_ random: inout SeededGenerator) throws {
        switch random.roll(20) {
        case 0..<5: insert(&random)
        case 5..<9: link(&random)
        case 9: addMember(&random)
        case 10: removeMember(&random)
        case 11: edit(&random)
        case 12..<15: delete(&random)
        case 15: random.chance(50) ? reinsert(&random) : linkDeleted(&random)
        case 16: rollback()
        default: try save(&random)
        }
        try check()
    }

    private func insert(_ random: inout SeededGenerator) {
        guard let entity = random.pick(schema.model.entities) else { return }
        lastNumber += 1
        let number = lastNumber
        let member = newMember(entity)
        let value = Value.integer(Int64(random.roll(1000)))
        member.record.initializeValue(value, at: 0)
        records[number] = member.record
        objects[number] = member.object
        reference.insert(number, entity, number: value)
        note("insert \(number): \(entity.name)")
        graph.insert(member)
        for relationship in entity.relationships where !relationship.relationship.isOptional || random.chance(20) {
            relink(number, relationship, &random)
        }
    }

    private func link(_ random: inout SeededGenerator) {
        guard let number = random.pick(reference.live), let entity = reference.entity(number),
            let relationship = random.pick(entity.relationships)
        else { return }
        relink(number, relationship, &random)
    }

    private func relink(_ number: Int, _ relationship: EntityRelationship, _ random: inout SeededGenerator) {
        let candidates = candidates(for: relationship)
        let current = reference.visible(number, relationship)
        let keepsOne = random.chance(relationship.relationship.isOptional ? 80 : 97)
        var wanted: [Int]
        if relationship.isToOne {
            wanted = keepsOne ? random.pick(candidates).map { [$0] } ?? [] : []
        } else {
            switch random.roll(4) {
            case 0: wanted = random.some(candidates, atMost: 4)
            case 1: wanted = current.filter { _ in random.chance(60) }
            case 2: wanted = current.shuffled(using: &random)
            default: wanted = current + candidates.shuffled(using: &random).prefix(1).filter { !current.contains($0) }
            }
        }
        set(number, relationship, wanted)
    }

    private func set(_ number: Int, _ relationship: EntityRelationship, _ wanted: [Int]) {
        // The key of a to-many relationship without inverse is on the member; a graph does not know other owners.
        if !relationship.isToOne, relationship.relationship.inverseName == nil {
            for owner in reference.current.objects.keys.sorted() where owner != number {
                let end = ReferenceGraph.End(object: owner, relationship: relationship.name)
                guard let members = reference.current.ends[end], members.contains(where: wanted.contains) else {
                    continue
                }
                if !reference.isLive(owner) { return }
                apply(owner, relationship, members.filter { !wanted.contains($0) && reference.isLive($0) })
            }
        }
        apply(number, relationship, wanted)
    }

    private func apply(_ number: Int, _ relationship: EntityRelationship, _ wanted: [Int]) {
        guard let record = records[number] else { return }
        note("\(number).\(relationship.name) = \(wanted)")
        Graph.link(graph.member(record), relationship, to: wanted.compactMap { records[$0] }.map(graph.member))
        reference.set(number, relationship, to: wanted)
    }

    /// One member alone, whether it is one already or not.
    private func addMember(_ random: inout SeededGenerator) {
        guard let (owner, relationship, member) = pickMember(&random) else { return }
        let current = reference.visible(owner, relationship)
        if current.contains(member) { return addOne(owner, relationship, member) }
        if relationship.relationship.inverseName == nil { return set(owner, relationship, current + [member]) }
        addOne(owner, relationship, member)
        reference.add(owner, relationship, member)
    }

    private func addOne(_ owner: Int, _ relationship: EntityRelationship, _ member: Int) {
        guard let (record, other) = pair(owner, member) else { return }
        note("\(owner).\(relationship.name) gains \(member)")
        graph.add(other, to: relationship, of: record)
    }

    private func removeMember(_ random: inout SeededGenerator) {
        guard let (owner, relationship, member) = pickMember(&random), let (record, other) = pair(owner, member) else {
            return
        }
        note("\(owner).\(relationship.name) loses \(member)")
        graph.remove(other, from: relationship, of: record)
        reference.remove(owner, relationship, member)
    }

    private func pair(_ one: Int, _ other: Int) -> (Record, Record)? {
        records[one].flatMap { record in records[other].map { (record, $0) } }
    }

    /// An owner, one of its lists, and a possible member.
    private func pickMember(_ random: inout SeededGenerator) -> (Int, EntityRelationship, Int)? {
        guard let owner = random.pick(reference.live), let entity = reference.entity(owner),
            let relationship = random.pick(entity.relationships.filter { !$0.isToOne }),
            let member = random.pick(candidates(for: relationship))
        else { return nil }
        return (owner, relationship, member)
    }

    private func candidates(for relationship: EntityRelationship) -> [Int] {
        reference.live.filter { candidate in
            reference.entity(candidate).map { schema.model.isKind($0.index, of: relationship.destinationIndex) }
                ?? false
        }
    }

    /// Tries to link objects pending deletion, which has no effect.
    private func linkDeleted(_ random: inout SeededGenerator) {
        let deleted = reference.current.objects.filter { $0.value.isDeleted }.keys.sorted()
        guard let gone = random.pick(deleted), let record = records[gone],
            let number = random.pick(reference.live), let owner = records[number],
            let relationship = random.pick(owner.entity.relationships)
        else { return }
        let isDestination = schema.model.isKind(record.entity.index, of: relationship.destinationIndex)
        let current = reference.visible(number, relationship)
        if isDestination, relationship.relationship.inverseName != nil {
            note("\(number).\(relationship.name) = \(current) and the deleted \(gone)")
            let wanted = (relationship.isToOne ? [gone] : current + [gone]).compactMap { records[$0] }
            Graph.link(graph.member(owner), relationship, to: wanted.map(graph.member))
            reference.set(number, relationship, to: relationship.isToOne ? [] : current)
        }
        for relationship in record.entity.relationships {
            Graph.link(graph.member(record), relationship, to: [])
        }
    }

    private func edit(_ random: inout SeededGenerator) {
        guard let number = random.pick(reference.live), let record = records[number] else { return }
        let value = Value.integer(Int64(random.roll(1000)))
        note("\(number).number = \(value)")
        record.setValue(value, at: 0)
        reference.current.objects[number]?.number = value
    }

    private func delete(_ random: inout SeededGenerator) {
        let roots = random.some(reference.live, atMost: 2)
        note("delete \(roots)")
        graph.deleteAll(roots.compactMap { records[$0] })
        reference.delete(roots)
    }

    private func reinsert(_ random: inout SeededGenerator) {
        let deleted = reference.current.objects.filter { $0.value.isDeleted }.keys.sorted()
        guard let number = random.pick(deleted), let record = records[number] else { return }
        note("take back \(number)")
        graph.insert(graph.member(record))
        reference.reinsert(number)
    }

    private func rollback() {
        note("rollback")
        graph.rollback()
        reference.rollback()
    }

    private func save(_ random: inout SeededGenerator) throws {
        let obstacles = reference.obstacles()
        note("save\(obstacles.isEmpty ? "" : ", which is refused: \(obstacles)")")
        do {
            let saved = try graph.save()
            try expect(obstacles.isEmpty, "a save that had to be refused was done: \(obstacles)")
            reference.save()
            saves += 1
            other.inbox.post(saved)
            try checkSaved()
        } catch let error as ValidationError {
            refusals += 1
            met.note(error)
            try expect(self.obstacles(error) == obstacles, "expected \(obstacles), not \(error)")
            try checkStore()
            if random.chance(70) { rollback() }
        }
    }

    private func obstacles(_ error: ValidationError) -> ReferenceGraph.Obstacles {
        var found = ReferenceGraph.Obstacles()
        let numbers = numbersByID()
        func collect(_ error: ValidationError) {
            switch error {
            case .deniedDelete(let id, let relationship, _, _):
                found.denied.insert(.init(object: numbers[id] ?? -1, relationship: relationship))
            case .missingValue(let id, let property):
                found.missing.insert(.init(object: numbers[id] ?? -1, relationship: property))
            case .tooFew(let id, let relationship, _, _):
                found.short.insert(.init(object: numbers[id] ?? -1, relationship: relationship))
            case .tooMany(let id, let relationship, _, _):
                found.long.insert(.init(object: numbers[id] ?? -1, relationship: relationship))
            case .unwritableValue: break
            case .several(let errors): errors.forEach(collect)
            }
        }
        collect(error)
        return found
    }

    // MARK: Checks

    private func note(_ text: String) { log.append(text) }

    private func expect(_ condition: Bool, _ text: @autoclosure () -> String) throws {
        if !condition { throw Difference(text: text()) }
    }

    private func numbersByID() -> [ObjectID: Int] {
        Dictionary(records.map { ($0.value.id, $0.key) }, uniquingKeysWith: { first, _ in first })
    }

    private func check() throws {
        try graph.checkInvariants()
        try compare(graph, reference.current, "the graph")
        try expect(face.reports.isEmpty, "reported: \(face.reports)")
    }

    /// Compares the stored rows, read by a new graph, and by the one that merged every save.
    private func checkSaved() throws {
        try checkStore()
        other.mergeWaitingChanges()
        try other.checkInvariants()
        try compare(other, reference.saved, "the graph that merged")
        for (number, record) in records where reference.isLive(number) {
            for relationship in record.entity.relationships where !relationship.isToOne {
                guard let row = other.record(for: record.id) else { continue }
                let (mine, stored) = (live(graph, record, relationship), live(other, row, relationship))
                // Even a list without inverse must not contain objects whose rows are deleted.
                let all = graph.members(of: record, relationship).map(\.id)
                try expect(
                    all == mine, "\(number).\(relationship.name) has the deleted \(all.filter { !mine.contains($0) })")
                try expect(mine == stored, "order of \(number).\(relationship.name): \(mine), stored \(stored)")
            }
        }
    }

    private func live(_ graph: Graph, _ record: Record, _ relationship: EntityRelationship) -> [ObjectID] {
        let destinations = graph.destinations(of: record, relationship)
        try? graph.fire(destinations)
        return destinations.filter { !$0.isGone && !$0.isDeleted }.map(\.id)
    }

    private func checkStore() throws {
        try compare(Graph(model: schema.model, store: pair, face: face), reference.saved, "the store")
        try pair.compare()
        try checkKeys()
    }

    private func compare(_ graph: Graph, _ state: ReferenceGraph.State, _ what: String) throws {
        let numbers = numbersByID()
        let live = Set(state.objects.filter { !$0.value.isDeleted }.keys)
        var found: Set<Int> = []
        for entity in schema.model.entities where entity.isRoot {
            for record in try graph.fetch(Query(entityIndex: entity.index)) { found.insert(numbers[record.id] ?? -1) }
        }
        try expect(found == live, "\(what) has \(found.sorted()), expected \(live.sorted())")
        for number in live.sorted() {
            guard let id = records[number]?.id, let record = graph.record(for: id), let object = state.objects[number]
            else { throw Difference(text: "\(what) does not know \(number)") }
            try expect(record.value(0) == object.number, "\(what): number of \(number)")
            for relationship in record.entity.relationships {
                let end = ReferenceGraph.End(object: number, relationship: relationship.name)
                let expected = (state.ends[end] ?? []).filter(live.contains)
                let actual = self.live(graph, record, relationship).map { numbers[$0] ?? -1 }
                let isSame =
                    relationship.relationship.isOrdered && !state.unordered.contains(end)
                    ? actual == expected : actual.sorted() == expected.sorted()
                try expect(isSame, "\(what): \(number).\(relationship.name) is \(actual), expected \(expected)")
            }
        }
    }

    /// No row refers to a deleted one, except where the rules permit it.
    private func checkKeys() throws {
        for entity in schema.model.entities {
            let storage = store.map.entities[entity.index]
            for relationship in entity.relationships {
                let destination = store.map.entities[relationship.destinationIndex]
                if let slot = relationship.slot, let column = storage.columns[slot] {
                    let rule = schema.model.inverse(of: relationship)?.relationship.deleteRule
                    if rule == nil || rule == .noAction { continue }
                    let rows = try count(
                        "\(storage.table) WHERE \(SystemTables.entityColumn) = \(storage.entityNumber)",
                        missing: column.name, in: destination.table)
                    try expect(rows == 0, "\(rows) dangling keys in \(entity.name).\(relationship.name)")
                }
                if case .joinTable(let name, let ownerColumn, let memberColumn, _)? = storage.toMany[relationship.index]
                {
                    let rows =
                        try count("\(name) WHERE 1", missing: ownerColumn, in: storage.table)
                        + count("\(name) WHERE 1", missing: memberColumn, in: destination.table)
                    try expect(rows == 0, "\(rows) dangling rows of \(entity.name).\(relationship.name)")
                }
            }
        }
    }

    private func count(_ rows: String, missing column: String, in table: String) throws -> Int64 {
        let sql =
            "SELECT count(*) FROM \(rows) AND \(column) IS NOT NULL "
            + "AND \(column) NOT IN (SELECT \(SystemTables.keyColumn) FROM \(table))"
        return try store.pool.withReader { connection in
            try connection.withStatement(sql) { try $0.step() ? $0.integer(at: 0) : 0 }
        }
    }
}

/// The differences between a graph and the reference.
struct Difference: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
}
