import Foundation
import ObjectGraph

/// A delete that can be taken back, as a person did it: the steps of a long one belong together.
package struct KeptGroup: Sendable {
    /// In the order they were done; one for a delete that was done at once.
    package let steps: [KeptDelete]

    /// What names the whole.
    package var token: RecoveryToken { steps.first?.token ?? RecoveryToken() }
    package var date: Date { steps.first?.date ?? .distantPast }
    package var author: String? { steps.first?.author }
    package var rowCount: Int { steps.map(\.rowCount).saturatingSum() }
    package var linkCount: Int { steps.map(\.linkCount).saturatingSum() }
    /// In bytes.
    package var byteCount: Int64 { steps.map(\.byteCount).saturatingSum() }

    /// The last step comes back first.
    package var inOrderOfRestoring: [KeptDelete] { steps.reversed() }
}

/// Finds kept deletes by what a person can type: a token, or its beginning.
package struct KeptSelection: Sendable {
    package let groups: [KeptGroup]

    /// - Parameter kept: the oldest first, as a store lists them.
    package init(_ kept: [KeptDelete]) {
        var places: [String: Int] = [:]
        var groups: [[KeptDelete]] = []
        for delete in kept {
            let name = Self.common(delete.token)
            if let place = places[name] {
                groups[place].append(delete)
            } else {
                places[name] = groups.count
                groups.append([delete])
            }
        }
        self.groups = groups.map(KeptGroup.init)
    }

    /// Tokens of one delete's steps differ in their last four bytes only (`RecoveryToken.init(chunk:of:)`).
    private static func common(_ token: RecoveryToken) -> String { String(token.description.prefix(28)) }

    /// A slip of the finger must not choose a delete.
    private static let shortestBeginning = 4

    /// - Throws: `InspectionError.badInput` unless the text is one delete's.
    package func group(_ text: String) throws -> KeptGroup {
        guard !groups.isEmpty else { throw InspectionError.badInput("No delete can be taken back in this store.") }
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
