import Foundation
import SwiftData
import TestSupport
import Testing

/// Predicates over an object's own attributes: SQL, memory and `Predicate.evaluate` agree.
@Suite("Predicates over attributes agree")
struct AttributePredicateTests {
    @Test("comparisons of every type", arguments: Seeds.rounds(2))
    func comparisons(seed: UInt64) throws {
        let worlds = try PetWorlds(seed: seed)
        let id = PetWorld.ids[1]
        let day = PetWorld.dates[2]
        let url = URL(string: "https://example.com/1")
        let half = 1.5
        try worlds.check(#Predicate<Pet> { $0.age == 3 })
        try worlds.check(#Predicate<Pet> { $0.age != 3 })
        try worlds.check(#Predicate<Pet> { $0.age < 2 })
        try worlds.check(#Predicate<Pet> { $0.age >= 2 })
        try worlds.check(#Predicate<Pet> { $0.legs <= 2 })
        try worlds.check(#Predicate<Pet> { $0.height > half })
        try worlds.check(#Predicate<Pet> { $0.name == "Zoë" })
        try worlds.check(#Predicate<Pet> { $0.name != "a" })
        try worlds.check(#Predicate<Pet> { $0.born < day })
        try worlds.check(#Predicate<Pet> { $0.born == day })
        try worlds.check(#Predicate<Pet> { $0.tag == id })
        try worlds.check(#Predicate<Pet> { $0.page == url })
        try worlds.check(#Predicate<Pet> { $0.page != url })
        try worlds.check(#Predicate<Pet> { $0.name == $0.name })
        try worlds.check(#Predicate<Pet> { ($0.nick ?? "none") == $0.name })
        try worlds.check(#Predicate<Pet> { _ in true })
    }

    @Test("and, or, not, Booleans, conditions", arguments: Seeds.rounds(2))
    func logic(seed: UInt64) throws {
        let worlds = try PetWorlds(seed: seed)
        let wanted = true
        try worlds.check(#Predicate<Pet> { $0.isTame })
        try worlds.check(#Predicate<Pet> { !$0.isTame })
        try worlds.check(#Predicate<Pet> { $0.isTame == wanted && $0.age > 1 })
        try worlds.check(#Predicate<Pet> { $0.isLoud == true || $0.age > 4 })
        try worlds.check(#Predicate<Pet> { !($0.isLoud == true || $0.age > 4) })
        try worlds.check(#Predicate<Pet> { $0.isLoud != true })
        try worlds.check(#Predicate<Pet> { $0.isLoud == false })
        try worlds.check(#Predicate<Pet> { $0.isLoud ?? true })
        try worlds.check(#Predicate<Pet> { ($0.age > 2) == $0.isTame })
        try worlds.check(#Predicate<Pet> { $0.isTame ? $0.age > 2 : $0.legs > 2 })
        try worlds.check(
            #Predicate<Pet> { pet in
                if pet.age > 5 { pet.isTame } else if pet.legs == 4 { false } else { pet.name == "Bo" }
            })
    }

    @Test("optionals: nil, default, if let, chains", arguments: Seeds.rounds(2))
    func optionals(seed: UInt64) throws {
        let worlds = try PetWorlds(seed: seed)
        let nick: String? = "Rex"
        let none: String? = nil
        let id: UUID? = PetWorld.ids[2]
        let day: Date? = PetWorld.dates[1]
        let noDay: Date? = nil
        try worlds.check(#Predicate<Pet> { $0.nick == nil })
        try worlds.check(#Predicate<Pet> { $0.nick != nil })
        try worlds.check(#Predicate<Pet> { $0.nick == nick })
        try worlds.check(#Predicate<Pet> { $0.nick != nick })
        try worlds.check(#Predicate<Pet> { !($0.nick == nick) })
        try worlds.check(#Predicate<Pet> { $0.nick == none })
        try worlds.check(#Predicate<Pet> { ($0.nick ?? "none") == "none" })
        try worlds.check(#Predicate<Pet> { ($0.score ?? 2) > 1 })
        try worlds.check(#Predicate<Pet> { ($0.weight ?? 0.0) * 2.0 >= 3.0 })
        try worlds.check(#Predicate<Pet> { $0.chip == id })
        try worlds.check(#Predicate<Pet> { $0.chip != id })
        try worlds.check(#Predicate<Pet> { $0.died == day })
        try worlds.check(#Predicate<Pet> { $0.died == noDay })
        try worlds.check(#Predicate<Pet> { $0.nick?.contains("e") == true })
        try worlds.check(#Predicate<Pet> { $0.nick?.contains("e") == false })
        try worlds.check(#Predicate<Pet> { $0.nick?.contains("e") != true })
        try worlds.check(#Predicate<Pet> { $0.nick?.contains("e") ?? true })
        try worlds.check(#Predicate<Pet> { !($0.nick?.contains("e") ?? false) })
        try worlds.check(#Predicate<Pet> { $0.nick?.isEmpty ?? false })
        try worlds.check(#Predicate<Pet> { $0.score.flatMap { $0 > 1 } ?? false })
        try worlds.check(
            #Predicate<Pet> { pet in
                if let score = pet.score { score > 1 } else { pet.isTame }
            })
        try worlds.check(
            #Predicate<Pet> { pet in
                if let died = pet.died { died >= pet.born } else { false }
            })
    }

    @Test("texts", arguments: Seeds.rounds(2))
    func texts(seed: UInt64) throws {
        let worlds = try PetWorlds(seed: seed)
        let same = ComparisonResult.orderedSame
        let after = ComparisonResult.orderedDescending
        let part = "o"
        try worlds.check(#Predicate<Pet> { $0.name.contains(part) })
        try worlds.check(#Predicate<Pet> { !$0.name.contains(part) })
        try worlds.check(#Predicate<Pet> { $0.name.contains("") })
        try worlds.check(#Predicate<Pet> { $0.name.starts(with: "x1") })
        try worlds.check(#Predicate<Pet> { $0.name.localizedStandardContains("ZOE") })
        try worlds.check(#Predicate<Pet> { $0.nick?.localizedStandardContains("re") ?? false })
        try worlds.check(#Predicate<Pet> { $0.name.caseInsensitiveCompare("BO") == same })
        try worlds.check(#Predicate<Pet> { $0.name.localizedCompare("b") == after })
        try worlds.check(#Predicate<Pet> { $0.name.isEmpty })
        try worlds.check(#Predicate<Pet> { !$0.name.isEmpty })
        try worlds.check(#Predicate<Pet> { $0.name.count > 2 })
        try worlds.check(#Predicate<Pet> { $0.name.contains(/x\d/) })
        try worlds.check(#Predicate<Pet> { "Rex and Bo".contains($0.name) })
    }

    @Test("arithmetic", arguments: Seeds.rounds(2))
    func arithmetic(seed: UInt64) throws {
        let worlds = try PetWorlds(seed: seed)
        let two = 2
        try worlds.check(#Predicate<Pet> { $0.age + two == 4 })
        try worlds.check(#Predicate<Pet> { $0.age * two - 1 > 5 })
        try worlds.check(#Predicate<Pet> { $0.age / two == -1 })
        try worlds.check(#Predicate<Pet> { $0.age % two == -1 })
        try worlds.check(#Predicate<Pet> { -$0.age > 1 })
        try worlds.check(#Predicate<Pet> { $0.height / 2.0 + 0.25 > 1.0 })
        try worlds.check(#Predicate<Pet> { ($0.score ?? $0.age) + $0.age > 4 })
    }

    @Test("captured lists, sets and ranges", arguments: Seeds.rounds(2))
    func lists(seed: UInt64) throws {
        let worlds = try PetWorlds(seed: seed)
        let ages = [1, 3, 5]
        let many = Array(-3..<4)
        let names: Set<String> = ["Bo", "Rex", "É", ""]
        let nicks: [String?] = ["Rex", nil]
        let coats = [Coat.curly, .wiry]
        let none: [Int] = []
        let scores: [Int?] = [1, 2]
        let range = 0..<4
        let low = 1
        try worlds.check(#Predicate<Pet> { ages.contains($0.age) })
        try worlds.check(#Predicate<Pet> { !ages.contains($0.age) })
        try worlds.check(#Predicate<Pet> { many.contains($0.age) })
        try worlds.check(#Predicate<Pet> { none.contains($0.age) })
        try worlds.check(#Predicate<Pet> { names.contains($0.name) })
        try worlds.check(#Predicate<Pet> { nicks.contains($0.nick) })
        try worlds.check(#Predicate<Pet> { !nicks.contains($0.nick) })
        try worlds.check(#Predicate<Pet> { scores.contains($0.score) })
        try worlds.check(#Predicate<Pet> { coats.contains($0.coat) })
        try worlds.check(#Predicate<Pet> { range.contains($0.age) })
        try worlds.check(#Predicate<Pet> { (low...5).contains($0.age) })
        try worlds.check(#Predicate<Pet> { pet in names.contains { $0 == pet.name } })
    }

    @Test("enums and structs", arguments: Seeds.rounds(2))
    func composites(seed: UInt64) throws {
        let worlds = try PetWorlds(seed: seed)
        let curly = Coat.curly
        let wiry: Coat? = .wiry
        let ulm = Address(city: "Ulm", floor: 1)
        let bonn: Address? = Address(city: "Bonn", floor: 0)
        try worlds.check(#Predicate<Pet> { $0.coat == curly })
        try worlds.check(#Predicate<Pet> { $0.coat != curly })
        try worlds.check(#Predicate<Pet> { $0.coat.rawValue == "wiry" })
        try worlds.check(#Predicate<Pet> { $0.winterCoat == wiry })
        try worlds.check(#Predicate<Pet> { $0.winterCoat != wiry })
        try worlds.check(#Predicate<Pet> { $0.winterCoat == nil })
        try worlds.check(#Predicate<Pet> { $0.home == ulm })
        try worlds.check(#Predicate<Pet> { $0.home.city == "Bonn" && $0.home.floor > 0 })
        try worlds.check(#Predicate<Pet> { $0.den == bonn })
        try worlds.check(#Predicate<Pet> { $0.den != bonn })
        try worlds.check(#Predicate<Pet> { $0.den == nil })
        try worlds.check(#Predicate<Pet> { $0.den?.city == "Ulm" })
        try worlds.check(#Predicate<Pet> { ($0.den?.floor ?? -1) >= 1 })
    }
}
