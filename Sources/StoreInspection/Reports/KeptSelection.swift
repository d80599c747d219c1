import Foundation
import ObjectGraph

/// Finds kept deletes by what a person can type: a token, its beginning, or the identifier of a delete that was done in
/// steps.
package struct KeptSelection: Sendable {
    private let kept: [KeptDelete]

    package init(_ kept: [KeptDelete]) { self.kept = kept }

    /// - Returns: in the order they are to be restored.
    /// - Throws: `InspectionError.badInput`.
    package func deletes(_ text: String) throws -> [KeptDelete] {
        let wanted = text.uppercased()
        let matches = kept.filter { $0.token.description.hasPrefix(wanted) }
        if matches.count == 1 { return matches }
        if matches.count > 1 {
            throw InspectionError.badInput("\(matches.count) kept deletes begin with \(text); give more of the token.")
        }
        let steps = UUID(uuidString: text).map(steps) ?? []
        guard !steps.isEmpty else {
            throw InspectionError.badInput(
                kept.isEmpty
                    ? "No delete can be taken back in this store."
                    : "No delete is kept under \(text); it was restored or given up. `modelstore restore FILE` lists them."
            )
        }
        return steps
    }

    /// Steps that are kept still; some may have been given up.
    private func steps(of job: UUID) -> [KeptDelete] {
        let byToken = Dictionary(kept.map { ($0.token, $0) }, uniquingKeysWith: { first, _ in first })
        var found: [KeptDelete] = []
        var number = 0
        var missing = 0
        while missing < 1000, found.count < kept.count {
            if let delete = byToken[RecoveryToken(chunk: number, of: job)] {
                found.append(delete)
                missing = 0
            } else {
                missing += 1
            }
            number += 1
        }
        return found.reversed()
    }
}
