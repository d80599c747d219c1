import Foundation
import SwiftData
import TestSupport
import Testing

/// Predicates within predicates: SQL, memory and `Predicate.evaluate` agree.
@Suite("Predicates with captured predicates agree")
struct CapturedPredicateTests {
    @Test("evaluate on the model, on destinations of relationships, and on members", arguments: Seeds.rounds(2))
    func captured(seed: UInt64) throws {
        let worlds = try PetWorlds(seed: seed)
        let isOld = #Predicate<Pet> { $0.age > 3 || $0.weight == nil }
        let isLeader = #Predicate<Owner> { $0.level > 0 && $0.boss?.name != "Ann" }
        let isLoud = #Predicate<Pet> { isOld.evaluate($0) && $0.isLoud != false }
        let legs = #Expression<Pet, Int16> { $0.legs * 2 }
        try worlds.check(#Predicate<Pet> { isOld.evaluate($0) })
        try worlds.check(#Predicate<Pet> { !isOld.evaluate($0) && $0.isTame })
        try worlds.check(#Predicate<Pet> { isLoud.evaluate($0) || $0.coat == .wiry })
        try worlds.check(#Predicate<Pet> { if let owner = $0.owner { isLeader.evaluate(owner) } else { true } })
        try worlds.check(#Predicate<Owner> { $0.pets.contains { isLoud.evaluate($0) } })
        try worlds.check(#Predicate<Owner> { $0.pets.allSatisfy { isOld.evaluate($0) } && !isLeader.evaluate($0) })
        try worlds.check(#Predicate<Pet> { legs.evaluate($0) > 6 })
        try worlds.check(Predicate(all: [isOld, isLoud]))
        try worlds.check(Predicate(any: [isLoud, #Predicate<Pet> { $0.winterCoat == .curly }]))
    }

    @Test("evaluate with cases of enums", arguments: Seeds.rounds(2))
    func cases(seed: UInt64) throws {
        let worlds = try PetWorlds(seed: seed)
        try worlds.check(#Predicate<Pet> { $0.coat == .curly })
        try worlds.check(#Predicate<Pet> { $0.coat != Coat.curly })
        try worlds.check(#Predicate<Pet> { $0.winterCoat == .wiry })
        try worlds.check(#Predicate<Pet> { $0.winterCoat != .wiry })
        try worlds.check(#Predicate<Pet> { ($0.winterCoat ?? .smooth) == .smooth })
        try worlds.check(#Predicate<Pet> { [Coat.curly, .wiry].contains($0.coat) })
    }
}
