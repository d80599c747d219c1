import Foundation
import StoreSQL
import Testing

@testable import SQLiteStore
@testable import SwiftData

/// Class inheritance, a transformer, transient attributes, a constraint of two columns.
enum CarFamily1: StoreFamily {
    static var schema: Schema { Schema([CarSchemaV1.ExpensiveSportCar.self]) }
    static let someTable = "ZPERSON"

    static func fill(_ context: ModelContext) throws {
        let people = [CarSchemaV1.Person("Ada", "Byron"), CarSchemaV1.Person("Grace", "Hopper")]
        let cars = [
            CarSchemaV1.Car("1", maker: "FIAT", model: "Panda"), CarSchemaV1.Car("2"),
            CarSchemaV1.SportCar("3", maker: "BMW"),
            CarSchemaV1.ExpensiveSportCar("4", maker: "McLaren", model: "570GT"),
        ]
        cars[0].color = CarColor(name: "rosso")
        cars[0].markedForDeletionAsOf = Date(timeIntervalSinceReferenceDate: 1000)
        (cars[3] as? CarSchemaV1.ExpensiveSportCar)?.isLimitedEdition = true
        people[0].cars = [cars[0], cars[2], cars[3]]
        people[1].cars = []
        people[1].updatedAt = Date(timeIntervalSinceReferenceDate: 600_000_000.25)
        for person in people { context.insert(person) }
        for car in cars { context.insert(car) }
    }

    static func expectAgreement(_ context: ModelContext, _ contents: StoreContents) throws {
        let cars = try ModelAgreement<CarSchemaV1.Car>(
            table: "ZCAR",
            entityNumber: { $0 is CarSchemaV1.ExpensiveSportCar ? 3 : $0 is CarSchemaV1.SportCar ? 2 : 1 }
        ) { car in
            [
                "ZOWNER": .cell(Cell(car.owner?.key)), "ZMAKER": .cell(Cell(car.maker)),
                "ZMODEL": .cell(Cell(car.model)),
                "ZISLIMITEDEDITION": .cell(Cell((car as? CarSchemaV1.ExpensiveSportCar)?.isLimitedEdition)),
                "ZMARKEDFORDELETIONASOF": .number(car.markedForDeletionAsOf?.timeIntervalSinceReferenceDate),
                "ZNUMBERPLATE": .cell(Cell(car.numberPlate)),
                "ZCOLOR": .cell(car.color.map { .bytes(Data($0.name.utf8)) } ?? .null),
            ]
        }.expect(context, contents)
        #expect(cars.allSatisfy { $0.currentDrivingSpeed == nil })
        let people = try ModelAgreement<CarSchemaV1.Person>("ZPERSON", entity: 4) { person in
            [
                "ZUPDATEDAT": .number(person.updatedAt.timeIntervalSinceReferenceDate),
                "ZFIRSTNAME": .cell(Cell(person.firstName)), "ZLASTNAME": .cell(Cell(person.lastName)),
                "ZID": .cell(Cell(person.id)),
            ]
        }.expect(context, contents)
        let carKeys = contents.keys("Z_PK", of: "ZCAR", by: "ZOWNER")
        for person in people {
            #expect(person.cars?.map(\.key) == carKeys[person.key, default: []])
            #expect(person.cars?.allSatisfy { $0.owner === person } == true)
        }
        let sport = contents.rows("ZCAR").values.filter { $0["Z_ENT"] != .integer(1) }.count
        #expect(try context.fetchCount(FetchDescriptor<CarSchemaV1.SportCar>()) == sport)
    }
}

/// The same after a migration: columns in another order, an entity that kept its old name in the key table.
enum CarFamily2: StoreFamily {
    static var schema: Schema { Schema([CarSchemaV2.LuxuryCar.self]) }
    static let someTable = "ZPERSON"

    static func fill(_ context: ModelContext) throws {
        let person = CarSchemaV2.Person("Ada", "Byron")
        let limited = CarSchemaV2.LuxuryCar("4", maker: "McLaren")
        limited.isLimitedEdition = false
        person.cars = [CarSchemaV2.Car("1", maker: "FIAT", model: "Panda"), limited]
        context.insert(person)
        context.insert(CarSchemaV2.Person("Grace", "Hopper"))
        context.insert(CarSchemaV2.SportCar("3", maker: "BMW"))
    }

    static func expectAgreement(_ context: ModelContext, _ contents: StoreContents) throws {
        try ModelAgreement<CarSchemaV2.Car>(
            table: "ZCAR", entityNumber: { $0 is CarSchemaV2.LuxuryCar ? 3 : $0 is CarSchemaV2.SportCar ? 2 : 1 }
        ) { car in
            [
                "ZOWNER": .cell(Cell(car.owner?.key)), "ZMAKER": .cell(Cell(car.maker)),
                "ZMODEL": .cell(Cell(car.model)),
                "ZISLIMITEDEDITION": .cell(Cell((car as? CarSchemaV2.LuxuryCar)?.isLimitedEdition)),
                "ZMARKEDFORDELETIONASOF": .number(car.markedForDeletionAsOf?.timeIntervalSinceReferenceDate),
                "ZNUMBERPLATE": .cell(Cell(car.numberPlate)),
            ]
        }.expect(context, contents)
        let people = try ModelAgreement<CarSchemaV2.Person>("ZPERSON", entity: 4) { person in
            [
                "ZUPDATEDAT": .number(person.updatedAt.timeIntervalSinceReferenceDate),
                "ZFIRSTNAME": .cell(Cell(person.firstName)), "ZLASTNAME": .cell(Cell(person.lastName)),
            ]
        }.expect(context, contents)
        let carKeys = contents.keys("Z_PK", of: "ZCAR", by: "ZOWNER")
        for person in people {
            #expect(person.cars?.map(\.key) == carKeys[person.key, default: []])
            #expect(person.cars?.allSatisfy { $0.owner === person } == true)
        }
    }
}
