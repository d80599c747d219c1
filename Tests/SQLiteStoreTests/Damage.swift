import TestSupport

/// One to four of: a byte changed, a bit, a number made large, a piece cut out, a piece twice, the end missing.
func withDamage(_ original: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = original
    for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
        let start = Int.random(in: bytes.indices, using: &random)
        let end = min(bytes.count, start + Int.random(in: 1...40, using: &random))
        switch Int.random(in: 0..<8, using: &random) {
        case 0...2: bytes[start] = .random(in: .min ... .max, using: &random)
        case 3: bytes[start] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 4: for place in start..<min(end, start + 8) { bytes[place] = 0xFF }
        case 5: bytes.removeSubrange(start..<end)
        case 6: bytes.insert(contentsOf: bytes[start..<end], at: end)
        default: if Bool.random(using: &random) { bytes.removeLast(bytes.count - start) }
        }
    }
    return bytes
}
