import Foundation
import ObjectGraph

/// A delete that can be taken back, as a person did it: the steps of a long one belong together.
struct KeptSteps: Sendable {
    /// The oldest first; one for a delete that was done at once.
    let steps: [KeptDelete]

    /// Names the whole.
    var token: RecoveryToken { steps.first?.token ?? RecoveryToken() }
    var date: Date { steps.first?.date ?? .distantPast }
    var author: String? { steps.first?.author }
    var rowCount: Int { steps.reduce(0) { $0 + $1.rowCount } }
    var linkCount: Int { steps.reduce(0) { $0 + $1.linkCount } }
    var byteCount: Int64 { steps.reduce(0) { $0 + $1.byteCount } }

    var summary: String {
        let first = steps.first?.summary ?? ""
        return steps.count < 2 ? first : "\(steps.count) steps; the first: \(first)"
    }

    /// The oldest first.
    static func all(_ deletes: [KeptDelete]) -> [KeptSteps] {
        var order: [[UInt8]] = []
        var groups: [[UInt8]: [KeptDelete]] = [:]
        for delete in deletes {
            let name = common(delete.token)
            if groups[name] == nil { order.append(name) }
            groups[name, default: []].append(delete)
        }
        return order.map { KeptSteps(steps: groups[$0] ?? []) }
    }

    static func named(_ token: RecoveryToken, among deletes: [KeptDelete]) -> KeptSteps? {
        all(deletes).first { common($0.token) == common(token) }
    }

    /// The number of a step is in the last four bytes of its token.
    private static func common(_ token: RecoveryToken) -> [UInt8] {
        withUnsafeBytes(of: token.uuid.uuid) { Array($0.prefix(12)) }
    }
}
