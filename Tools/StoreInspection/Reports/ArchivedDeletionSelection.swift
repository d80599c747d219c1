import Foundation
import ObjectGraph

/// An archived deletion as the user made it; the steps of a long one form one group.
package struct ArchivedDeletionGroup: Sendable {
    /// In the order of execution. A delete in one transaction has one step.
    package let steps: [ArchivedDelete]

    /// The token of the whole group.
    package var token: RecoveryToken { steps.first?.token ?? RecoveryToken() }
    package var date: Date { steps.first?.date ?? .distantPast }
    package var author: String? { steps.first?.author }
    package var rowCount: Int { steps.map(\.rowCount).saturatingSum() }
    package var linkCount: Int { steps.map(\.linkCount).saturatingSum() }
    /// In bytes.
    package var byteCount: Int64 { steps.map(\.byteCount).saturatingSum() }

    /// The last step is restored first.
    package var inOrderOfRestoring: [ArchivedDelete] { steps.reversed() }
}

/// Finds archived deletions by a typed token or its beginning.
package struct ArchivedDeletionSelection: Sendable {
    package let groups: [ArchivedDeletionGroup]

    /// - Parameter kept: oldest first, as a store lists them.
    package init(_ kept: [ArchivedDelete]) {
        var places: [String: Int] = [:]
        var groups: [[ArchivedDelete]] = []
        for delete in kept {
            let name = Self.common(delete.token)
            if let place = places[name] {
                groups[place].append(delete)
            } else {
                places[name] = groups.count
                groups.append([delete])
            }
        }
        self.groups = groups.map(ArchivedDeletionGroup.init)
    }

    /// The tokens of one delete's steps differ only in their last four bytes (`RecoveryToken.init(chunk:of:)`).
    private static func common(_ token: RecoveryToken) -> String { String(token.description.prefix(28)) }

    /// Shorter prefixes are rejected, so that a typing error does not select a delete.
    private static let shortestBeginning = 4

    /// - Throws: `InspectionError.badInput` unless the text matches exactly one delete.
    package func group(_ text: String) throws -> ArchivedDeletionGroup {
        guard !groups.isEmpty else { throw InspectionError.badInput("No delete can be restored in this store.") }
        guard text.count >= Self.shortestBeginning else {
            throw InspectionError.badInput(
                "Give at least \(Self.shortestBeginning) characters of the token. `modelstore restore FILE` lists them."
            )
        }
        let wanted = text.uppercased()
        let matches = groups.filter { group in
            group.steps.contains { $0.token.description.hasPrefix(wanted) }
                || (wanted.count == 36 && Self.isToken(wanted) && wanted.hasPrefix(Self.common(group.token)))
        }
        if let match = matches.first, matches.count == 1 { return match }
        if matches.count > 1 {
            throw InspectionError.badInput(
                "\(Amounts.count(matches.count)) kept deletes begin with \(text); give more of the token.")
        }
        throw InspectionError.badInput(
            "No delete is kept under \(text); it was restored or given up. `modelstore restore FILE` lists them.")
    }

    private static func isToken(_ text: String) -> Bool { RecoveryToken(text) != nil }
}
