import Foundation
import SwiftData

/// A colour that a transformer keeps as text.
struct CarColor: Codable, Hashable {
    var name: String
}

final class CarColorTransformer: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? { (value as? CarColor).map { Data($0.name.utf8) } }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).map { CarColor(name: String(decoding: $0, as: UTF8.self)) }
    }
}

/// The first version of a Core Data model, written as classes.
enum CarSchemaV1 {
    @Model
    class Car {
        @Attribute(.transformable(by: CarColorTransformer.self)) var color: CarColor?
        @Attribute(.ephemeral) var currentDrivingSpeed: Int?
        var maker: String?
        var markedForDeletionAsOf: Date?
        var model: String?
        @Attribute(.unique) var numberPlate: String
        @Relationship(inverse: \Person.cars) var owner: Person?

        init(_ numberPlate: String, maker: String? = nil, model: String? = nil) {
            self.numberPlate = numberPlate
            self.maker = maker
            self.model = model
        }
    }

    @Model
    class SportCar: Car {}

    @Model
    final class ExpensiveSportCar: SportCar {
        var isLimitedEdition: Bool?
    }

    @Model
    final class Person {
        #Unique<Person>([\.firstName, \.lastName])

        var firstName: String?
        @Attribute(.preserveValueOnDeletion) var id: UUID
        @Attribute(.ephemeral) var isDriving = false
        var lastName: String?
        var updatedAt: Date
        var cars: [Car]?

        init(_ firstName: String, _ lastName: String) {
            id = UUID()
            self.firstName = firstName
            self.lastName = lastName
            updatedAt = Date(timeIntervalSinceReferenceDate: 600_000_000)
        }
    }
}

/// The second version: attributes removed, the most derived class renamed.
enum CarSchemaV2 {
    @Model
    class Car {
        var maker: String?
        var markedForDeletionAsOf: Date?
        var model: String?
        @Attribute(.unique) var numberPlate: String
        @Relationship(inverse: \Person.cars) var owner: Person?

        init(_ numberPlate: String, maker: String? = nil, model: String? = nil) {
            self.numberPlate = numberPlate
            self.maker = maker
            self.model = model
        }
    }

    @Model
    class SportCar: Car {}

    @Model
    final class LuxuryCar: SportCar {
        var isLimitedEdition: Bool?
    }

    @Model
    final class Person {
        #Unique<Person>([\.firstName, \.lastName])

        var firstName: String?
        var lastName: String?
        var updatedAt: Date
        var cars: [Car]?

        init(_ firstName: String, _ lastName: String) {
            self.firstName = firstName
            self.lastName = lastName
            updatedAt = Date(timeIntervalSinceReferenceDate: 600_000_000)
        }
    }
}
