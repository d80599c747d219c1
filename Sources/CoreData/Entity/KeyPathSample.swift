import Foundation

/// A type of managed properties with two sample values, for `KeyPathRecorder`.
protocol KeyPathSample: Hashable {
    static func keyPathSample(_ round: Int) -> Self
}

extension KeyPathSample where Self: ExpressibleByIntegerLiteral & AdditiveArithmetic {
    static func keyPathSample(_ round: Int) -> Self { round == 0 ? 77 : 78 }
}

extension Int: KeyPathSample {}
extension Int16: KeyPathSample {}
extension Int32: KeyPathSample {}
extension Int64: KeyPathSample {}
extension Double: KeyPathSample {}
extension Float: KeyPathSample {}
extension Decimal: KeyPathSample {}

extension Bool: KeyPathSample {
    static func keyPathSample(_ round: Int) -> Bool { round == 0 }
}

extension String: KeyPathSample {
    static func keyPathSample(_ round: Int) -> String { " Sample \(round) " }
}

extension Data: KeyPathSample {
    static func keyPathSample(_ round: Int) -> Data { Data([77, UInt8(clamping: round)]) }
}

extension Date: KeyPathSample {
    static func keyPathSample(_ round: Int) -> Date { Date(timeIntervalSinceReferenceDate: 77 + Double(round)) }
}

extension UUID: KeyPathSample {
    static func keyPathSample(_ round: Int) -> UUID {
        UUID(uuid: (77, UInt8(clamping: round), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }
}

extension URL: KeyPathSample {
    static func keyPathSample(_ round: Int) -> URL { URL(fileURLWithPath: "/sample/\(round)") }
}
