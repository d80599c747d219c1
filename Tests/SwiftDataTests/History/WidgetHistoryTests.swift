import Foundation
import SwiftData
import Testing

// The public API of history, spelled as programs written for Apple's framework spell it. Code that need not run is in functions
// that are never called: compiling is the test.

/// A widget's changes of trips, and the token to continue from: the usual use of history.
private struct TripNews {
    let modelContainer: ModelContainer

    func findTransactions(after token: DefaultHistoryToken?, author: String) -> [DefaultHistoryTransaction] {
        var historyDescriptor = HistoryDescriptor<DefaultHistoryTransaction>()
        if let token {
            historyDescriptor.predicate = #Predicate { transaction in
                (transaction.token > token) && (transaction.author == author)
            }
        }
        var transactions: [DefaultHistoryTransaction] = []
        let taskContext = ModelContext(modelContainer)
        do {
            transactions = try taskContext.fetchHistory(historyDescriptor)
        } catch {
            Issue.record(error)
        }
        return transactions
    }

    func findTrips(in transactions: [DefaultHistoryTransaction]) -> (Set<Travels.Trip>, DefaultHistoryToken?) {
        let taskContext = ModelContext(modelContainer)
        var resultTrips: Set<Travels.Trip> = []
        for transaction in transactions {
            for change in transaction.changes {
                let modelID = change.changedPersistentIdentifier
                let fetchDescriptor = FetchDescriptor<Travels.Trip>(
                    predicate: #Predicate { trip in trip.stay?.persistentModelID == modelID })
                let fetchResults = try? taskContext.fetch(fetchDescriptor)
                guard let matchedTrip = fetchResults?.first else { continue }
                switch change {
                case .insert(_ as DefaultHistoryInsert<Travels.Stay>): resultTrips.insert(matchedTrip)
                case .update(_ as DefaultHistoryUpdate<Travels.Stay>): resultTrips.update(with: matchedTrip)
                case .delete(_ as DefaultHistoryDelete<Travels.Stay>): resultTrips.remove(matchedTrip)
                default: break
                }
            }
        }
        return (resultTrips, transactions.last?.token)
    }

    func deleteTransactions(before token: DefaultHistoryToken) throws {
        var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
        descriptor.predicate = #Predicate { $0.token < token }
        let context = ModelContext(modelContainer)
        try context.deleteHistory(descriptor)
    }
}

/// Values that leave their isolation.
private func sharedTypes() {
    func share<Value: Sendable>(_ value: Value) {}
    share(HistoryDescriptor<DefaultHistoryTransaction>())
    share([DefaultHistoryTransaction]())
    share(DefaultHistoryToken.self)
    let changes: [HistoryChange] = []
    share(changes)
}

private func partsOfChanges(
    _ insert: any HistoryInsert<Travels.Trip>, _ update: any HistoryUpdate<Travels.Trip>,
    _ delete: any HistoryDelete<Travels.Trip>
) {
    _ = insert.changedPersistentIdentifier
    let attributes: [any PartialKeyPath<Travels.Trip> & Sendable] = update.updatedAttributes
    _ = attributes.contains(\Travels.Trip.name)
    let tombstone: HistoryTombstone<Travels.Trip> = delete.tombstone
    let name: (any Sendable)? = tombstone[\.name]
    _ = name as? String
    for value in tombstone { _ = value }
}

private func partsOfTransactions<Transaction: HistoryTransaction>(
    _ transaction: Transaction
) -> (Transaction.TokenType, Transaction.TransactionIdentifier, Date, String, String?) {
    (
        transaction.token, transaction.transactionIdentifier, transaction.timestamp, transaction.storeIdentifier,
        transaction.author
    )
}

private func partsOfTokens<Token: HistoryToken>(_ token: Token) throws -> (Token.TokenType?, Data) {
    (token.tokenValue, try JSONEncoder().encode(token))
}

@Suite("History as programs use it")
struct WidgetHistoryTests {
    @Test("Trips for which a widget added an accommodation")
    func widget() throws {
        let container = try Travels.container()
        let app = ModelContext(container)
        try Travels.save("Rome", "Oslo", by: "app", in: app)
        let news = TripNews(modelContainer: container)
        let (_, start) = news.findTrips(in: news.findTransactions(after: nil, author: "app"))

        let widget = ModelContext(container)
        widget.author = "widget"
        let trips = try widget.fetch(FetchDescriptor<Travels.Trip>(predicate: #Predicate { $0.name == "Oslo" }))
        try #require(trips.first).stay = Travels.Stay(place: "Hotel")
        try widget.save()
        let transactions = news.findTransactions(after: start, author: "widget")
        let (found, token) = news.findTrips(in: transactions)
        #expect(found.map(\.name) == ["Oslo"])
        let last = try #require(token)
        #expect(news.findTransactions(after: last, author: "widget").isEmpty)
        try news.deleteTransactions(before: last)
        #expect(news.findTransactions(after: nil, author: "").map(\.author) == ["widget"])
    }
}
