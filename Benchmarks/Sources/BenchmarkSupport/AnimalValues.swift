import Foundation
import HandWritten

/// The values of one animal in Swift types; the same as those of the work by hand.
public struct AnimalValues: Sendable {
    public let name: String
    public let diet: String
    public let age: Int
    public let weight: Double
    public let born: Date
    /// From 1.
    public let category: Int

    public init(_ number: Int, of count: Int) {
        var values = hw_animal()
        hw_animal_values(&values, Int64(number), Int64(count))
        self.init(values)
    }

    public init(_ values: hw_animal) {
        name = withUnsafeBytes(of: values.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        diet = values.diet.map { String(cString: $0) } ?? ""
        age = Int(values.age)
        weight = values.weight
        born = Date(timeIntervalSinceReferenceDate: values.born)
        category = Int(values.category)
    }

    public static func all(_ count: Int) -> [AnimalValues] {
        (0..<count).map { AnimalValues($0 + 1, of: count) }
    }
}
