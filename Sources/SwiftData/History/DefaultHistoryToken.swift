import Foundation
import ObjectGraph

/// A place in the history of a container's stores: by store, the number of the last transaction.
///
/// Tokens of one store compare by their numbers. With several stores, `#Predicate { $0.token > last }` asks of each
/// transaction whether it comes after the token in its own store, so that nothing is missed and nothing comes twice.
public struct DefaultHistoryToken: HistoryToken {
    public typealias TokenType = [String: Int64]

    let token: ObjectGraph.HistoryToken

    init(_ token: ObjectGraph.HistoryToken) {
        self.token = token
    }

    public var id: Int { token.hashValue }

    /// Numbers of transactions by `storeIdentifier`.
    public var tokenValue: [String: Int64]? { token.numbers }

    public init(from decoder: any Decoder) throws {
        token = try ObjectGraph.HistoryToken(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        try token.encode(to: encoder)
    }

    public static func == (lhs: DefaultHistoryToken, rhs: DefaultHistoryToken) -> Bool { lhs.token == rhs.token }
    public static func < (lhs: DefaultHistoryToken, rhs: DefaultHistoryToken) -> Bool { lhs.token < rhs.token }
    public func hash(into hasher: inout Hasher) { hasher.combine(token) }
}

extension DefaultHistoryToken: CustomStringConvertible {
    public var description: String {
        token.numbers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    }
}
