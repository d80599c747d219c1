import Foundation
import SwiftData
import TestSupport
import Testing

/// Predicates that follow relationships, and tests of class: SQL, memory and `Predicate.evaluate` agree.
@Suite("Predicates over relationships and classes agree")
struct RelationshipPredicateTests {
    @Test("identity", arguments: Seeds.rounds(2))
    func identity(seed: UInt64) throws {
        let worlds = try PetWorlds(seed: seed)
        try worlds.check { world -> Predicate<Pet> in
            let id = world.pets[4].persistentModelID
            return #Predicate { $0.persistentModelID == id }
        }
        try worlds.check { world -> Predicate<Pet> in
            let id = world.pets[4].id
            return #Predicate { $0.id != id }
        }
        try worlds.check { world -> Predicate<Pet> in
            let ids = world.pets.prefix(3).map(\.persistentModelID)
            return #Predicate { ids.contains($0.persistentModelID) }
        }
        try worlds.check { world -> Predicate<Pet> in
            let ids = Set(world.pets.prefix(20).map(\.persistentModelID))
            return #Predicate { !ids.contains($0.persistentModelID) }
        }
        try worlds.check { world -> Predicate<Pet> in
            let id = world.owners[1].persistentModelID
            return #Predicate { $0.owner?.persistentModelID == id }
        }
        try worlds.check { world -> Predicate<Pet> in
            let id = world.owners[1].persistentModelID
            return #Predicate { $0.owner?.persistentModelID != id }
        }
    }

    @Test("to-one chains", arguments: Seeds.rounds(3))
    func toOne(seed: UInt64) throws {
        let worlds = try PetWorlds(seed: seed)
        try worlds.check(#Predicate<Pet> { $0.owner == nil })
        try worlds.check(#Predicate<Pet> { $0.owner != nil })
        try worlds.check(#Predicate<Pet> { $0.owner?.name == "Bo" })
        try worlds.check(#Predicate<Pet> { $0.owner?.name != "Bo" })
        try worlds.check(#Predicate<Pet> { $0.owner?.nick == nil })
        try worlds.check(#Predicate<Pet> { $0.owner?.boss?.name == "Rex" })
        try worlds.check(#Predicate<Pet> { $0.owner?.boss?.boss == nil })
        try worlds.check(#Predicate<Pet> { ($0.owner?.level ?? 9) > 2 })
        try worlds.check(#Predicate<Pet> { ($0.owner?.level ?? -9) == $0.age })
        try worlds.check(#Predicate<Pet> { $0.owner?.name.contains("o") ?? true })
        try worlds.check(#Predicate<Pet> { ($0.owner?.pets.count ?? -1) > 3 })
        try worlds.check(
            #Predicate<Pet> { pet in
                if let owner = pet.owner { owner.level > 1 && pet.isTame } else { pet.age > 4 }
            })
        try worlds.check(#Predicate<Owner> { ($0.boss?.level ?? 99) == $0.level })
    }

    @Test("collections", arguments: Seeds.rounds(3))
    func collections(seed: UInt64) throws {
        let worlds = try PetWorlds(seed: seed)
        try worlds.check(#Predicate<Owner> { $0.pets.isEmpty })
        try worlds.check(#Predicate<Owner> { !$0.pets.isEmpty })
        try worlds.check(#Predicate<Owner> { $0.pets.isEmpty == false })
        try worlds.check(#Predicate<Owner> { $0.pets.count > 2 })
        try worlds.check(#Predicate<Owner> { $0.pets.contains { $0.age > 7 } })
        try worlds.check(#Predicate<Owner> { !$0.pets.contains { $0.nick == nil } })
        try worlds.check(#Predicate<Owner> { $0.pets.allSatisfy { $0.age > -2 } })
        try worlds.check(#Predicate<Owner> { $0.pets.allSatisfy { $0.nick != "Rex" } })
        try worlds.check(#Predicate<Owner> { $0.pets.filter { $0.isTame }.count == 1 })
        try worlds.check(#Predicate<Owner> { $0.pets.filter { $0.isLoud == nil }.contains { $0.age > 3 } })
        try worlds.check(#Predicate<Owner> { owner in owner.pets.contains { $0.age == owner.level } })
        try worlds.check(
            #Predicate<Owner> { owner in
                owner.pets.contains { pet in owner.pets.contains { $0.age > pet.age } }
            })
        try worlds.check(#Predicate<Owner> { $0.pets.contains { $0.formerOwners.contains { $0.level > 2 } } })
        try worlds.check(#Predicate<Pet> { $0.formerOwners.count == 2 })
        try worlds.check(#Predicate<Pet> { $0.formerOwners.contains { $0.name == "Bo" } })
        try worlds.check(#Predicate<Pet> { $0.formerOwners.allSatisfy { $0.boss == nil } })
        try worlds.check(#Predicate<Pet> { $0.owner?.pets.contains { $0.age > 6 } ?? false })
        try worlds.check(#Predicate<Owner> { ($0.formerPets?.count ?? 0) > 3 })
        try worlds.check(#Predicate<Owner> { $0.formerPets?.contains { $0.isTame } ?? false })
    }

    @Test("classes", arguments: Seeds.rounds(3))
    func classes(seed: UInt64) throws {
        let worlds = try PetWorlds(seed: seed)
        try worlds.check(#Predicate<Pet> { $0 is Dog })
        try worlds.check(#Predicate<Pet> { !($0 is Cat) })
        try worlds.check(#Predicate<Pet> { ($0 as? Dog)?.tricks == 2 })
        try worlds.check(#Predicate<Pet> { ($0 as? Dog)?.tricks != 2 })
        try worlds.check(#Predicate<Pet> { ($0 as? Cat)?.lives == nil })
        try worlds.check(#Predicate<Pet> { (($0 as? Cat)?.lives ?? 0) > 3 || $0.age > 5 })
        try worlds.check(#Predicate<Dog> { $0.tricks > 1 && $0.age > 0 })
        try worlds.check(#Predicate<Dog> { $0.owner?.name != nil })
        try worlds.check(#Predicate<Cat> { $0.lives == nil || $0.isTame })
        try worlds.check(#Predicate<Owner> { $0.pets.contains { $0 is Dog } })
        try worlds.check(#Predicate<Owner> { $0.pets.contains { ($0 as? Dog)?.tricks == 3 } })
    }
}
