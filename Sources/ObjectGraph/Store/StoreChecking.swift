/// A store that finds and repairs defects of its own file.
package protocol StoreChecking: AnyObject, Sendable {
    /// Checks the whole file, in one state of the store. Changes nothing.
    func check() throws -> [StoreFinding]

    /// Plans the repair of what `check()` finds. Changes nothing, and works with a read-only store, too.
    func plannedRepair() throws -> any PlannedRepair
}

/// The repair of one store, complete before anything is written.
package protocol PlannedRepair: Sendable, CustomStringConvertible {
    /// One line for each kind of change to one property.
    var stepTexts: [String] { get }
    /// One line for each finding that remains, with the reason.
    var unrepairableTexts: [String] { get }
    /// Whether nothing would be changed.
    var isEmpty: Bool { get }

    /// Executes the plan in one transaction, completely or not at all. Contexts are not notified.
    /// - Throws: `StoreRepairError.outdatedPlan` if the store has changed since the plan was made,
    ///   `StoreAccessError.readOnly`, and errors of writing.
    func execute() throws
}
