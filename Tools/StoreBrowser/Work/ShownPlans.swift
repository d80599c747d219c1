import Foundation
import ObjectGraph

/// A plan as a page showed it. Confirming it carries out exactly this plan; the request is not evaluated again.
struct ShownPlan: Sendable {
    let id: UUID
    let request: DeleteRequest
    let plan: DeletePlan
    /// `3 Category and 1,204 more rows`.
    let subject: String
    /// The page's parameters, to make the plan again.
    let parameters: [(String, String?)]
}

/// The most recently shown plans.
struct ShownPlans: Sendable {
    private let plans = Locked<[ShownPlan]>([])
    private static let most = 16

    func remember(_ plan: ShownPlan) {
        plans.withLock { plans in
            plans.append(plan)
            if plans.count > Self.most { plans.removeFirst(plans.count - Self.most) }
        }
    }

    /// - Returns: the plan, which cannot be confirmed a second time unless it is remembered again.
    func take(_ id: UUID) -> ShownPlan? {
        plans.withLock { plans in
            plans.firstIndex { $0.id == id }.map { plans.remove(at: $0) }
        }
    }
}
