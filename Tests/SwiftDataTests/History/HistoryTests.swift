import Foundation
import SwiftData
import Testing

@Suite("Contents of the history")
struct HistoryTests {
    typealias Trip = Travels.Trip
    typealias Voyage = Travels.Voyage
    typealias Stay = Travels.Stay

    private func all(_ context: ModelContext) throws -> [DefaultHistoryTransaction] {
        try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    }

    @Test("One transaction for each save, oldest first, with its author and its changes by class")
    func transactions() throws {
        let context = ModelContext(try Travels.container())
        context.author = "app"
        let trip = Trip(name: "Rome")
        trip.stay = Stay(place: "Hotel")
        context.insert(trip)
        try context.save()
        context.author = nil
        trip.price = 7
        trip.note = "sunny"
        try context.save()
        let (tripID, stayID) = (trip.persistentModelID, trip.stay?.persistentModelID)
        context.delete(trip)
        try context.save()

        let history = try all(context)
        #expect(history.map(\.author) == ["app", nil, nil])
        #expect(history.map(\.transactionIdentifier) == [1, 2, 3])
        #expect(history.map(\.id) == [1, 2, 3])
        #expect(history.map(\.token) == history.map(\.token).sorted())
        #expect(Set(history.map(\.storeIdentifier)) == [tripID.storeIdentifier])
        #expect(history.allSatisfy { !$0.processIdentifier.isEmpty && !$0.bundleIdentifier.isEmpty })
        #expect(abs(history[0].timestamp.timeIntervalSinceNow) < 60)
        var seen: [String] = []
        for change in history.flatMap(\.changes) {
            switch change {
            case .insert(let insert as DefaultHistoryInsert<Trip>):
                seen.append("trip inserted")
                #expect(insert.changedPersistentIdentifier == tripID && insert.transactionIdentifier == 1)
            case .insert(_ as DefaultHistoryInsert<Stay>): seen.append("stay inserted")
            case .update(let update as DefaultHistoryUpdate<Trip>):
                seen.append("trip updated")
                #expect(Set(update.updatedAttributes) == [\Trip.price, \Trip.note])
            case .delete(let delete as DefaultHistoryDelete<Trip>):
                seen.append("trip deleted")
                #expect(delete.tombstone[\.name] as? String == "Rome")
            case .delete(_ as DefaultHistoryDelete<Stay>):
                seen.append("stay deleted")
                #expect(change.changedPersistentIdentifier == stayID)
            default: seen.append("\(change)")
            }
        }
        #expect(
            seen.sorted() == ["stay deleted", "stay inserted", "trip deleted", "trip inserted", "trip updated"])
    }

    @Test("A tombstone has the preserved values, by key path and as a sequence")
    func tombstone() throws {
        let context = ModelContext(try Travels.container())
        let date = Date(timeIntervalSinceReferenceDate: 5)
        let trip = Trip(name: "Oslo", startDate: date)
        trip.price = 3
        let voyage = Voyage(name: "North", ship: "Fram")
        context.insert(trip)
        context.insert(voyage)
        try context.save()
        context.delete(trip)
        context.delete(voyage)
        try context.save()
        var tombstone: HistoryTombstone<Trip>?
        var ship: HistoryTombstone<Voyage>?
        for case .delete(let delete) in try #require(try all(context).last).changes {
            if let delete = delete as? DefaultHistoryDelete<Trip> { tombstone = delete.tombstone }
            if let delete = delete as? DefaultHistoryDelete<Voyage> { ship = delete.tombstone }
        }
        let kept = try #require(tombstone)
        #expect(kept[\.name] as? String == "Oslo")
        #expect(kept[\.startDate] as? Date == date)
        #expect(kept[\.note] == nil)
        #expect(kept[\.price] == nil)
        #expect(kept[\.stay] == nil)
        #expect(kept.map { "\($0)" } == ["Oslo", "\(date)"])
        #expect(try #require(ship)[\.ship] as? String == "Fram")
        #expect(try #require(ship)[\.name] as? String == "North")
    }

    @Test("A predicate on tokens gives later transactions; the last transaction's token gives none")
    func tokens() throws {
        let context = ModelContext(try Travels.container())
        try Travels.save("a", "b", by: "app", in: context)
        let last = try #require(try all(context).last?.token)
        var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
        descriptor.predicate = #Predicate { $0.token > last }
        #expect(try context.fetchHistory(descriptor).isEmpty)
        try Travels.save("c", by: "widget", in: context)
        try Travels.save("d", by: "app", in: context)
        #expect(try context.fetchHistory(descriptor).map(\.transactionIdentifier) == [3, 4])
        let author = "widget"
        descriptor.predicate = #Predicate { transaction in
            (transaction.token > last) && (transaction.author == author)
        }
        #expect(try context.fetchHistory(descriptor).map(\.transactionIdentifier) == [3])
    }

    @Test("A token can be encoded and decoded")
    func codable() throws {
        let context = ModelContext(try Travels.container())
        try Travels.save("a", in: context)
        let token = try #require(try all(context).last?.token)
        let decoded = try JSONDecoder().decode(DefaultHistoryToken.self, from: try JSONEncoder().encode(token))
        #expect(decoded == token && decoded.id == token.id && !(decoded < token))
        #expect(decoded.tokenValue?.values.first == 1)
        try Travels.save("b", in: context)
        let descriptor = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > decoded })
        #expect(try context.fetchHistory(descriptor).count == 1)
    }

    @Test("Limits and orders apply")
    func limitAndOrder() throws {
        let context = ModelContext(try Travels.container())
        try Travels.save("a", by: "z", in: context)
        try Travels.save("b", by: "y", in: context)
        try Travels.save("c", by: "x", in: context)
        var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
        descriptor.fetchLimit = 2
        #expect(try context.fetchHistory(descriptor).map(\.transactionIdentifier) == [1, 2])
        descriptor.sortBy = [SortDescriptor(\.transactionIdentifier, order: .reverse)]
        #expect(try context.fetchHistory(descriptor).map(\.transactionIdentifier) == [3, 2])
        descriptor = HistoryDescriptor(sortBy: [SortDescriptor(\.author)])
        #expect(try context.fetchHistory(descriptor).map(\.author) == ["x", "y", "z"])
    }

    @Test("A bulk delete is one transaction with a change for every deleted row")
    func bulkDelete() throws {
        let context = ModelContext(try Travels.container())
        for name in ["a", "b", "c"] {
            let trip = Trip(name: name)
            trip.stay = Stay(place: name)
            context.insert(trip)
        }
        try context.save()
        context.author = "cleaner"
        try context.delete(model: Trip.self, where: #Predicate { $0.name != "b" })
        try context.save()
        let last = try #require(try all(context).last)
        #expect(last.author == "cleaner")
        #expect(last.changes.count == 4)
        let names = last.changes.compactMap { change -> String? in
            guard case .delete(let delete as DefaultHistoryDelete<Trip>) = change else { return nil }
            return delete.tombstone[\.name] as? String
        }
        #expect(names.sorted() == ["a", "c"])
    }

    // MARK: Deleting history

    @Test("History before a token is deleted; the token itself stays valid, older ones expire")
    func expiredTokens() throws {
        let context = ModelContext(try Travels.container())
        try Travels.save("a", "b", "c", "d", in: context)
        let history = try all(context)
        let (old, token) = (history[0].token, history[2].token)
        try context.deleteHistory(
            HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token < token }))
        #expect(try all(context).map(\.transactionIdentifier) == [3, 4])
        let after = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token })
        #expect(try context.fetchHistory(after).map(\.transactionIdentifier) == [4])
        let expired = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > old })
        #expect(throws: SwiftDataError.historyTokenExpired) { try context.fetchHistory(expired) }
        try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
        #expect(try all(context).isEmpty)
    }

    @Test("A token of another store's history has expired")
    func tokenOfOthers() throws {
        let (context, other) = (ModelContext(try Travels.container()), ModelContext(try Travels.container()))
        try Travels.save("a", in: context)
        try Travels.save("b", in: other)
        let foreign = try #require(try all(other).last).token
        let descriptor = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > foreign })
        #expect(throws: SwiftDataError.historyTokenExpired) { try context.fetchHistory(descriptor) }
        #expect(try other.fetchHistory(descriptor).isEmpty)
    }

    @Test(
        "DV46 matching history is deleted anywhere, and readers continue past the gaps", arguments: [false, true])
    func deletingInTheMiddle(inMemory: Bool) throws {
        let context = ModelContext(try Travels.container())
        try Travels.save("first", by: "b", in: context)
        let start = try #require(try all(context).last).token
        for author in ["a", "a", "b", "a"] { try Travels.save(author, by: author, in: context) }
        var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.author == "a" })
        if inMemory { descriptor.predicate = #Predicate { $0.author == "a" && $0.changes.count == 1 } }
        try context.deleteHistory(descriptor)
        #expect(try all(context).map(\.author) == ["b", "b"])
        let after = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > start })
        #expect(try context.fetchHistory(after).map(\.transactionIdentifier) == [4])
    }

    @Test("DV46 tokens stay valid when transactions of an author are deleted, wherever those are")
    func tokensBesideHoles() throws {
        let context = ModelContext(try Travels.container())
        let own = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.author == "sync" })
        try Travels.save("a", by: "app", in: context)
        let token = try #require(try all(context).last).token
        let after = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token })
        try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
        for _ in 0..<3 {
            try Travels.save("b", "c", by: "sync", in: context)
            try context.deleteHistory(own)
            #expect(try context.fetchHistory(after).isEmpty)
        }
        try Travels.save("d", by: "app", in: context)
        #expect(try context.fetchHistory(after).map(\.author) == ["app"])
        try Travels.save("e", by: "sync", in: context)
        try context.deleteHistory(own)
        try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
        #expect(throws: SwiftDataError.historyTokenExpired) { try context.fetchHistory(after) }
    }

    @Test("With a limit, the first that match in the descriptor's order are deleted")
    func deletingWithLimit() throws {
        let context = ModelContext(try Travels.container())
        try Travels.save("a", "b", "c", "d", in: context)
        var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
        descriptor.fetchLimit = 2
        try context.deleteHistory(descriptor)
        #expect(try all(context).map(\.transactionIdentifier) == [3, 4])
        descriptor.sortBy = [SortDescriptor(\.transactionIdentifier, order: .reverse)]
        descriptor.fetchLimit = 1
        try context.deleteHistory(descriptor)
        #expect(try all(context).map(\.transactionIdentifier) == [3])
    }

    @Test("A consumer continues past deleted transactions of one author")
    func consumerBesideHoles() throws {
        let context = ModelContext(try Travels.container())
        let consumer = try HistoryConsumer("index", of: context.container)
        let own = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.author == "sync" })
        var seen: [String?] = []
        for author in ["app", "sync", "sync", "app", "sync"] {
            try Travels.save("x", by: author, in: context)
            try context.deleteHistory(own)
            try consumer.consume { seen += $0.map(\.author) }
        }
        #expect(seen == ["app", "app"])
    }

    // MARK: Files

    @Test("A file without history is opened unchanged, and a request for its history is refused")
    func historyNotRecorded() throws {
        let folder = try TestFolder()
        try makeWithoutHistory(at: folder.file())
        let context = ModelContext(try Travels.container(at: folder.file()))
        try Travels.save("a", in: context)
        #expect(throws: SwiftDataError.invalidTransactionFetchRequest) { try all(context) }
        #expect(throws: SwiftDataError.invalidTransactionFetchRequest) {
            try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
        }
        #expect(throws: SwiftDataError.invalidTransactionFetchRequest) {
            try HistoryConsumer("reader", of: context.container)
        }
    }

    @Test("Changes saved by another container are in the history that this one fetches")
    func neighbours() throws {
        let folder = try TestFolder()
        let one = ModelContext(try Travels.container(at: folder.file()))
        let two = ModelContext(try Travels.container(at: folder.file()))
        try Travels.save("a", by: "one", in: one)
        try Travels.save("b", by: "two", in: two)
        #expect(try all(one).map(\.author) == ["one", "two"])
        #expect(try all(two) == all(one))
    }

    @Test("Another type of transactions is refused")
    func otherType() throws {
        let context = ModelContext(try Travels.container())
        #expect(throws: SwiftDataError.invalidTransactionFetchRequest) {
            try context.fetchHistory(HistoryDescriptor<OtherTransaction>())
        }
    }
}

private struct OtherTransaction: HistoryTransaction {
    var id = 0
    var timestamp = Date()
    var changes: [HistoryChange] { [] }
    var token: DefaultHistoryToken
    var transactionIdentifier = 0
    var storeIdentifier = ""
    var author: String?

    static func == (lhs: OtherTransaction, rhs: OtherTransaction) -> Bool { lhs.id == rhs.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
