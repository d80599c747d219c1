/// A position in the history from which to read on. It can be encoded and used by a later process.
public protocol HistoryToken: Comparable, Decodable, Encodable, Hashable, Identifiable, Sendable {
    /// The type of the token's value.
    associatedtype TokenType: Decodable, Encodable, Hashable, Sendable

    /// The value of the token; `nil` for none.
    var tokenValue: TokenType? { get }
    /// The identifier of the store that the token is a position of.
    var storeIdentifier: String { get }
}

extension HistoryToken {
    /// An empty text, for tokens that do not know their store.
    public var storeIdentifier: String { "" }
}
