import Foundation

extension Progress {
    /// Sets the total number of units. If it becomes 0, uses 1 instead: Foundation on other systems than Apple's
    /// divides by the new total without a check, which would crash.
    package func setTotal(_ total: Int64) {
        totalUnitCount = total == 0 && totalUnitCount > 0 ? 1 : total
    }
}
