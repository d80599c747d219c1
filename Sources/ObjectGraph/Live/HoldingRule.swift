/// When the rows of an aggregate are held, so that changes are followed, and when the store computes its groups.
///
/// To hold all rows costs as much as computing their groups some sixteen times. So those of large tables are held after that
/// many changes of few rows in succession. Changes of many rows, as programs make that load data, come faster than rows are
/// held, and are soon too many to be listed: then the rows held are given up, and it takes twice as many changes the next time.
package struct HoldingRule: Sendable {
    /// The number of rows that are held at once.
    let rowsHeldAtOnce: Int
    private var changesUntilHeld: Int
    /// Of few rows, since the last one of many.
    private var changes = 0

    private static let fewRows = 16
    /// For fewer rows, either costs little.
    package static let usualRowsHeldAtOnce = 10_000

    package init(rowsHeldAtOnce: Int = Self.usualRowsHeldAtOnce) {
        self.init(rowsHeldAtOnce: rowsHeldAtOnce, changesUntilHeld: 16)
    }

    private init(rowsHeldAtOnce: Int, changesUntilHeld: Int) {
        (self.rowsHeldAtOnce, self.changesUntilHeld) = (rowsHeldAtOnce, changesUntilHeld)
    }

    /// Rows are never held: the store computes the groups after each change that concerns them.
    static let never = HoldingRule(rowsHeldAtOnce: -1, changesUntilHeld: .max)

    func holds(_ summary: GroupSummary) -> Bool {
        summary.rowCount <= rowsHeldAtOnce || changes >= changesUntilHeld
    }

    /// Notes a change while the rows are not held.
    mutating func noteChange(ofRows count: Int) {
        changes = count <= Self.fewRows ? changes + 1 : 0
    }

    /// Notes a change that cannot be followed while rows are held.
    mutating func noteRowsGivenUp() {
        if changes >= changesUntilHeld { changesUntilHeld = min(changesUntilHeld * 2, 1 << 16) }
        changes = 0
    }
}
