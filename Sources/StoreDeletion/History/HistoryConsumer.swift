import Foundation
import ObjectGraph

/// A named reader of the stores' history that continues where it stopped: a widget, an uploader, an index.
///
/// The consumer's position is kept in the stores' files under its name, for the next run of the program. History that every
/// consumer has read can be deleted.
///
/// ```swift
/// let uploader = try HistoryConsumer("uploader", of: container, ignoring: ["uploader"])
/// try uploader.consume { transactions in
///     try upload(transactions)
/// }
/// ```
///
/// Contexts of SwiftData need no consumer, because they merge saves of other contexts and processes by themselves. Contexts of Core
/// Data can be passed to `consume(mergingInto:keepingHistoryFor:_:)`.
public final class HistoryConsumer<Transaction>: Sendable {
    /// The name under which the position is kept.
    public let name: String
    /// The authors whose transactions are not passed on.
    public let ignoredAuthors: Set<String>
    private let files: HistoryFiles
    private let start: ConsumerStart
    private let transaction: @Sendable (HistoryTransaction) -> Transaction

    /// The position at which a consumer with a new name begins.
    public enum Start: Sendable {
        /// The oldest transaction that is still in the history.
        case beginning
        /// The first transaction saved after the registration.
        case now
    }

    /// - Parameter transaction: makes the face's transaction from the engine's.
    package init(
        _ name: String, _ files: HistoryFiles, from start: Start, ignoring authors: Set<String>,
        transaction: @escaping @Sendable (HistoryTransaction) -> Transaction
    ) throws {
        self.name = name
        ignoredAuthors = authors
        self.files = files
        self.transaction = transaction
        self.start =
            switch start {
            case .beginning: .beginning
            case .now: .now
            }
        try files.each { try $0.registerHistoryConsumer(name, from: self.start) }
    }

    /// Passes on new transactions page by page, in the order of each store, and then deletes history that every registered consumer
    /// has read.
    ///
    /// The position is saved when `body` returns. If `body` throws, or the process ends, the same transactions are passed again.
    /// - Parameters:
    ///   - age: in seconds; younger history is not deleted.
    ///   - body: receives transactions of one store, the oldest first.
    /// - Returns: The number of transactions that were passed on.
    /// - Throws: `SwiftDataError.historyTokenExpired` or, with Core Data, `CocoaError` 134301 when history was deleted that this
    ///   consumer has not read: read all objects again, and call `skipToNow()`. Errors of `body`, and of reading and writing.
    /// - Complexity: A few statements for each store, and for each page of transactions.
    @discardableResult
    public func consume(
        keepingHistoryFor age: TimeInterval = 0, _ body: ([Transaction]) throws -> Void = { _ in }
    ) throws -> Int {
        try consumePages(keepingHistoryFor: age) { try body($1) }
    }

    /// Passes on the engine's transactions beside the face's.
    package func consumePages(
        keepingHistoryFor age: TimeInterval, _ body: ([HistoryTransaction], [Transaction]) throws -> Void
    ) throws -> Int {
        var count = 0
        try files.each { store in
            let consumption = HistoryConsumption(store, name: name, from: start)
            count += try consumption.run(ignoring: ignoredAuthors, keeping: age) { page in
                do {
                    try body(page, page.map(transaction))
                } catch {
                    throw BodyFailure(error: error)
                }
            }
        }
        return count
    }

    /// Moves the position past all transactions saved so far.
    /// - Throws: Errors of writing the stores.
    public func skipToNow() throws {
        try files.each { try $0.restartHistoryConsumer(name) }
    }

    /// Removes the name from the stores, so that history is no longer kept for this consumer.
    /// - Throws: Errors of writing the stores.
    public func unregister() throws {
        try files.each { try $0.removeHistoryConsumer(name) }
    }
}

extension HistoryConsumer {
    /// A registered name that history is kept for.
    public struct Registration: Sendable, Hashable {
        /// The name of the consumer.
        public let name: String
        /// The time at which the consumer last saved its position, in any store.
        public let lastRead: Date
        /// The last transaction of each store that the consumer has read.
        package let place: HistoryToken
    }

    package static func registrations(in files: HistoryFiles) throws -> [Registration] {
        var perStore: [(String, [RegisteredConsumer])] = []
        try files.each { perStore.append(($0.identifier, try $0.historyConsumers())) }
        return RegisteredConsumer.joined(perStore).map {
            Registration(name: $0.name, lastRead: Date(timeIntervalSinceReferenceDate: $0.time), place: $0.token)
        }
    }
}

/// The stores of a face that keep a history, and the face's errors for it.
package struct HistoryFiles: Sendable {
    let stores: @Sendable () throws -> [any HistoryRecording]
    let faceError: @Sendable (any Error) -> any Error

    package init(
        _ stores: @escaping @Sendable () throws -> [any HistoryRecording],
        faceError: @escaping @Sendable (any Error) -> any Error
    ) {
        self.stores = stores
        self.faceError = faceError
    }

    func each(_ body: (any HistoryRecording) throws -> Void) throws {
        do {
            for store in try stores() { try body(store) }
        } catch let failure as BodyFailure {
            throw failure.error
        } catch {
            throw faceError(error)
        }
    }
}

/// An error thrown by the program's own code, wrapped on its way through the store.
private struct BodyFailure: Error {
    let error: any Error
}
