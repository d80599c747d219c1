import ObjectGraph
import TestSupport

/// Random steps on two stores at once, by two contexts that merge each other's changes late, and outside of contexts.
final class StorePairRun {
    let schema: StorePairSchema
    let pair: StorePair
    private let face = TestFace()
    private var contexts: [Graph] = []
    /// The records that each has seen.
    private var known: [[Record]] = [[], []]
    /// Deletions that may still be in the archive, and others.
    private var tokens: [RecoveryToken] = []
    private var historyTokens: [HistoryToken] = []
    /// Plans made some steps ago.
    private var earlier: (plan: DeletePlan, request: DeleteRequest)?
    private(set) var log: [String] = []
    /// The results of each kind of step.
    private(set) var endings: [String: Int] = [:]

    private var model: Model { schema.model }

    init(_ random: inout SeededGenerator) throws {
        schema = try StorePairSchema(&random)
        pair = try StorePair(schema.model)
        contexts = (0..<2).map { _ in Graph(model: schema.model, store: pair, face: face) }
        for context in contexts { context.saveOptions.contextName = "main" }
        for _ in 0..<24 { insert(contexts[0], &random) }
        try save(contexts[0], &random)
    }

    func step(_ random: inout SeededGenerator) throws {
        guard let context = random.pick(contexts) else { return }
        switch random.roll(52) {
        case 0..<4: for _ in 0...random.roll(3) { insert(context, &random) }
        case 4..<9: for _ in 0...random.roll(3) { try link(context, &random) }
        case 9..<11: try edit(context, &random)
        case 11: try delete(context, &random)
        case 12: try deleteMatching(context, &random)
        case 13..<20: try save(context, &random)
        case 20: context.rollback()
        case 21..<28: try saveChanges(&random)
        case 28..<34: try deletePastContexts(&random)
        case 34..<43: try restore(&random)
        case 43..<45: try insertBatch(&random)
        case 45..<47: try updateBatch(&random)
        case 47..<49: try readHistory(&random)
        case 49: try query(&random)
        default: try deleteHistory(&random)
        }
        try pair.compare()
    }

    private func note(_ text: String) { log.append(text) }

    private func count(_ step: String, _ ending: String) { endings["\(step): \(ending)", default: 0] += 1 }

    /// Errors are valid results; a difference between the stores is not.
    private func trying(_ step: String, _ body: () throws -> Void) throws {
        do {
            try body()
            count(step, "done")
        } catch let difference as Difference {
            throw difference
        } catch {
            note("  \(StoreText.error(error))")
            count(step, "\(type(of: error))")
        }
    }

    // MARK: In a context

    private func number(of context: Graph) -> Int { contexts.firstIndex { $0 === context } ?? -1 }

    /// Mostly as the context knows them, which may be outdated.
    private func records(_ context: Graph, _ entityIndex: Int, _ random: inout SeededGenerator) throws -> [Record] {
        let number = number(of: context)
        if random.chance(15) {
            for record in try context.fetch(Query(entityIndex: entityIndex))
            where !known[number].contains(where: { $0 === record }) {
                known[number].append(record)
            }
        }
        return known[number].filter {
            $0.graph === context && !$0.isDeleted && !$0.isGone && model.isKind($0.entity.index, of: entityIndex)
        }
    }

    private func anyRecord(_ context: Graph, _ random: inout SeededGenerator) throws -> Record? {
        guard let entity = random.pick(model.entities) else { return nil }
        return random.pick(try records(context, entity.index, &random))
    }

    private func insert(_ context: Graph, _ random: inout SeededGenerator) {
        guard let entity = random.pick(model.entities) else { return }
        let member = newMember(entity)
        for slot in 0..<2 where random.chance(90) { member.record.initializeValue(Self.value(slot, &random), at: slot) }
        context.insert(member)
        known[number(of: context)].append(member.record)
        note("\(number(of: context)) inserts \(StoreText.id(member.record.id))")
        for relationship in entity.relationships where !relationship.relationship.isOptional || random.chance(60) {
            try? link(member.record, relationship, context, &random)
        }
    }

    static func value(_ slot: Int, _ random: inout SeededGenerator) -> Value {
        slot == 0 ? .integer(Int64(random.roll(12))) : .text("t\(random.roll(4))")
    }

    private func link(_ context: Graph, _ random: inout SeededGenerator) throws {
        guard let record = try anyRecord(context, &random), let relationship = random.pick(record.entity.relationships)
        else { return }
        try link(record, relationship, context, &random)
    }

