import Foundation
import ObjectGraph

/// What an archived deletion is restored or discarded by. It may be encoded and used in a later run of the program.
///
/// Deletions by predicate that one save of SwiftData carries out have one token. So do all chunks of a long deletion.
public struct DeletionToken: Sendable, Hashable, Codable {
    /// In the order in which they are restored: the last chunk first.
    package let tokens: [RecoveryToken]

    package init(_ token: RecoveryToken) { tokens = [token] }

    /// - Returns: `nil` for none.
    package init?(_ tokens: [RecoveryToken]) {
        guard !tokens.isEmpty else { return nil }
        self.tokens = tokens
    }

    public init(from decoder: any Decoder) throws {
        tokens = try decoder.singleValueContainer().decode([UUID].self).map { RecoveryToken(uuid: $0) }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(tokens.map(\.uuid))
    }
}
