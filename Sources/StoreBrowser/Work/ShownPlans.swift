import Foundation
import ObjectGraph

/// A plan as a page showed it: what is confirmed is this one, and not whatever the same words would mean later.
struct ShownPlan: Sendable {
    let id: UUID
    let request: DeleteRequest
    let plan: DeletePlan
    /// `3 Category and 1,204 more rows`.
    let subject: String
    /// What the page was asked for, to make the plan again.
    let wish: [(String, String?)]
}

/// The last plans that were shown.
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
