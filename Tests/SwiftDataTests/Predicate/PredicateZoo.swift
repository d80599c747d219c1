import Foundation
import ObjectGraph

@testable import SwiftData

enum Fur: String, Codable { case smooth, curly }
enum Mood: Codable { case calm, wild }
struct Place: Codable, Hashable {
    var city: String
    var floor: Int
}

@Model final class Keeper {
    var name: String
    var level: Int = 0
    var boss: Keeper?
    @Relationship(inverse: \Beast.keeper) var beasts: [Beast] = []
    @Relationship(inverse: \Beast.formerKeepers) var formerBeasts: [Beast]? = []

    init(name: String) { self.name = name }
}

@Model class Beast {
    var name: String
    var nick: String?
    var age: Int
    var legs: Int16 = 4
    var weight: Double?
    var isTame: Bool
    var isLoud: Bool?
    var born: Date?
    var tag: UUID
    var page: URL?
    var fur: Fur
    var winterFur: Fur?
    var mood: Mood = Mood.calm
    var home: Place
    var den: Place?
    var toys: [String] = []
    var keeper: Keeper?
    var formerKeepers: [Keeper] = []

    init(name: String, age: Int) {
        self.name = name
        self.age = age
        isTame = true
        tag = UUID()
        fur = .smooth
        home = Place(city: "Ulm", floor: 0)
    }

    var shout: String { name.uppercased() }
    /// Fails for an object without toys: translating must not read it.
    var firstToy: String { toys[0] }
    var ownID: PersistentIdentifier { keeper?.persistentModelID ?? persistentModelID }
}

@Model final class Hound: Beast {
    var tricks: Int = 0

    init(name: String, age: Int, tricks: Int) {
        super.init(name: name, age: age)
        self.tricks = tricks
    }
}

/// The model of the classes above, compiled as a container compiles it.
func predicateZooModel() throws -> Model {
    try Schema([Keeper.self, Beast.self, Hound.self]).compiled()
}

/// Evaluates on models without a context, by their accessors' records.
struct BeastSource: QueryObjectSource {
    let model: Model
    var links: [ObjectID: [String: [Record]]] = [:]

    func identifier(of object: Record) -> ObjectID { object.id }
    func entityIndex(of object: Record) -> Int { model.entity(named: object.entity.name)?.index ?? -1 }
    func value(of object: Record, slot: Int) -> Value { object.value(slot) }
    func destination(of object: Record, relationship index: Int) -> Record? {
        links[object.id]?[object.entity.relationships[index].name]?.first
    }
    func members(of object: Record, relationship index: Int) -> [Record] {
        links[object.id]?[object.entity.relationships[index].name] ?? []
    }
}
