import Foundation

/// Random numbers that repeat for the same seed (SplitMix64).
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func roll(_ count: Int) -> Int { Int.random(in: 0..<max(1, count), using: &self) }

    mutating func chance(_ percent: Int) -> Bool { roll(100) < percent }

    mutating func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &self) }

    /// A few of the elements, in random order.
    mutating func some<Element>(_ elements: [Element], atMost limit: Int) -> [Element] {
        Array(elements.shuffled(using: &self).prefix(roll(min(limit, elements.count) + 1)))
    }
}

/// The seeds of a run: the same every time, so that a failure is repeatable. `OPENSWIFTDATA_SEED` shifts them all, to test new
/// cases.
enum Seeds {
    static let base = ProcessInfo.processInfo.environment["OPENSWIFTDATA_SEED"].flatMap(UInt64.init) ?? 0

    static func rounds(_ count: UInt64) -> [UInt64] { (0..<count).map { base &* 1000 &+ $0 } }
}
