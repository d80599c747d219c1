/// A place in the history, to read on from. May be encoded, and used in a later run of the program.
public protocol HistoryToken: Comparable, Decodable, Encodable, Hashable, Identifiable, Sendable {
    associatedtype TokenType: Decodable, Encodable, Hashable, Sendable

    var tokenValue: TokenType? { get }
}
