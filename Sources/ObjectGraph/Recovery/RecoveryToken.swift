import Foundation

/// Names one delete whose rows are kept. The same in every store that the delete reached.
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

/// Whether a delete can be taken back after it is saved.
package enum Recovery: Sendable, Hashable {
    case none
    /// What went, and what was cut loose, is kept under the token until it is restored or purged.
    case kept(RecoveryToken)

    /// Under a new token.
    package static func kept() -> Recovery { .kept(RecoveryToken()) }

    package var token: RecoveryToken? {
        switch self {
        case .none: nil
        case .kept(let token): token
        }
    }
}
