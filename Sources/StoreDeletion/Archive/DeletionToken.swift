import Foundation
import ObjectGraph

/// A token that restores or discards an archived deletion. It can be encoded and used in a later run of the program.
///
/// All deletions by predicate of one save of SwiftData share one token. So do all chunks of a long deletion.
public struct DeletionToken: Sendable, Hashable, Codable {
    /// In restoring order: the last chunk first.
    package let tokens: [RecoveryToken]

    package init(_ token: RecoveryToken) { tokens = [token] }

    /// - Returns: `nil` for an empty list.
    package init?(_ tokens: [RecoveryToken]) {
        guard !tokens.isEmpty else { return nil }
        self.tokens = tokens
    }

    /// Decodes a token from a list of UUIDs.
    /// - Throws: `DecodingError` for anything else.
    public init(from decoder: any Decoder) throws {
        tokens = try decoder.singleValueContainer().decode([UUID].self).map { RecoveryToken(uuid: $0) }
    }

    /// Encodes the token as a list of UUIDs.
    /// - Throws: Errors of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(tokens.map(\.uuid))
    }
}