    private func link(
        _ record: Record, _ relationship: EntityRelationship, _ context: Graph, _ random: inout SeededGenerator
    ) throws {
        let candidates = try records(context, relationship.destinationIndex, &random)
        var wanted =
            relationship.isToOne
            ? random.some(candidates, atMost: 1) : random.some(candidates, atMost: 4).shuffled(using: &random)
        if relationship.isToOne, !relationship.relationship.isOptional {
            wanted = random.pick(candidates).map { [$0] } ?? []
        }
        note(
            "\(number(of: context)): \(StoreText.id(record.id)).\(relationship.name) = \(StoreText.ids(wanted.map(\.id)))"
        )
        Graph.link(context.member(record), relationship, to: wanted.map(context.member))
    }

    private func edit(_ context: Graph, _ random: inout SeededGenerator) throws {
        guard let record = try anyRecord(context, &random) else { return }
        let slot = random.roll(2)
        let value = Self.value(slot, &random)
        note("\(number(of: context)): \(StoreText.id(record.id)) has \(value)")
        record.setValue(value, at: slot)
    }

    private func delete(_ context: Graph, _ random: inout SeededGenerator) throws {
        guard let entity = random.pick(model.entities) else { return }
        let records = random.some(try records(context, entity.index, &random), atMost: 2)
        note("\(number(of: context)) deletes \(StoreText.ids(records.map(\.id)))")
        try trying("delete") { try context.delete(records) }
    }

    private func deleteMatching(_ context: Graph, _ random: inout SeededGenerator) throws {
        var query = RandomQuery.make(model, &random)
        if random.chance(80) { query.limit = 1 + random.roll(2) }
        note("\(number(of: context)) deletes by query")
        let isKept = random.chance(60)
        try trying("delete by query") {
            if isKept {
                if let token = try context.deleteRecoverably(matching: query) { tokens.append(token) }
            } else {
                try context.delete(matching: query)
            }
        }
    }

    private func save(_ context: Graph, _ random: inout SeededGenerator) throws {
        let rules: [ConstraintRule] = [.updateExisting, .updateExisting, .updateEqual, .refuse]
        context.saveOptions.constraints = random.pick(rules) ?? .refuse
        note("\(number(of: context)) saves, \(context.saveOptions.constraints)")
        let author = random.pick(["importer", nil]) ?? nil
        var saved: SavedChanges?
        let before = pair.met
        try trying("save") { saved = try context.save(author: author) }
        for (what, times) in pair.met where times > before[what, default: 0] { count("save", what) }
        guard let saved else { return context.rollback() }
        historyTokens.append(pair.memory.historyContents.token)
        let hears = random.chance(35)
        for other in contexts where other !== context && hears { other.inbox.post(saved) }
    }

    // MARK: Outside of contexts

    private func saveChanges(_ random: inout SeededGenerator) throws {
        let changes = try RandomChanges.make(pair, &random)
        note("change set: \(StoreText.changes(changes))")
        let before = pair.met
        try trying("change set") { _ = try pair.save(changes) }
        for (what, times) in pair.met where times > before[what, default: 0] { count("save", what) }
    }

    private func deletePastContexts(_ random: inout SeededGenerator) throws {
        var request = DeleteRequest(try roots(&random))
        request.counts = random.pick([.unchecked, .notEmpty, .checked]) ?? .checked
        request.author = random.chance(50) ? "importer" : nil
        if random.chance(85) {
            // Sometimes a token in use.
            let token = random.chance(10) ? random.pick(tokens) ?? RecoveryToken() : RecoveryToken()
            request.recovery = .archived(token)
        }
        if random.chance(10) { request.mostRows = random.roll(4) }
        note("delete past contexts, \(request.recovery), counts \(request.counts)")
        let executes = random.chance(40)
        try trying("delete past contexts") {
            let plan = try pair.plan(request)
            _ = try pair.cost(of: plan)
            if random.chance(15) { earlier = (plan, request) }
            let result = try executes ? pair.execute(plan, of: request) : pair.delete(request)
            if let token = result.token { tokens.append(token) }
        }
        if let (plan, request) = earlier, random.chance(30) {
            try trying("execute later") { _ = try pair.execute(plan, of: request) }
        }
        for context in contexts where random.chance(30) { context.inbox.post(.overflow) }
    }

    private func roots(_ random: inout SeededGenerator) throws -> DeleteRequest.Roots {
        if random.chance(2) { return .everything }
        if random.chance(30) { return .matching(RandomQuery.make(model, &random)) }
        guard let entity = random.pick(model.entities) else { return .rows(RowSet()) }
        return .rows(RowSet(random.some(try pair.fetchIDs(Query(entityIndex: entity.index)), atMost: 3)))
    }

