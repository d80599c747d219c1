import Foundation
import ObjectGraph

/// A position in the history of a container's stores: for each store, the number of the last transaction.
///
/// Tokens of one store compare by these numbers. With several stores, `#Predicate { $0.token > last }` tests of each
/// transaction whether it comes after the token in its own store, so that none is missed and none is found twice.
public struct DefaultHistoryToken: HistoryToken {
    /// The type of the token's value: numbers of transactions by store.
    public typealias TokenType = [String: Int64]

    let token: ObjectGraph.HistoryToken

    init(_ token: ObjectGraph.HistoryToken) {
        self.token = token
    }

    /// A hash of the token, as its identity within a process.
    public var id: Int { token.hashValue }

    /// The numbers of transactions by `storeIdentifier`.
    public var tokenValue: [String: Int64]? { token.numbers }

    /// The identifier of the store that the token is a position of. Empty if it has positions of several stores; those are
    /// the keys of `tokenValue`.
    public var storeIdentifier: String {
        guard token.numbers.count == 1, let only = token.numbers.first else { return "" }
        return only.key
    }

    /// Decodes a token that was encoded before, also by an earlier process.
    /// - Parameter decoder: The decoder to read from.
    /// - Throws: `DecodingError` if the data is not a token.
    public init(from decoder: any Decoder) throws {
        token = try ObjectGraph.HistoryToken(from: decoder)
    }

    /// Encodes the token, so that a later process can read on from it.
    /// - Parameter encoder: The encoder to write to.
    /// - Throws: The encoder's error.
    public func encode(to encoder: any Encoder) throws {
        try token.encode(to: encoder)
    }

    /// Returns whether two tokens have the same position in the same stores.
    public static func == (lhs: DefaultHistoryToken, rhs: DefaultHistoryToken) -> Bool { lhs.token == rhs.token }
    /// Returns whether one token comes before another. For a transaction's token in a predicate, see `DefaultHistoryToken`.
    public static func < (lhs: DefaultHistoryToken, rhs: DefaultHistoryToken) -> Bool { lhs.token < rhs.token }
    /// Hashes the token by its positions.
    public func hash(into hasher: inout Hasher) { hasher.combine(token) }
}

extension DefaultHistoryToken: CustomStringConvertible {
    /// The numbers by store, for logs.
    public var description: String {
        token.numbers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    }
}
