import StoreSQL
import StoreTestSupport
import TestSupport

@testable import ObjectGraph

@testable import SQLiteStore

/// The same random steps in two contexts: one deletes by predicate, the other fetches the matching objects and deletes them. Their
/// states must be equal, before the save and after. A third graph, on the store of the first, merges every save.
final class ContextPairRun {
    let world: DeleteWorld
    let planned: ContextUnderTest
    let walked: ContextUnderTest
    let other: ContextUnderTest
    /// On the store of the second.
    let otherWalked: ContextUnderTest
    /// How often, in percent, another context saves something of its own.
    private let interference: Int
    /// Another context has saved since the last save or rollback, perhaps links with objects pending deletion.
    private var othersSaved = false
    private var known: [String: Entity] = [:]
    private var lastNumber = 0
    private(set) var log: [String] = []
    private var hadUnmergedSave = false
    private var written: WrittenPair
    /// Since the last save or rollback, an upper bound of the pending ones.
    private var pendingDeleteCalls = 0
    private(set) var saves = 0
    private(set) var refusals = 0

    private var model: Model { world.model }

    init(_ random: inout SeededGenerator, interference: Int = 0) throws {
        self.interference = interference
        world = try DeleteWorld(&random, objects: 16 + random.roll(12))
        planned = try ContextUnderTest(world)
        walked = try ContextUnderTest(world)
        other = try ContextUnderTest(world, beside: planned)
        otherWalked = try ContextUnderTest(world, beside: walked)
        written = try WrittenPair(planned.store, walked.store)
        for entity in world.model.entities where entity.isRoot {
            for record in try walked.graph.fetch(Query(entityIndex: entity.index)) {
                known[walked.label(record)] = record.entity
            }
        }
    }

    private var live: [String] { known.keys.sorted().filter(walked.isLive) }

    // MARK: Steps

    func step(_ random: inout SeededGenerator) throws {
        if random.chance(interference) { return try interfere(&random) }
        switch random.roll(24) {
        case 0..<2: try insert(&random)
        case 2..<5: try link(&random)
        case 5: try edit(&random)
        case 6..<8: try delete(&random)
        case 8..<14: try deleteMatching(&random)
        case 14..<16: try query(&random)
        case 16: try readAtRandom(&random)
        // Links that another context made meanwhile are not undone.
        case 17..<19: if interference == 0 { try undo() }
        case 19: if interference == 0 { try reinsert(&random) }
        case 20: try rollback()
        default: try save(&random)
        }
        try checkInvariants()
        if random.chance(35) { try compare() }
        try expect(planned.face.reports.isEmpty, "reported: \(planned.face.reports)")
    }

    private func checkInvariants() throws {
        for (context, name) in [(planned, "the one that plans"), (walked, "the one that walks")] {
            do {
                try context.graph.checkInvariants()
            } catch {
                throw Difference(text: "\(name): \(error)")
            }
        }
    }

    func finish(_ random: inout SeededGenerator) throws {
        try compare()
        try save(&random)
    }

    private func both(_ body: (ContextUnderTest) throws -> Void) rethrows {
        try planned.undoably { try body(planned) }
        try walked.undoably { try body(walked) }
    }

    private func insert(_ random: inout SeededGenerator) throws {
        guard let entity = random.pick(model.entities) else { return }
        lastNumber += 1
        let (label, number) = ("n\(lastNumber)", Int64(random.roll(24)))
        known[label] = entity
        note("insert \(label): \(entity.name)")
        var links: [(EntityRelationship, [String])] = []
        for relationship in entity.relationships where !relationship.relationship.isOptional || random.chance(25) {
            if Self.isOneSided(relationship) { continue }
            links.append((relationship, destinations(of: relationship, &random)))
        }
        for (relationship, wanted) in links { note("  \(relationship.name) = \(wanted)") }
        both { context in
            context.insert(label, entity, number: number)
            for (relationship, wanted) in links { context.link(label, relationship, to: wanted) }
        }
    }

    /// The key of a to-many relationship without inverse is on the member; a graph does not know other owners.
    private static func isOneSided(_ relationship: EntityRelationship) -> Bool {
        !relationship.isToOne && relationship.inverseIndex == nil
    }

    private func destinations(of relationship: EntityRelationship, _ random: inout SeededGenerator) -> [String] {
        let candidates = live.filter { label in
            known[label].map { model.isKind($0.index, of: relationship.destinationIndex) } ?? false
        }
        return relationship.isToOne
            ? random.pick(candidates).map { [$0] } ?? [] : random.some(candidates, atMost: 3)
    }

    private func link(_ random: inout SeededGenerator) throws {
        guard let label = random.pick(live), let relationship = random.pick(known[label]?.relationships ?? [])
        else { return }
        if Self.isOneSided(relationship) { return }
        var wanted = destinations(of: relationship, &random)
        if !relationship.isToOne, random.chance(60) {
            let current = try walked.links(label, relationship)
            wanted = current + wanted.filter { !current.contains($0) }
        }
        note("\(label).\(relationship.name) = \(wanted)")
        both { $0.link(label, relationship, to: wanted) }
    }

