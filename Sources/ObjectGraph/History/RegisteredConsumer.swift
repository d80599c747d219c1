/// Somebody who reads a store's history again and again, and has said so in the file, so that no transaction is forgotten
/// before everybody has read it.
package struct RegisteredConsumer: Sendable, Hashable {
    package let name: String
    /// Number of the last transaction it has dealt with; 0 for none.
    package let number: Int64
    /// When it last said so, in seconds since 2001-01-01 UTC.
    package let time: Double

    package init(name: String, number: Int64, time: Double) {
        self.name = name
        self.number = number
        self.time = time
    }
}

/// From where a new consumer reads.
package enum ConsumerStart: Sendable, Hashable {
    /// From the oldest transaction that there still is.
    case beginning
    /// What is saved from now on.
    case now
}

extension RegisteredConsumer {
    /// The same name in several stores.
    package struct Joined: Sendable, Hashable {
        package let name: String
        package fileprivate(set) var token: HistoryToken
        /// The latest, in seconds since 2001-01-01 UTC.
        package fileprivate(set) var time: Double
    }

    /// By name.
    /// - Parameter perStore: identifiers of stores, and who is registered there.
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
