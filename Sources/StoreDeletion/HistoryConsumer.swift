import Foundation
import ObjectGraph

/// A reader of a program's history that continues where it stopped: a widget, an uploader, an index. The place it has reached
/// is kept in the stores' files under its name, for the next run of the program, and history that every consumer has read can
/// be deleted.
///
/// ```swift
/// let uploader = try HistoryConsumer("uploader", of: container, ignoring: ["uploader"])
/// try uploader.consume { transactions in
///     try upload(transactions)
/// }
/// ```
///
/// Contexts of SwiftData need no consumer: they take in what others save by themselves. Contexts of Core Data can be passed to
/// `consume(mergingInto:keepingHistoryFor:_:)`.
public final class HistoryConsumer<Transaction>: Sendable {
    public let name: String
    /// Transactions with these authors are not passed on.
    public let ignoredAuthors: Set<String>
    private let files: HistoryFiles
    private let start: ConsumerStart
    private let transaction: @Sendable (HistoryTransaction) -> Transaction

    /// Where a consumer of a new name begins.
    public enum Start: Sendable {
        /// At the oldest transaction that there still is.
        case beginning
        /// At what is saved from now on.
        case now
    }

    /// - Parameter transaction: one of the face's for one of the engine's.
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

    /// Passes on what is new, some transactions at a time, in the order of each store. Then history that every registered
    /// consumer has read is deleted.
    ///
    /// The place is noted when `body` returns. If `body` throws, or the process ends, the same transactions come again.
    /// - Parameters:
    ///   - age: in seconds; younger history is not deleted.
    ///   - body: gets transactions of one store, the oldest first.
    /// - Returns: The number of transactions that were passed on.
    /// - Throws: `SwiftDataError.historyTokenExpired` or, with Core Data, `CocoaError` 134301 when history was deleted that this
    ///   consumer has not read: read all objects again, and call `skipToNow()`. What `body` throws, and what reading and writing
    ///   throws.
    /// - Complexity: A few statements for each store, and for each page of transactions.
    @discardableResult
    public func consume(
        keepingHistoryFor age: TimeInterval = 0, _ body: ([Transaction]) throws -> Void = { _ in }
    ) throws -> Int {
        try consumePages(keepingHistoryFor: age) { try body($1) }
    }

    /// The same with the engine's transactions beside the face's.
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

    /// Passes over everything that it has not read.
    /// - Throws: What writing the stores throws.
    public func skipToNow() throws {
        try files.each { try $0.restartHistoryConsumer(name) }
    }

    /// Removes the name from the stores: history no longer waits for it.
    /// - Throws: What writing the stores throws.
    public func unregister() throws {
        try files.each { try $0.removeHistoryConsumer(name) }
    }
}

extension HistoryConsumer {
    /// A name that history is kept for.
    public struct Registration: Sendable, Hashable {
        public let name: String
        /// When it last noted its place, in any store.
        public let lastRead: Date
        /// The last transaction of each store that it has dealt with.
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

/// The stores of a face that keep a history, and the errors that the face has for it.
package struct HistoryFiles: Sendable {
    let stores: @Sendable () throws -> [any HistoryKeeping]
    let faceError: @Sendable (any Error) -> any Error

    package init(
        _ stores: @escaping @Sendable () throws -> [any HistoryKeeping],
        faceError: @escaping @Sendable (any Error) -> any Error
    ) {
        self.stores = stores
        self.faceError = faceError
    }

    func each(_ body: (any HistoryKeeping) throws -> Void) throws {
        do {
            for store in try stores() { try body(store) }
        } catch let failure as BodyFailure {
            throw failure.error
        } catch {
            throw faceError(error)
        }
    }
}

/// An error of the program's own work, wrapped on its way through the store.
private struct BodyFailure: Error {
    let error: any Error
}