    private func edit(_ random: inout SeededGenerator) throws {
        guard let label = random.pick(live) else { return }
        let number = Int64(random.roll(24))
        note("\(label).number = \(number)")
        both { $0.setNumber(label, number) }
    }

    private func delete(_ random: inout SeededGenerator) throws {
        let labels = random.some(live, atMost: 2)
        note("delete \(labels)")
        if !labels.isEmpty { pendingDeleteCalls += 1 }
        try both { try $0.delete(labels) }
    }

    private func deleteMatching(_ random: inout SeededGenerator) throws {
        let query = RandomQuery.make(model, &random)
        let matching = try walked.graph.fetch(query)
        // Usually not all objects at once, as little would be left to compare.
        if matching.count > 6, random.chance(70) { return }
        note("delete matching \(text(query)): \(matching.map(walked.label))")
        if !matching.isEmpty { pendingDeleteCalls += 1 }
        try planned.undoably { try planned.graph.delete(matching: query) }
        try walked.undoably { try walked.graph.delete(matching) }
    }

    private func query(_ random: inout SeededGenerator) throws {
        let query = RandomQuery.make(model, &random)
        note("fetch \(text(query))")
        let expected = try walked.graph.fetch(query).map(walked.label)
        let count = try planned.graph.count(query)
        try expect(count == expected.count, "counted \(count), expected \(expected)")
        let ids = try planned.graph.fetchIDs(query).count
        try expect(ids == expected.count, "found \(ids) identifiers, expected \(expected)")
        let found = try planned.graph.fetch(query).map(planned.label)
        try expect(found == expected, "fetched \(found), expected \(expected)")
    }

    /// One relationship of one object: most of the graph stays unread.
    private func readAtRandom(_ random: inout SeededGenerator) throws {
        guard let label = random.pick(live), let relationship = random.pick(known[label]?.relationships ?? [])
        else { return }
        note("look at \(label).\(relationship.name)")
        let (found, expected) = (try planned.links(label, relationship), try walked.links(label, relationship))
        try expect(found == expected, "\(label).\(relationship.name) is \(found), expected \(expected)")
        if random.chance(50) { _ = try other.links(label, relationship) }
    }

    private func undo() throws {
        guard walked.canUndo else { return }
        note("undo")
        planned.undo()
        walked.undo()
    }

    private func reinsert(_ random: inout SeededGenerator) throws {
        // Objects deleted, or inserted again, one after the other have lost the links between them in different orders.
        guard pendingDeleteCalls < 2 else { return }
        let deleted = walked.graph.deletedRecords.map(walked.label).sorted()
        guard let label = random.pick(deleted) else { return }
        note("take back \(label)")
        pendingDeleteCalls += 1
        both { $0.reinsert(label) }
    }

    private func rollback() throws {
        note("rollback")
        pendingDeleteCalls = 0
        planned.rollback()
        walked.rollback()
        planned.graph.mergeWaitingChanges()
        walked.graph.mergeWaitingChanges()
        othersSaved = false
    }

    private func save(_ random: inout SeededGenerator, unmerged: (SavedChanges, SavedChanges)? = nil) throws {
        note("save")
        if unmerged == nil, random.chance(30) { try compare() }
        let (saved, expected) = (try planned.save(), try walked.save())
        if let unmerged {
            hadUnmergedSave = true
            planned.graph.inbox.post(unmerged.0)
            walked.graph.inbox.post(unmerged.1)
        }
        try expect(
            (saved == nil) == (expected == nil),
            saved == nil ? "refused: \(planned.refusal)" : "saved, expected a refusal: \(walked.refusal)")
        guard let saved else {
            refusals += 1
            try compareRows()
            try written.compare(after: SavedChanges())
            // The walking context has by then applied the rules to other contexts' changes; the planning one does so in each save
            // anew.
            if othersSaved || random.chance(70) { try rollback() }
            return
        }
        saves += 1
        pendingDeleteCalls = 0
        planned.graph.mergeWaitingChanges()
        walked.graph.mergeWaitingChanges()
        othersSaved = false
        otherWalked.graph.inbox.post(expected ?? SavedChanges())
        try otherWalked.learnIDs()
        try compareRows()
        try written.compare(after: saved)
        // A version that is one too low is detected by the next fetch, or the next save; values are current in any case.
        if !hadUnmergedSave { try planned.checkVersions() }
        try checkOther(saved)
    }

    // MARK: Other contexts

