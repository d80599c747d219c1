import TestSupport

@testable import ObjectGraph

@testable import SQLiteStore

/// Random work in contexts with followed queries: after each step, the maintained results equal those of fetches.
final class LiveRun {
    /// The contexts that work.
    enum Reach {
        /// Two contexts on one store.
        case oneStore
        /// A third one on another store of the same file, like another process. Both stores execute long deletions.
        case twoStores
    }

    let world: DeleteWorld
    let contexts: [FollowedContext]
    let reach: Reach
    /// Of the file that two stores share.
    private let folder: TemporaryFolder?
    var known: [String: Entity] = [:]
    private var tokens: [RecoveryToken] = []
    var jobs: [RunningJob] = []
    private var lastNumber = 0
    private(set) var log: [String] = []
    private var worker = ""
    private(set) var saves = 0
    var chunks = 0
    var polls = 0

    var model: Model { world.model }

    init(_ random: inout SeededGenerator, reach: Reach = .oneStore) throws {
        self.reach = reach
        world = try DeleteWorld(&random, objects: 16 + random.roll(16))
        let model = world.model
        let events: ObjectEvents = random.chance(50) ? .asTheyHappen : .collected
        folder = reach == .twoStores ? try TemporaryFolder() : nil
        let location = folder.map { Connection.Location.file($0.appendingPathComponent("live.sqlite")) }
        let first = try ContextUnderTest(world, on: world.makeStore(at: location ?? .memory), events: events)
        let second = try ContextUnderTest(world, on: first.store, events: events)
        var named = [(first, "one"), (second, "other")]
        if let location {
            let store = try SQLiteStore(model: model, location: location)
            named.append((try ContextUnderTest(world, on: store, events: events), "remote"))
        }
        contexts = try named.map { context, name in
            try FollowedContext(
                context, name: name, queries: (0..<8).map { _ in RandomLiveQuery.make(model, &random) },
                groups: (0..<3).map { _ in RandomLiveQuery.makeGroups(model, &random) })
        }
        for entity in model.entities where entity.isRoot {
            for row in try first.store.fetch(Query(entityIndex: entity.index)) {
                if case .text(let label) = row.values[1] { known[label] = model.entity(named: row.id.entityName) }
            }
        }
    }

    // MARK: Steps

    func step(_ random: inout SeededGenerator) throws {
        let place = place(&random)
        let context = contexts[place].context
        worker = contexts[place].name
        try context.undoably { try work(in: context, place, &random) }
        _ = context.graph.takeEventChanges()
        // Sometimes several steps are one event, and unread rows stay unread.
        if random.chance(70) { try check(contexts[place], &random) }
        for other in contexts.indices where other != place && random.chance(40) {
            try check(contexts[other], &random)
        }
    }

    private func place(_ random: inout SeededGenerator) -> Int {
        switch reach {
        case .oneStore: random.roll(10) < 7 ? 0 : 1
        case .twoStores: random.pick([0, 0, 0, 0, 1, 1, 2, 2, 2]) ?? 0
        }
    }

    private func check(_ context: FollowedContext, _ random: inout SeededGenerator) throws {
        log.append("check \(context.name)")
        // Results fetched before the changes of others are known differ.
        let isComparing = random.chance(reach == .oneStore ? 60 : 85)
        if reach == .twoStores, isComparing || random.chance(50) { try poll(context.context.store) }
        try context.update()
        if isComparing { try context.compare() }
    }

    func finish(_ random: inout SeededGenerator) throws {
        for (place, context) in contexts.enumerated() {
            try save(place)
            try settle(context)
        }
        for context in contexts {
            try settle(context)
            try context.checkRefetches(allowing: reach == .twoStores ? [.unreportedChange] : [])
            // Refused edits are reported again by the save.
            if let report = context.context.face.reports.first(where: { !($0 is SaveError) }) {
                throw Difference(text: "reported: \(report)")
            }
        }
    }

    private func settle(_ context: FollowedContext) throws {
        try poll(context.context.store)
        try context.update()
        try context.compare()
    }

    private func work(in context: ContextUnderTest, _ place: Int, _ random: inout SeededGenerator) throws {
        if reach == .twoStores, random.chance(25) { return try workInStore(place, &random) }
        switch random.roll(30) {
        case 0..<3: insert(context, &random)
        case 3..<7: try link(context, &random)
        case 7..<11: edit(context, &random)
        case 11..<13: try delete(context, &random)
        case 13..<16: try deleteMatching(context, &random)
        case 16..<18: undo(context)
        case 18: reinsert(context, &random)
        case 19: rollback(context)
        case 20..<24: try restore(place, &random)
        case 24: readAtRandom(context, &random)
        default: try save(place)
        }
    }

    func live(_ context: ContextUnderTest) -> [String] {
        known.keys.sorted().filter { label in
            guard let record = context.record(label) else { return false }
            // Objects that left before they were saved stay out.
            return record.graph === context.graph && !record.isDeleted && !record.isGone
        }
    }