    private func restore(_ random: inout SeededGenerator) throws {
        // Mostly after many changes since.
        let old = random.chance(70) ? Array(tokens.dropLast(2)) : tokens
        guard let token = random.chance(5) ? RecoveryToken() : random.pick(old) else { return }
        let several = random.some(tokens, atMost: 3)
        try trying("conflicts") { _ = try pair.conflicts(restoring: several) }
        let rule: RestoreRule = random.chance(50) ? .strict : .skippingConflicts
        note("restore \(token), \(rule)")
        if random.chance(6) {
            try trying("purge") { _ = try pair.purge(.token(token)) }
            tokens.removeAll { $0 == token }
        } else {
            try trying("restore \(rule)") {
                let result = try pair.restore(token, rule, author: "restorer")
                count("restore", result.isComplete ? "all" : "in part")
                if result.isComplete, random.chance(90) { tokens.removeAll { $0 == token } }
            }
        }
        for context in contexts where random.chance(30) { context.inbox.post(.overflow) }
    }

    private func insertBatch(_ random: inout SeededGenerator) throws {
        guard let entity = random.pick(model.entities) else { return }
        var batch = BatchInsert(entityIndex: entity.index)
        // If a new row conflicts with several by several constraints, it is unspecified which one it updates.
        batch.duplicates = .skip
        batch.author = "importer"
        let rows = (0..<random.roll(5)).map { _ in
            var values: [Value] = Array(repeating: .null, count: entity.slots.count)
            for slot in 0..<2 { values[slot] = Self.value(slot, &random) }
            return BatchInsert.Row(values: values, given: [0, 1])
        }
        if random.chance(50), entity.uniquenessConstraints.count == 1, model.entities.allSatisfy({ $0.isRoot }) {
            batch.duplicates = .update
        }
        note("batch of \(rows.count) \(entity.name), \(batch.duplicates)")
        var place = 0
        try trying("batch insert") {
            _ = try pair.insert(batch) { row in
                guard place < rows.count else { return false }
                row = rows[place]
                place += 1
                return true
            }
        }
    }

    private func updateBatch(_ random: inout SeededGenerator) throws {
        var query = RandomQuery.make(model, &random)
        (query.limit, query.offset, query.sort) = (nil, 0, [])
        let entity = model[query.entityIndex]
        // Rows are written one after the other, so that a constraint may be broken temporarily.
        guard !model.entities.contains(where: { $0.rootIndex == entity.rootIndex && !$0.uniquenessConstraints.isEmpty })
        else { return }
        let number = QueryExpression.attribute(
            .variable(.root), AttributeReference(entityIndex: entity.index, slot: 0, path: "number"))
        var batch = BatchUpdate(query)
        let value: QueryExpression =
            random.chance(50)
            ? .literal(.integer(Int64(random.roll(12)))) : .arithmetic(.add, number, .literal(.integer(1)))
        batch.assignments = [.init(slot: 0, value: value)]
        note("batch update of \(entity.name)")
        try trying("batch update") { _ = try pair.update(batch) }
    }

    // MARK: Reading

    private func query(_ random: inout SeededGenerator) throws {
        let query = RandomQuery.make(model, &random)
        try trying("query") {
            _ = try pair.fetch(query)
            _ = try pair.fetchIDs(query)
            _ = try pair.count(query)
        }
    }

    private func readHistory(_ random: inout SeededGenerator) throws {
        var query = HistoryQuery(after: random.pick(historyTokens), random.chance(50) ? .withChanges : .withoutChanges)
        if random.chance(40) { query.test = test(&random) }
        try trying("history") { _ = try pair.history(query) }
    }

    private func test(_ random: inout SeededGenerator) -> HistoryTest {
        switch random.roll(4) {
        case 0: .text(.author, is: random.pick(["importer", nil]) ?? nil)
        case 1: .number(random.pick(ComparisonOperator.allCases) ?? .less, Int64(random.roll(20)))
        case 2: random.pick(historyTokens).map { .token(.greater, $0) } ?? .constant(true)
        default: .not(test(&random))
        }
    }

    private func deleteHistory(_ random: inout SeededGenerator) throws {
        note("delete history")
        let (test, number) = (test(&random), Int64(random.roll(20)))
        let token = random.pick(historyTokens)
        let way = random.roll(3)
        try trying("delete history") {
            switch way {
            case 0: _ = try pair.pruneHistory(where: test)
            case 1: _ = try pair.pruneHistory(before: .number(number))
            default: if let token { _ = try pair.pruneHistory(before: .token(token)) }
            }
        }
    }
}
