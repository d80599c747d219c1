/// Why a planned repair was not executed.
package enum StoreRepairError: Error, Hashable, CustomStringConvertible {
    /// The store has changed since the plan was made, or the plan belongs to another store. Nothing was written.
    case outdatedPlan

    package var description: String {
        "The store has changed since the repair was planned; nothing was written. Make a new plan and look at it."
    }
}
