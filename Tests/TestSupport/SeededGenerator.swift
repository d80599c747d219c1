/// Random numbers that repeat for the same seed (SplitMix64).
///
/// Recorded digests of random runs depend on the numbers, and on the number of calls that each function makes.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// From 0 up to, not including, `count`; 0 if it is not positive.
    package mutating func roll(_ count: Int) -> Int { Int.random(in: 0..<max(1, count), using: &self) }

    package mutating func chance(_ percent: Int) -> Bool { roll(100) < percent }

    /// `nil` if there are no elements.
    package mutating func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &self) }

    /// A few of the elements, in random order.
    package mutating func some<Element>(_ elements: [Element], atMost limit: Int) -> [Element] {
        Array(elements.shuffled(using: &self).prefix(roll(min(limit, elements.count) + 1)))
    }
}
