import Foundation

extension Progress {
    /// Sets the number of units of all the work. Work that had any units and has none left counts as one unit: Foundation
    /// outside Apple's systems divides by the new total without a check, and ends the process where that is 0.
    package func setTotal(_ total: Int64) {
        totalUnitCount = total == 0 && totalUnitCount > 0 ? 1 : total
    }
}
