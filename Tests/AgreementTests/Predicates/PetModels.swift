import Foundation
import SwiftData

enum Coat: String, Codable, CaseIterable { case smooth, curly, wiry }

struct Address: Codable, Hashable {
    var city: String
    var floor: Int
}

@Model final class Owner {
    var number: Int
    var name: String = ""
    var nick: String?
    var level: Int = 0
    var boss: Owner?
    @Relationship(inverse: \Pet.owner) var pets: [Pet] = []
    @Relationship(inverse: \Pet.formerOwners) var formerPets: [Pet]? = []

    init(number: Int) { self.number = number }
}

@Model class Pet {
    var number: Int
    var name: String = ""
    var nick: String?
    var age: Int = 0
    var legs: Int16 = 4
    var weight: Double?
    var height: Double = 0
    var isTame: Bool = false
    var isLoud: Bool?
    var born: Date = Date(timeIntervalSinceReferenceDate: 0)
    var died: Date?
    var tag: UUID = UUID()
    var chip: UUID?
    var page: URL?
    var coat: Coat = Coat.smooth
    var winterCoat: Coat?
    var home: Address = Address(city: "", floor: 0)
    var den: Address?
    var score: Int?
    var owner: Owner?
    var formerOwners: [Owner] = []

    init(number: Int) { self.number = number }
}

@Model final class Dog: Pet {
    var tricks: Int = 0

    override init(number: Int) { super.init(number: number) }
}

@Model final class Cat: Pet {
    var lives: Int?

    override init(number: Int) { super.init(number: number) }
}