    /// Another context saves during unsaved changes here: a new object, an edit, a delete.
    private func interfere(_ random: inout SeededGenerator) throws {
        let live = known.keys.sorted().filter(other.isLive)
        var work: (ContextUnderTest) throws -> Void = { _ in }
        switch random.roll(4) {
        case 0:
            guard let label = random.pick(live) else { return }
            let number = Int64(random.roll(24))
            note("others: \(label).number = \(number)")
            work = { $0.setNumber(label, number) }
        case 1:
            guard let label = random.pick(live) else { return }
            note("others: delete \(label)")
            work = { try $0.delete([label]) }
        default:
            guard let entity = random.pick(model.entities) else { return }
            lastNumber += 1
            let label = "m\(lastNumber)"
            known[label] = entity
            // No existing link is lost by these: conflicting edits of one link are another matter.
            let links = entity.relationships.filter { leavesOthers($0) }.map { relationship in
                (
                    relationship,
                    random.some(live.filter { leads(relationship, to: $0) }, atMost: relationship.isToOne ? 1 : 2)
                )
            }
            note("others: insert \(label): \(entity.name) \(links.map { "\($0.name) = \($1)" })")
            work = { context in
                context.insert(label, entity, number: 1)
                for (relationship, wanted) in links { context.link(label, relationship, to: wanted) }
            }
        }
        try work(other)
        try work(otherWalked)
        let (saved, expected) = (try other.save(), try otherWalked.save())
        try expect((saved == nil) == (expected == nil), "the others differ")
        try written.compare(after: saved ?? SavedChanges())
        guard let saved, let expected else {
            note("  refused")
            other.rollback()
            otherWalked.rollback()
            return
        }
        othersSaved = true
        if random.chance(35) {
            // Not reported before the save, which must detect it.
            try planned.learnIDs()
            try walked.learnIDs()
            note("  just before")
            return try save(&random, unmerged: (saved, expected))
        }
        planned.graph.inbox.post(saved)
        walked.graph.inbox.post(expected)
        try planned.learnIDs()
        try walked.learnIDs()
        // Neither context continues with objects known to be deleted: one may have read an object, the other not.
        planned.graph.mergeWaitingChanges()
        walked.graph.mergeWaitingChanges()
        if random.chance(50) { try compare() }
    }

    private func leavesOthers(_ relationship: EntityRelationship) -> Bool {
        guard let inverse = model.inverse(of: relationship) else { return relationship.isToOne }
        return !inverse.isToOne && inverse.propertyKey != relationship.propertyKey
    }

    private func leads(_ relationship: EntityRelationship, to label: String) -> Bool {
        known[label].map { model.isKind($0.index, of: relationship.destinationIndex) } ?? false
    }

    // MARK: Comparing

    private func compare() throws {
        let (found, expected) = (try planned.everything(), try walked.everything())
        try expect(found == expected, Self.difference(found, expected))
    }

    private static func difference(_ found: [String], _ expected: [String]) -> String {
        let (a, b) = (Set(found), Set(expected))
        return "has \(a.subtracting(b).sorted()), expected \(b.subtracting(a).sorted())"
    }

    /// The tables, except order keys: the order that they give is compared, and that there are none without an owner.
    /// `WrittenPair` compares versions and history.
    private func compareRows() throws {
        func rows(_ context: ContextUnderTest) throws -> StoreDump {
            var dump = try StoreDump(context.store)
            let history = [
                HistoryTables.Change.table, HistoryTables.Transaction.table, HistoryTables.Text.table,
                SystemTables.PrimaryKey.table,
            ]
            for table in dump.tables.keys {
                dump[table] =
                    history.contains(table)
                    ? []
                    : dump[table].map { row in
                        var row = row.filter { $0.key != SystemTables.versionColumn }
                        for (name, cell) in row where name.hasPrefix("Z_FOK") && cell != .null {
                            row[name] = .integer(0)
                        }
                        return row
                    }
            }
            return dump
        }
        let difference = try rows(planned).difference(from: rows(walked))
        try expect(difference == nil, "rows: \(difference ?? "")")
        let found = try ContextUnderTest(world, beside: planned).everything()
        let expected = try ContextUnderTest(world, beside: walked).everything()
        try expect(found == expected, "stored: \(Self.difference(found, expected))")
    }

    /// The graph that merged equals a new one.
    private func checkOther(_ saved: SavedChanges) throws {
        other.graph.inbox.post(saved)
        try other.learnIDs()
        other.graph.mergeWaitingChanges()
        try other.graph.checkInvariants()
        let fresh = try ContextUnderTest(world, beside: planned)
        let (found, expected) = (try other.everything(), try fresh.everything())
        try expect(found == expected, "the graph that merged \(Self.difference(found, expected))")
        try other.checkVersions()
    }

    private func text(_ query: Query) -> String {
        let parts: [String?] = [
            model[query.entityIndex].name, query.includesSubentities ? "and below" : nil,
            query.predicate == nil ? nil : "where", query.sort.isEmpty ? nil : "sorted",
            query.limit.map { "limit \($0)" }, query.offset > 0 ? "offset \(query.offset)" : nil,
        ]
        return parts.compactMap { $0 }.joined(separator: " ")
    }

    private func note(_ text: String) { log.append(text) }

    private func expect(_ condition: Bool, _ text: @autoclosure () -> String) throws {
        if !condition { throw Difference(text: text()) }
    }
}
