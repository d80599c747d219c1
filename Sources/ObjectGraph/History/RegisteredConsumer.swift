import Foundation

/// A reader of a store's history that is registered in the file, so that no transaction is pruned before all consumers
/// have read it.
package struct RegisteredConsumer: Sendable, Hashable {
    package let name: String
    /// The number of the last processed transaction; 0 for none.
    package let number: Int64
    /// The time of the last registration of progress, in seconds since 2001-01-01 UTC.
    package let time: Double

    package init(name: String, number: Int64, time: Double) {
        self.name = name
        self.number = number
        self.time = time
    }
}

/// The start position of a new consumer.
package enum ConsumerStart: Sendable, Hashable {
    /// The oldest existing transaction.
    case beginning
    /// Only future saves.
    case now

    /// Returns the number of the last transaction before the position.
    package func number(in range: HistoryRange) -> Int64 {
        switch self {
        case .beginning: range.oldest.map { $0 - 1 } ?? range.newest
        case .now: range.newest
        }
    }
}

extension [RegisteredConsumer] {
    /// Returns the number of the oldest transaction to keep for consumers or because of its age; 0 without consumers.
    /// - Parameter first: Returns the number of the first transaction since a time.
    package func firstAwaited(keeping seconds: Double, since first: (Double) throws -> Int64?) rethrows -> Int64 {
        guard let slowest = map(\.number).min() else { return 0 }
        guard seconds > 0 else { return slowest }
        return Swift.min(slowest, try first(Date().timeIntervalSinceReferenceDate - seconds) ?? slowest)
    }
}

extension RegisteredConsumer {
    /// A consumer registered with the same name in several stores.
    package struct Joined: Sendable, Hashable {
        package let name: String
        package fileprivate(set) var token: HistoryToken
        /// The latest time, in seconds since 2001-01-01 UTC.
        package fileprivate(set) var time: Double
    }

    /// Joins consumers by name.
    /// - Parameter perStore: The identifiers of stores, with the consumers registered there.
    package static func joined(_ perStore: [(storeIdentifier: String, consumers: [RegisteredConsumer])]) -> [Joined] {
        var byName: [String: Joined] = [:]
        for (store, consumers) in perStore {
            for consumer in consumers {
                let token = HistoryToken([store: consumer.number])
                var joined = byName[consumer.name] ?? Joined(name: consumer.name, token: token, time: consumer.time)
                joined.token = joined.token.merged(with: token)
                joined.time = max(joined.time, consumer.time)
                byName[consumer.name] = joined
            }
        }
        return byName.values.sorted { $0.name < $1.name }
    }
}
