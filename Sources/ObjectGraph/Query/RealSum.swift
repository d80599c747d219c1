/// A sum of reals that does not depend on their order: rounding errors are kept with the sum, which is rounded once, at
/// the end (J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic", 1997, section 2).
///
/// Only intermediate sums that overflow depend on the order.
package struct RealSum: Sendable {
    /// Reals whose sum is the result, the smallest first. Their bits do not overlap.
    private var parts: [Double] = []
    /// The sum of infinite values; NaN if there were both infinities.
    private var infinite = 0.0

    package init() {}

    package mutating func add(_ real: Double) {
        guard real.isFinite else { return infinite += real }
        var sum = real
        var kept = 0
        for index in parts.indices {
            let (large, small) = abs(sum) < abs(parts[index]) ? (parts[index], sum) : (sum, parts[index])
            sum = large + small
            let lost = small - (sum - large)
            if lost != 0 {
                parts[kept] = lost
                kept += 1
            }
        }
        parts.removeSubrange(kept...)
        if sum.isFinite { parts.append(sum) } else { infinite += sum }
    }

    /// The sum, rounded to the nearest real.
    package var total: Double {
        if infinite != 0 { return infinite }
        var rest = parts
        guard var total = rest.popLast() else { return 0 }
        while let next = rest.popLast() {
            let sum = total + next
            let lost = next - (sum - total)
            total = sum
            guard lost != 0 else { continue }
            // For a tie between two reals, the next smaller part decides.
            if let further = rest.last, (further < 0) == (lost < 0) {
                let rounded = total + lost * 2
                if lost * 2 == rounded - total { total = rounded }
            }
            break
        }
        return total
    }
}
