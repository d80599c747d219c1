import Foundation

/// Names one archived deletion. The same in every store that the deletion changed.
package struct RecoveryToken: Sendable, Hashable {
    package let uuid: UUID

    package init(uuid: UUID = UUID()) { self.uuid = uuid }

    /// - Returns: `nil` unless the text is a UUID.
    package init?(_ text: String) {
        guard let uuid = UUID(uuidString: text) else { return nil }
        self.uuid = uuid
    }
}

extension RecoveryToken: CustomStringConvertible {
    /// The UUID as upper-case text.
    package var description: String { uuid.uuidString }
}

/// Whether a deletion can be restored after it is saved.
package enum Recovery: Sendable, Hashable {
    case none
    /// Deleted rows and nullified references are archived under the token until they are restored or discarded.
    case archived(RecoveryToken)

    /// Archives the deletion under a new token.
    package static func archived() -> Recovery { .archived(RecoveryToken()) }

    package var token: RecoveryToken? {
        switch self {
        case .none: nil
        case .archived(let token): token
        }
    }
}