    private func insert(_ context: ContextUnderTest, _ random: inout SeededGenerator) {
        guard let entity = random.pick(model.entities) else { return }
        lastNumber += 1
        let label = "n\(lastNumber)"
        known[label] = entity
        note("insert \(label): \(entity.name)")
        context.insert(label, entity, number: Int64(random.roll(24)))
        for relationship in entity.relationships where !relationship.relationship.isOptional || random.chance(40) {
            if Self.isOneSided(relationship) { continue }
            let wanted = destinations(of: relationship, context, &random)
            note("  \(relationship.name) = \(wanted)")
            context.link(label, relationship, to: wanted)
        }
    }

    /// The key of a to-many relationship without inverse is on the member; a graph does not know other owners.
    private static func isOneSided(_ relationship: EntityRelationship) -> Bool {
        !relationship.isToOne && relationship.inverseIndex == nil
    }

    private func destinations(
        of relationship: EntityRelationship, _ context: ContextUnderTest, _ random: inout SeededGenerator
    ) -> [String] {
        let candidates = live(context).filter { label in
            known[label].map { model.isKind($0.index, of: relationship.destinationIndex) } ?? false
        }
        return relationship.isToOne
            ? random.pick(candidates).map { [$0] } ?? [] : random.some(candidates, atMost: 3)
    }

    private func link(_ context: ContextUnderTest, _ random: inout SeededGenerator) throws {
        guard let label = random.pick(live(context)), let relationship = random.pick(known[label]?.relationships ?? [])
        else { return }
        if Self.isOneSided(relationship) { return }
        var wanted = random.chance(15) ? [] : destinations(of: relationship, context, &random)
        if !relationship.isToOne, random.chance(60) {
            let current = try context.links(label, relationship)
            wanted = current + wanted.filter { !current.contains($0) }
        }
        note("\(label).\(relationship.name) = \(wanted)")
        context.link(label, relationship, to: wanted)
    }

    private func edit(_ context: ContextUnderTest, _ random: inout SeededGenerator) {
        for label in random.some(live(context), atMost: 3) {
            let number = Int64(random.roll(24))
            note("\(label).number = \(number)")
            context.setNumber(label, number)
        }
    }

    private func readAtRandom(_ context: ContextUnderTest, _ random: inout SeededGenerator) {
        guard let label = random.pick(live(context)), let record = context.record(label) else { return }
        note("look at \(label)")
        context.graph.fire(record)
    }

    private func delete(_ context: ContextUnderTest, _ random: inout SeededGenerator) throws {
        let labels = random.some(live(context), atMost: 2)
        note("delete \(labels)")
        try context.delete(labels)
    }

    private func deleteMatching(_ context: ContextUnderTest, _ random: inout SeededGenerator) throws {
        let query = RandomQuery.make(model, &random)
        if try context.graph.count(query) > 6, random.chance(80) { return }
        note("delete matching \(query)")
        guard random.chance(75) else { return try context.graph.delete(matching: query) }
        do {
            if let token = try context.graph.deleteRecoverably(matching: query) {
                note("  kept")
                tokens.append(token)
            }
        } catch is DeleteError {
            note("  refused")
        }
    }

    private func restore(_ place: Int, _ random: inout SeededGenerator) throws {
        let store = contexts[place].context.store
        // Those of long deletions, and of the other store, as well.
        let tokens = reach == .oneStore ? tokens : try store.archivedDeletes().map(\.token)
        guard let token = random.pick(tokens) else { return }
        do {
            let result = try store.restore(token, .skippingConflicts)
            note("restore \(result.restored.count)")
            try post(SavedChanges(result), to: store)
        } catch is RecoveryError {
            note("nothing to restore")
        }
    }

    private func undo(_ context: ContextUnderTest) {
        guard context.canUndo else { return }
        note("undo")
        context.undo()
    }

    private func reinsert(_ context: ContextUnderTest, _ random: inout SeededGenerator) {
        guard let label = random.pick(context.graph.deletedRecords.map(context.label).sorted()) else { return }
        note("take back \(label)")
        context.reinsert(label)
    }

    private func rollback(_ context: ContextUnderTest) {
        note("rollback")
        context.rollback()
    }

    private func save(_ place: Int) throws {
        let context = contexts[place].context
        guard let saved = try saved(context) else {
            note("refused to save \(contexts[place].name)")
            return rollback(context)
        }
        note("save \(contexts[place].name)")
        saves += 1
        try post(saved, to: context.store, except: context)
    }

    private func saved(_ context: ContextUnderTest) throws -> SavedChanges? {
        do {
            return try context.save()
        } catch let error as SaveError {
            note("\(error)")
            return nil
        }
    }

    func note(_ text: String) { log.append("\(worker): \(text)") }
}
