import Foundation
import ObjectGraph
import SQLiteStore

/// Somebody who reads the history of a container's stores again and again: a widget, an uploader, an index. How far it has
/// come stands in the stores' files under its name, so that it goes on from there in the next run of the program, and
/// history that every consumer has read can be forgotten.
///
/// ```swift
/// let uploader = try HistoryConsumer("uploader", of: container, ignoring: ["uploader"])
/// try uploader.consume { transactions in
///     try upload(transactions)
/// }
/// ```
///
/// Contexts of the container need no consumer: they take in what others saved by themselves.
public final class HistoryConsumer: Sendable {
    public let name: String
    /// Transactions with these authors are not handed on.
    public let ignoredAuthors: Set<String>
    private let core: ContainerCore
    private let start: ConsumerStart

    /// From where a consumer of a new name reads.
    public enum Start: Sendable {
        /// From the oldest transaction that there still is.
        case beginning
        /// What is saved from now on.
        case now
    }

    /// Registers the name in every store, or goes on where it was. From now on history that it has not read waits for it:
    /// end a name that is not used any more with `unregister()`.
    /// - Parameters:
    ///   - name: one for each purpose; used by one process at a time.
    ///   - authors: of saves that are not handed on, such as its own.
    /// - Throws: `CocoaError.fileWriteNoPermission` for a read-only store, `SwiftDataError.invalidTransactionFetchRequest`
    ///   where no store keeps a history, or what writing throws.
    public init(
        _ name: String, of container: ModelContainer, from start: Start = .now, ignoring authors: Set<String> = []
    ) throws {
        self.name = name
        ignoredAuthors = authors
        core = container.core
        self.start =
            switch start {
            case .beginning: .beginning
            case .now: .now
            }
        try eachFile { try $0.registerHistoryConsumer(name, from: self.start) }
    }

    /// Hands on what is new, some transactions at a time, in the order of each store; then history that every registered
    /// consumer has read is forgotten.
    ///
    /// What was handed on is noted when `body` returns. If it throws, or the process dies, the same transactions come again.
    /// - Parameters:
    ///   - age: in seconds; younger history is not forgotten.
    ///   - body: gets transactions of one store, the oldest first.
    /// - Returns: How many transactions were handed on.
    /// - Throws: `SwiftDataError.historyTokenExpired` when somebody forgot history that this consumer had not read: read all
    ///   models again, and call `skipToNow()`. What `body` throws, and what reading and writing throws.
    @discardableResult
    public func consume(
        keepingHistoryFor age: TimeInterval = 0, _ body: ([DefaultHistoryTransaction]) throws -> Void
    ) throws -> Int {
        var count = 0
        try eachFile { store in
            let consumption = HistoryConsumption(store, name: name, from: start)
            count += try consumption.run(ignoring: ignoredAuthors, keeping: age) { page in
                try body(page.map { DefaultHistoryTransaction($0, token: $0.token, core) })
            }
        }
        return count
    }

    /// Passes over everything that it has not read.
    public func skipToNow() throws {
        try eachFile { try $0.restartHistoryConsumer(name) }
    }

    /// Nobody waits for the name any more.
    public func unregister() throws {
        try eachFile { try $0.removeHistoryConsumer(name) }
    }

    private func eachFile(_ body: (SQLiteStore) throws -> Void) throws {
        try Self.mapping { for store in try core.filesWithHistory() { try body(store) } }
    }
}

extension HistoryConsumer {
    /// A name that history is kept for.
    public struct Registration: Sendable, Hashable {
        public let name: String
        /// The last transaction of each store that was dealt with.
        public let token: DefaultHistoryToken
        /// When it last said so, in any store.
        public let lastRead: Date
    }

    /// Every name that history is kept for, by name: one that has not read for long keeps history from being forgotten.
    public static func registrations(in container: ModelContainer) throws -> [Registration] {
        try mapping {
            let perStore = try container.core.filesWithHistory().map { ($0.identifier, try $0.historyConsumers()) }
            return RegisteredConsumer.joined(perStore).map {
                Registration(
                    name: $0.name, token: DefaultHistoryToken($0.token),
                    lastRead: Date(timeIntervalSinceReferenceDate: $0.time))
            }
        }
    }

    fileprivate static func mapping<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw ErrorMapping.history(error)
        }
    }
}
