import Foundation
import ObjectGraph

/// What a delete can be taken back by, after it was saved. Keep it as long as an undo is offered; it may be encoded and
/// used in a later run of the program.
public struct DeletionToken: Sendable, Hashable, Codable {
    /// The last first: a delete in chunks is taken back chunk by chunk.
    let tokens: [RecoveryToken]

    init(_ token: RecoveryToken) { tokens = [token] }

    /// - Returns: `nil` for no chunks.
    init?(chunks: [RecoveryToken]) {
        guard !chunks.isEmpty else { return nil }
        tokens = chunks
    }

    public init(from decoder: any Decoder) throws {
        tokens = try decoder.singleValueContainer().decode([UUID].self).map { RecoveryToken(uuid: $0) }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(tokens.map(\.uuid))
    }
}

/// A delete that can still be taken back.
public struct KeptDeletion: Sendable, Hashable {
    public let token: DeletionToken
    public let date: Date
    public let author: String?
    /// Classes, relationships and numbers; no values.
    public let summary: String
    /// Models that would come back.
    public let count: Int
    /// About what is kept in the store's file and beside it.
    public let byteCount: Int64

    init(_ kept: KeptDelete) {
        token = DeletionToken(kept.token)
        date = kept.date
        author = kept.author
        summary = kept.summary
        count = kept.rowCount
        byteCount = kept.byteCount
    }
}

/// What taking a delete back did.
public struct RestoredDeletion: Sendable {
    /// Models that are back.
    public internal(set) var restored: [PersistentIdentifier] = []
    /// Models that have their links again.
    public internal(set) var relinked: [PersistentIdentifier] = []
    /// What was left out, one line each. It is still kept.
    public internal(set) var skipped: [String] = []
}

/// A delete that cannot be taken back. Nothing was changed.
public enum RestorationError: Error, Sendable, Hashable {
    /// Something stands in the way, one line each: a unique value taken since, an end that no longer exists.
    case conflicts([String])
    /// The delete was taken back or given up already, or another store has it.
    case unknownToken
    /// The store cannot keep deletes.
    case notSupported
    /// Anything else, in words.
    case failed(String)

    init(_ error: RecoveryError) {
        switch error {
        case .conflicts(let conflicts): self = .conflicts(conflicts.map(\.description))
        case .unknownToken: self = .unknownToken
        case .tokenInUse, .otherModel: self = .failed(error.description)
        }
    }
}

extension RestorationError: LocalizedError, CustomStringConvertible {
    public var description: String {
        switch self {
        case .conflicts(let lines): "Nothing was restored. " + lines.prefix(5).joined(separator: " ")
        case .unknownToken: "The delete was taken back or given up already, or was done in another store."
        case .notSupported: "The store cannot keep what is deleted."
        case .failed(let text): text
        }
    }

    public var errorDescription: String? { description }
}
