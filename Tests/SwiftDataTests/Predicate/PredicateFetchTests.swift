import Foundation
import Testing

@testable import SwiftData

/// The same predicates through a store: fetches return the models for which `Predicate.evaluate` is true.
@Suite struct PredicateFetchTests {
    private func makeContext() throws -> ModelContext {
        let container = try ModelContainer(
            for: Keeper.self, Beast.self, Hound.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        context.autosaveEnabled = false
        let keepers = ["Ann", "Bob", "Cleo"].map(Keeper.init)
        for keeper in keepers { context.insert(keeper) }
        keepers[0].boss = keepers[1]
        keepers[1].level = 3
        for number in 0..<24 {
            let beast =
                number % 3 == 0
                ? Hound(name: "Hound \(number)", age: number % 7, tricks: number % 4)
                : Beast(name: "Beast \(number)", age: number % 5 - 2)
            context.insert(beast)
            beast.nick = number % 2 == 0 ? nil : "n\(number % 5)"
            beast.weight = number % 4 == 0 ? nil : Double(number) / 4
            beast.isTame = number % 5 != 0
            beast.isLoud = [nil, true, false][number % 3]
            beast.fur = number % 2 == 0 ? .smooth : .curly
            beast.winterFur = number % 4 == 1 ? .curly : nil
            beast.mood = number % 6 < 3 ? .calm : .wild
            beast.den = number % 5 == 1 ? Place(city: "Bonn", floor: number) : nil
            beast.keeper = number % 4 == 3 ? nil : keepers[number % 4]
        }
        try context.save()
        return context
    }

    private func check<M: PersistentModel>(
        _ predicate: Predicate<M>, _ context: ModelContext, _ location: SourceLocation = #_sourceLocation
    ) throws {
        _ = try PredicateTranslator.translate(predicate, model: context.container.store.model)
        let fetched = Set(try context.fetch(FetchDescriptor(predicate: predicate)).map(\.persistentModelID))
        let all = try context.fetch(FetchDescriptor<M>())
        let expected = Set(try all.filter { try predicate.evaluate($0) }.map(\.persistentModelID))
        #expect(!all.isEmpty, sourceLocation: location)
        #expect(fetched == expected, sourceLocation: location)
    }

    @Test("attributes")
    func attributes() throws {
        let context = try makeContext()
        let nicks: [String?] = ["n1", nil]
        let wild = Mood.wild
        let curly: Fur? = .curly
        let bonn: Place? = Place(city: "Bonn", floor: 6)
        for _ in 0..<2 {
            try check(#Predicate<Beast> { $0.age > 1 && $0.isTame }, context)
            try check(#Predicate<Beast> { $0.nick != "n1" }, context)
            try check(#Predicate<Beast> { !($0.nick == "n1" || $0.isLoud == true) }, context)
            try check(#Predicate<Beast> { nicks.contains($0.nick) }, context)
            try check(#Predicate<Beast> { !nicks.contains($0.nick) }, context)
            try check(#Predicate<Beast> { $0.isLoud ?? true }, context)
            try check(#Predicate<Beast> { $0.nick?.contains("3") ?? false }, context)
            try check(#Predicate<Beast> { !($0.nick?.contains("3") == true) }, context)
            try check(#Predicate<Beast> { $0.nick?.contains("3") != true }, context)
            try check(#Predicate<Beast> { ($0.weight ?? 2.0) * 2.0 > 5.0 }, context)
            try check(#Predicate<Beast> { $0.age % 3 == -1 || $0.age / 2 == 1 }, context)
            try check(#Predicate<Beast> { $0.mood == wild }, context)
            try check(#Predicate<Beast> { $0.winterFur != curly }, context)
            try check(#Predicate<Beast> { $0.fur.rawValue == "curly" }, context)
            try check(#Predicate<Beast> { $0.den == bonn }, context)
            try check(#Predicate<Beast> { ($0.den?.floor ?? -1) > 3 }, context)
            try check(#Predicate<Beast> { $0.name.localizedStandardContains("HOUND 1") }, context)
            try check(#Predicate<Beast> { $0.name.contains(/\d\d$/) }, context)
            try check(#Predicate<Beast> { $0.name.count == 7 }, context)
            try check(#Predicate<Beast> { $0.isTame ? $0.age > 0 : $0.age < 0 }, context)
            // Once more with unsaved changes on top.
            for beast in try context.fetch(FetchDescriptor<Beast>()).prefix(9) {
                beast.nick = beast.nick == nil ? "n3" : nil
                beast.age += 1
            }
        }
    }

    @Test("relationships and classes")
    func relationships() throws {
        let context = try makeContext()
        try check(#Predicate<Beast> { $0.keeper?.name == "Ann" }, context)
        try check(#Predicate<Beast> { $0.keeper?.name != "Ann" }, context)
        try check(#Predicate<Beast> { $0.keeper == nil }, context)
        try check(#Predicate<Beast> { $0.keeper?.boss?.name == "Bob" }, context)
        try check(#Predicate<Beast> { ($0.keeper?.level ?? 9) > 2 }, context)
        try check(#Predicate<Beast> { $0.keeper?.name.contains("n") ?? true }, context)
        try check(#Predicate<Beast> { $0 is Hound }, context)
        try check(#Predicate<Beast> { ($0 as? Hound)?.tricks == 3 }, context)
        try check(#Predicate<Beast> { ($0 as? Hound)?.tricks != 3 }, context)
        try check(#Predicate<Hound> { $0.name.contains("2") && $0.tricks > 0 }, context)
        try check(#Predicate<Keeper> { $0.beasts.isEmpty }, context)
        try check(#Predicate<Keeper> { $0.beasts.count > 5 }, context)
        try check(#Predicate<Keeper> { $0.beasts.contains { $0.age > 5 } }, context)
        try check(#Predicate<Keeper> { $0.beasts.allSatisfy { $0.age > -2 } }, context)
        try check(#Predicate<Keeper> { $0.beasts.filter { $0.isTame }.count > 5 }, context)
        try check(#Predicate<Keeper> { keeper in keeper.beasts.contains { $0.age == keeper.level } }, context)
    }

    @Test("sorts through a relationship and of inherited properties")
    func sorts() throws {
        let context = try makeContext()
        let byKeeper = try context.fetch(
            FetchDescriptor<Beast>(sortBy: [SortDescriptor(\.keeper?.name, order: .reverse), SortDescriptor(\.name)]))
        let names = byKeeper.map { $0.keeper?.name ?? "" }
        #expect(names == names.sorted(by: >))
        let hounds = try context.fetch(
            FetchDescriptor<Hound>(sortBy: [SortDescriptor(\.name, comparator: .localizedStandard)]))
        #expect(hounds.map(\.name) == (0..<24).filter { $0 % 3 == 0 }.map { "Hound \($0)" })
    }
}
