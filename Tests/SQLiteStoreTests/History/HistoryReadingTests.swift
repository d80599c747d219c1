import Foundation
import ObjectGraph
import TestSupport
import Testing

@testable import SQLiteStore

@Suite("Reading history")
struct HistoryReadingTests {
    private func slots(_ zoo: ZooStore, _ entity: String, _ names: [String]) throws -> [Int] {
        let entity = try zoo.entity(entity)
        return entity.slots.indices.filter { names.contains(entity.propertyName(ofSlot: $0)) }
    }

    @Test(
        "saves are read as they were made: kinds, changed properties, preserved values, texts",
        arguments: [false, true])
    func roundTrip(inFile: Bool) throws {
        let zoo = try ZooStore(inFile ? .file : .memory)
        #expect(try zoo.store.historyToken() == HistoryToken([zoo.store.identifier: 0]))
        #expect(try zoo.store.history(after: nil).isEmpty)
        let before = Date().timeIntervalSinceReferenceDate
        let ida = try zoo.insert("Animal", ["name": .text("Ida"), "age": .integer(1)])
        let kim = try zoo.insert("Keeper", ["name": .text("Kim")])
        let update = try zoo.update(ida, ["age": .integer(2), "keeper": .reference(kim.id)], toMany: ["tags"])
        let tag = try zoo.insert("Tag", ["label": .text("red")])
        try zoo.save {
            $0.author = "me"
            $0.updates = [update]
            $0.links = [try zoo.link(ida.id, "tags", added: [tag.id])]
        }
        try zoo.save {
            $0.author = "you"
            $0.deletions = [try zoo.deletion(try zoo.snapshot(ida.id)), try zoo.deletion(kim)]
        }
        let history = try zoo.store.history(after: nil)
        #expect(history.map(\.number) == [1, 2, 3, 4, 5])
        #expect(history.map(\.author) == [nil, nil, nil, "me", "you"])
        #expect(history.allSatisfy { $0.storeIdentifier == zoo.store.identifier && $0.contextName == nil })
        #expect(history.allSatisfy { $0.processID == ProcessInfo.processInfo.processName && $0.bundleID != nil })
        #expect(history.allSatisfy { (before...before + 600).contains($0.timestamp) })
        let tags = try zoo.relationship("Animal", "tags").index
        let changed = ChangedProperties(slots: try slots(zoo, "Animal", ["age", "keeper"]), toMany: [tags])
        #expect(
            history.map(\.changes) == [
                [HistoryChange(number: 1, id: ida.id, kind: .insert)],
                [HistoryChange(number: 2, id: kim.id, kind: .insert)],
                [HistoryChange(number: 3, id: tag.id, kind: .insert)],
                [HistoryChange(number: 4, id: ida.id, kind: .update(changed))],
                [
                    HistoryChange(number: 5, id: ida.id, kind: .delete(Tombstone(["name": .text("Ida")]))),
                    HistoryChange(number: 6, id: kim.id, kind: .delete(Tombstone())),
                ],
            ])
        #expect(try zoo.store.historyToken() == history.last?.token)
        #expect(try zoo.store.history(after: history[2].token) == Array(history[3...]))
        #expect(try zoo.store.history(after: history.last?.token).isEmpty)
        #expect(try zoo.store.history(after: HistoryToken(["another store": 4])) == history)
    }

    @Test("a transaction read in pages, counted or found from the end equals the one read at once", arguments: 1...4)
    func parts(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let zoo = try ZooStore(.memory)
        var animals: [Snapshot] = []
        for _ in 0..<6 {
            try zoo.save { changes in
                for _ in 0..<Int.random(in: 0...20, using: &random) {
                    changes.insertions.append(try zoo.insertion("Animal", ["name": .text("a")]))
                }
                changes.insertions.append(try zoo.insertion("Tag", ["label": .text("t")]))
            }
            animals = try zoo.fetch("Animal")
            if let one = animals.randomElement(using: &random) {
                try zoo.save { $0.updates = [try zoo.update(one, ["age": .integer(7)])] }
            }
            if let one = animals.randomElement(using: &random) {
                try zoo.save { $0.deletions = [try zoo.deletion(try zoo.snapshot(one.id))] }
            }
        }
        let whole = try zoo.store.history(after: nil)
        let objects = Set(whole.flatMap(\.changes).map(\.id))
        let heads = whole.map { transaction in
            var transaction = transaction
            transaction.changes = []
            return transaction
        }
        #expect(try zoo.store.newestHistory(limit: 1_000) == heads.reversed())
        #expect(try zoo.store.newestHistory(before: 5, limit: 2) == [heads[3], heads[2]])
        for object in [nil] + objects.sorted().map(Optional.some) {
            for transaction in whole {
                let changes = transaction.changes.filter { object == nil || $0.id == object }
                var found: [HistoryChange] = []
                let limit = Int.random(in: 1...5, using: &random)
                var page = HistoryChangePage(of: transaction.number, object: object, limit: limit)
                while case let next = try zoo.store.historyChanges(of: page), let last = next.last {
                    #expect(next.count <= limit)
                    found += next
                    page.previous = last.number
                }
                #expect(found == changes)
                let skipping = HistoryChangePage(of: transaction.number, object: object, skipping: 2, limit: 3)
                #expect(try zoo.store.historyChanges(of: skipping) == Array(changes.dropFirst(2).prefix(3)))
                let counts = try zoo.store.historyCounts(of: transaction.number, object: object)
                #expect(counts.total == changes.count)
                #expect(
                    counts.inserted["Animal", default: 0]
                        == changes.count { $0.kind == .insert && $0.id.entityName == "Animal" })
            }
            if let object {
                let wanted = whole.filter { $0.changes.contains { $0.id == object } }.map(\.number)
                #expect(
                    try zoo.store.newestHistory(where: .changed(object), limit: 1_000).map(\.number)
                        == wanted.reversed())
            }
        }
    }

    @Test("preserved values of every type are read as they were in the row")
    func keptValues() throws {
        let kinds: [(String, AttributeType, Value)] = [
            ("small", .integer16, .integer(-3)), ("price", .decimal, .decimal(Decimal(12.5))),
            ("ratio", .double, .real(2)), ("title", .string, .text("")), ("flag", .boolean, .integer(1)),
            ("moment", .date, .real(700_000_000)), ("blob", .binary, .bytes(Data([1, 2]))),
            ("token", .uuid, .uuid(UUID())), ("link", .uri, .text("a:b")), ("list", .transformable, .bytes(Data([9]))),
        ]
        var description = EntityDescription("Kept")
        description.attributes = kinds.map { name, type, _ in
            var attribute = Attribute(name, type, optional: true)
            attribute.preservesValueOnDeletion = true
            return attribute
        }
        var picture = Attribute("picture", .binary, optional: true)
        picture.preservesValueOnDeletion = true
        picture.allowsExternalStorage = true
        description.attributes += [picture, Attribute("plain", .string, optional: true)]
        let zoo = try ZooStore(.file, model: try Model([description]))
        let all = Dictionary(kinds.map { ($0.0, $0.2) }, uniquingKeysWith: { first, _ in first })
        let picked = all.merging(["picture": .bytes(Data([7]))], uniquingKeysWith: { first, _ in first })
        let rows = [
            try zoo.insert("Kept", picked.merging(["plain": .text("no")], uniquingKeysWith: { first, _ in first })),
            try zoo.insert("Kept", [:]),
            try zoo.insert("Kept", ["picture": .bytes(Data(repeating: 1, count: ExternalData.threshold + 1))]),
        ]
        try zoo.save { $0.deletions = try rows.map { try zoo.deletion($0) } }
        let kinds2 = try #require(try zoo.store.history(after: nil).last).changes.map(\.kind)
        // A value in a file of its own was removed with the file.
        #expect(kinds2 == [.delete(Tombstone(picked)), .delete(Tombstone()), .delete(Tombstone())])
    }

    @Test("pages add up to the whole, end early at many changes, and take a fixed number of statements")
    func pages() throws {
        let zoo = try ZooStore(.file)
        for size in [1, 3, 0, 5, 1, 1, 7, 2] {
            try zoo.save { changes in
                changes.insertions = try (0..<max(1, size)).map { _ in try zoo.insertion("Tag", [:]) }
            }
        }
        let all = try zoo.store.history(after: nil)
        #expect(all.map(\.changes.count) == [1, 3, 1, 5, 1, 1, 7, 2])
        for limit in [-1, 1, 2, 3, 8, 100] {
            var read: [HistoryTransaction] = []
            while true {
                let page = try zoo.store.history(after: read.last?.token, limit: limit)
                if page.isEmpty { break }
                #expect(page.count <= max(1, limit))
                read += page
            }
            #expect(read == all, "limit \(limit)")
        }
        let reader = try #require(zoo.store.history)
        for most in [1, 2, 4, 6, 100] {
            var read: [HistoryTransaction] = []
            try zoo.store.pool.withReader { connection in
                while true {
                    let page = try reader.transactions(
                        after: read.last?.number ?? 0, limit: 100, mostChanges: most, connection)
                    if page.isEmpty { break }
                    #expect(page.dropLast().reduce(0) { $0 + $1.changes.count } < most)
                    read += page
                }
            }
            #expect(read == all, "\(most) changes")
        }
        zoo.log.clear()
        _ = try zoo.store.history(after: all[1].token)
        #expect(zoo.log.statements.count == 5, "\(zoo.log.statements)")
    }

    @Test("a token whose following transactions were deleted has expired, as has one of a later state")
    func expired() throws {
        let zoo = try ZooStore()
        let store = zoo.store
        let tokens = try (0..<5).map { _ in
            let token = try #require(try store.historyToken())
            try zoo.insert("Tag", [:])
            return token
        }
        #expect(try store.pruneHistory(before: .number(3)) == 2)
        for (number, token) in tokens.enumerated() {
            if number < 2 {
                #expect(throws: HistoryError.tokenExpired(store: store.identifier, number: Int64(number))) {
                    try store.history(after: token)
                }
                #expect(throws: HistoryError.self) { try store.historySum(after: token) }
            } else {
                #expect(try store.history(after: token).map(\.number) == Array(Int64(number + 1)...5))
            }
        }
        #expect(try store.history(after: nil).map(\.number) == [3, 4, 5])
        for number in [6, Int64.max] {
            #expect(throws: HistoryError.tokenExpired(store: store.identifier, number: number)) {
                try store.history(after: HistoryToken([store.identifier: number]))
            }
        }
        #expect(try store.pruneHistory(before: .number(.max)) == 3)
        #expect(try store.historyToken() == HistoryToken([store.identifier: 5]))
        #expect(try store.history(after: store.historyToken()).isEmpty)
        #expect(throws: HistoryError.self) { try store.history(after: tokens[4]) }
    }

    @Test("a range is summed to inserted, updated and deleted keys, without reading a row")
    func delta() throws {
        let zoo = try ZooStore()
        let old = try zoo.insert("Tag", ["label": .text("old")])
        let doomed = try zoo.insert("Tag", ["label": .text("doomed")])
        let token = try zoo.store.historyToken()
        let new = try zoo.insert("Keeper", [:])
        let fleeting = try zoo.insert("Keeper", [:])
        try zoo.save { $0.updates = [try zoo.update(old, ["label": .text("older")])] }
        try zoo.save { $0.updates = [try zoo.update(doomed, ["label": .text("x")])] }
        let middle = try zoo.store.historyToken()
        try zoo.save {
            $0.deletions = [try zoo.deletion(try zoo.snapshot(doomed.id)), try zoo.deletion(fleeting)]
        }
        zoo.log.clear()
        let sum = try zoo.store.historySum(after: token)
        #expect(zoo.log.statements.count == 4)
        #expect(!zoo.log.statements.contains { $0.contains("ZTAG") })
        #expect(sum.inserted == [new.id])
        #expect(sum.updatedIDs == [old.id])
        #expect(sum.deleted == [fleeting.id, doomed.id])
        let first = try zoo.store.historySum(after: token, through: middle)
        #expect(first.inserted == [new.id, fleeting.id].sorted())
        #expect(first.updatedIDs == [old.id, doomed.id].sorted() && first.deleted.isEmpty)
        #expect(try zoo.store.historySum(after: zoo.store.historyToken()).isEmpty)
    }

    @Test(
        "for random saves, the sum since any token equals the difference between the rows, with short-lived rows"
    )
    func sums() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let zoo = try ZooStore()
        let names = ["Person", "Keeper", "Tag", "Passport"]
        var states: [(token: HistoryToken, versions: [ObjectID: RowVersion])] = []
        for _ in 0..<40 {
            let rows = try ["Person", "Tag", "Passport"].flatMap { try zoo.fetch($0) }
            let token = try #require(try zoo.store.historyToken())
            let versions = rows.map { ($0.id, $0.version) }
            states.append((token, Dictionary(versions, uniquingKeysWith: { first, _ in first })))
            try zoo.save { changes in
                changes.insertions = try (0..<Int.random(in: 1...3, using: &random)).map { _ in
                    try zoo.insertion(names.randomElement(using: &random) ?? "Tag", [:])
                }
                for row in rows {
                    let property = ["Tag": "label", "Passport": "code"][row.id.entityName] ?? "name"
                    switch Int.random(in: 0..<10, using: &random) {
                    case 0: changes.deletions.append(try zoo.deletion(row))
                    case 1...3: changes.updates.append(try zoo.update(row, [property: .text("\(row.version)")]))
                    default: break
                    }
                }
            }
        }
        let now = try #require(states.last)
        for (place, then) in states.enumerated() {
            let saved = try zoo.store.historySum(after: then.token, through: now.token)
            let label = Comment(rawValue: "seed \(seed), since \(then.token.numbers.values)")
            let (old, new) = (then.versions, now.versions)
            #expect(saved.inserted == new.keys.filter { old[$0] == nil }.sorted(), label)
            let seen = Set(states[place...].flatMap(\.versions.keys))
            #expect(saved.deleted == seen.filter { new[$0] == nil }.sorted(), label)
            #expect(saved.updatedIDs == old.keys.filter { new[$0] != nil && new[$0] != old[$0] }.sorted(), label)
        }
    }

    @Test("unknown entries are skipped: entities, kinds, changes without transaction, cells of another type")
    func strangers() throws {
        let zoo = try ZooStore()
        let ida = try zoo.insert("Animal", ["name": .text("Ida")])
        let number = zoo.store.map.entities[try zoo.entity("Animal").index].entityNumber
        _ = try zoo.rows("INSERT INTO ATRANSACTION (Z_PK, Z_ENT) VALUES (2, 16002), (4, 16002), (-3, 16002)")
        _ = try zoo.rows(
            "INSERT INTO ACHANGE (ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS, ZTOMBSTONE0) VALUES "
                + "(0, 4711, 1, 2, NULL, NULL), (9, \(number), 1, 2, NULL, NULL), (0, \(number), 2, 3, NULL, NULL), "
                + "(2, \(number), 1, 2, NULL, 17), (1, \(number), 5, 4, NULL, NULL), (1, \(number), 6, 4, x'00', NULL), "
                + "(0, \(number), 7, NULL, NULL, NULL), (0, \(number), 8, 99, NULL, NULL)")
        let history = try zoo.store.history(after: nil)
        #expect(history.map(\.number) == [1, 2, 4])
        #expect(history.last?.author == nil && history.last?.timestamp == 0)
        #expect(history[1].changes.map(\.id) == [ida.id])
        #expect(history[1].changes.map(\.kind) == [.delete(Tombstone())])
        #expect(history[2].changes.map(\.kind) == [.update(.unknown), .update(.unknown)])
    }

    @Test("a file without history has no token, and refuses to read and to prune history")
    func withoutHistory() throws {
        var options = SQLiteStore.Options()
        options.history = .without
        let store = try SQLiteStore(model: try Zoo.model(), location: .memory, options: options)
        #expect(try store.historyToken() == nil)
        #expect(throws: HistoryError.historyNotRecorded(store: store.identifier)) { try store.history(after: nil) }
        #expect(throws: HistoryError.historyNotRecorded(store: store.identifier)) { try store.historySum(after: nil) }
        let refusal = HistoryError.historyNotRecorded(store: store.identifier)
        #expect(throws: refusal) { try store.checkPruning(before: .number(5)) }
        #expect(throws: refusal) { try store.pruneHistory(before: .number(5)) }
        #expect(throws: refusal) { try store.pruneHistory(where: .constant(true)) }
        #expect(throws: refusal) { try store.pruneHistory(numbered: [1], .choice) }
        #expect(throws: refusal) { try store.pruneConsumedHistory() }
        #expect(try store.changesByOthers().isEmpty)
    }
}
