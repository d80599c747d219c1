import Foundation
import ObjectGraph
import Testing

@testable import SwiftData

/// Predicates and expressions within predicates have the meaning of the same expression written inline.
@Suite struct ComposedPredicateTests {
    private let model: Model
    private let context: ModelContext

    private let isOld = #Predicate<Beast> { $0.age > 3 }
    private let isTame = #Predicate<Beast> { $0.isTame }
    private let isSenior = #Predicate<Keeper> { $0.level > 1 }

    init() throws {
        model = try predicateZooModel()
        let container = try ModelContainer(
            for: Keeper.self, Beast.self, Hound.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        context = ModelContext(container)
        let (ann, bob) = (Keeper(name: "Ann"), Keeper(name: "Bob"))
        (ann.level, ann.boss) = (2, bob)
        context.insert(ann)
        for (name, age) in [("rex", 3), ("tom", 7), ("zed", -2), ("kim", 5)] {
            let beast = Beast(name: name, age: age)
            context.insert(beast)
            beast.isTame = name != "tom"
            beast.keeper = ["rex": ann, "tom": ann, "zed": bob][name]
        }
        try context.save()
    }

    /// The composed predicate is one query, equal to the inline one, with the same result in memory.
    private func check<M: PersistentModel>(
        _ composed: Predicate<M>, is written: Predicate<M>, count: Int, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let query = try PredicateTranslator.translate(composed, model: model)
        #expect(try query == PredicateTranslator.translate(written, model: model), sourceLocation: location)
        #expect(try context.fetchCount(FetchDescriptor(predicate: composed)) == count, sourceLocation: location)
        let all = try context.fetch(FetchDescriptor<M>())
        // A force unwrap of nil throws in memory and is false in a store (DV26).
        #expect(all.count { (try? composed.evaluate($0)) ?? false } == count, sourceLocation: location)
    }

    @Test("evaluate can be used alone, joined, negated, and nested")
    func ofTheModel() throws {
        let (isOld, isTame) = (isOld, isTame)
        try check(#Predicate { isOld.evaluate($0) }, is: #Predicate { $0.age > 3 }, count: 2)
        try check(
            #Predicate { isOld.evaluate($0) && $0.name == "tom" }, is: #Predicate { $0.age > 3 && $0.name == "tom" },
            count: 1)
        try check(
            #Predicate { !isOld.evaluate($0) || isTame.evaluate($0) }, is: #Predicate { !($0.age > 3) || $0.isTame },
            count: 3)
        let isBoth = #Predicate<Beast> { isOld.evaluate($0) && isTame.evaluate($0) }
        try check(
            #Predicate { isBoth.evaluate($0) || $0.age < 0 }, is: #Predicate { $0.age > 3 && $0.isTame || $0.age < 0 },
            count: 2)
    }

    @Test("evaluate accepts models reached through relationships")
    func ofRelated() throws {
        let (isOld, isSenior) = (isOld, isSenior)
        try check(
            #Predicate<Beast> { isSenior.evaluate($0.keeper!) }, is: #Predicate { $0.keeper!.level > 1 }, count: 2)
        try check(
            #Predicate<Beast> { if let keeper = $0.keeper { isSenior.evaluate(keeper) } else { false } },
            is: #Predicate { if let keeper = $0.keeper { keeper.level > 1 } else { false } }, count: 2)
        try check(
            #Predicate<Keeper> { $0.beasts.contains { isOld.evaluate($0) } },
            is: #Predicate { $0.beasts.contains { $0.age > 3 } }, count: 1)
        try check(
            #Predicate<Keeper> { $0.beasts.filter { !isOld.evaluate($0) }.count == 1 && !isSenior.evaluate($0) },
            is: #Predicate { $0.beasts.filter { !($0.age > 3) }.count == 1 && !($0.level > 1) }, count: 1)
    }

    @Test("expressions can be evaluated in a predicate")
    func expressions() throws {
        let doubled = #Expression<Beast, Int> { $0.age * 2 }
        let level = #Expression<Keeper, Int> { $0.level }
        try check(#Predicate<Beast> { doubled.evaluate($0) > 9 }, is: #Predicate { $0.age * 2 > 9 }, count: 2)
        try check(
            #Predicate<Beast> { level.evaluate($0.keeper!) + doubled.evaluate($0) == 8 },
            is: #Predicate { $0.keeper!.level + $0.age * 2 == 8 }, count: 1)
    }

    @Test("predicates may have several inputs")
    func severalInputs() throws {
        let isOld = isOld
        let belongs = #Predicate<Beast, Keeper> { $1.name == "Ann" && isOld.evaluate($0) }
        let beasts = try context.fetch(FetchDescriptor<Beast>())
        let ann = try #require(context.fetch(FetchDescriptor<Keeper>(predicate: #Predicate { $0.name == "Ann" })).first)
        #expect(try Set(beasts.filter { try belongs.evaluate($0, ann) }.map(\.name)) == ["tom", "kim"])
        try check(
            #Predicate<Beast> { belongs.evaluate($0, $0.keeper!) },
            is: #Predicate { $0.keeper!.name == "Ann" && $0.age > 3 }, count: 1)
    }

    @Test("all and any of a list of predicates can be evaluated")
    func lists() throws {
        let (isOld, isTame) = (isOld, isTame)
        try check(Predicate(all: [isOld, isTame]), is: #Predicate { $0.age > 3 && $0.isTame }, count: 1)
        try check(Predicate(any: [isOld, isTame]), is: #Predicate { $0.age > 3 || $0.isTame }, count: 4)
        try check(Predicate(all: [isOld]), is: isOld, count: 2)
        try check(Predicate<Beast>(all: []), is: .true, count: 4)
        try check(Predicate<Beast>(any: []), is: .false, count: 0)
        let ages = (0..<300).map { age in #Predicate<Beast> { $0.age == age } }
        #expect(try context.fetchCount(FetchDescriptor(predicate: Predicate(any: ages))) == 3)
    }

    @Test("parts evaluated in memory leave the others to the store")
    func inMemory() throws {
        let isOld = isOld
        let isShouting = #Predicate<Beast> { $0.shout.contains("T") && $0.age / 1 > 0 }
        let predicate = #Predicate<Beast> { isShouting.evaluate($0) && isOld.evaluate($0) }
        let parts = try PredicateTranslator.divide(predicate, model: model)
        let narrowing = try PredicateTranslator.translate(
            #Predicate<Beast> { $0.age / 1 > 0 && $0.age > 3 }, model: model)
        #expect(parts.narrowing == narrowing)
        #expect(try context.fetch(FetchDescriptor(predicate: predicate)).map(\.name) == ["tom"])
    }

    @Test("DV62 Operations that could trap are refused in captured predicates too")
    func stopping() throws {
        let isRisky = #Predicate<Beast> { ($0.age * 2 > 1) == $0.shout.isEmpty }
        let shouts = #Predicate<Beast> { $0.shout == "TOM" }
        #expect(throws: SwiftDataError.unsupportedPredicate) {
            try context.fetch(FetchDescriptor<Beast>(predicate: #Predicate { isRisky.evaluate($0) == true }))
        }
        let isTom = #Predicate<Beast> { shouts.evaluate($0) == true }
        #expect(try context.fetch(FetchDescriptor(predicate: isTom)).map(\.name) == ["tom"])
    }

    @Test("predicates composed alike are equal, and others are not")
    func sameness() {
        func composed(_ age: Int, _ name: String) -> Predicate<Beast> {
            let isOlder = #Predicate<Beast> { $0.age > age }
            return #Predicate { isOlder.evaluate($0) && $0.name == name }
        }
        #expect(PredicateSameness.holds(composed(1, "a"), composed(1, "a")))
        #expect(!PredicateSameness.holds(composed(1, "a"), composed(2, "a")))
        #expect(!PredicateSameness.holds(composed(1, "a"), composed(1, "b")))
        #expect(PredicateSameness.holds(Predicate(all: [isOld, isTame]), Predicate(all: [isOld, isTame])))
        #expect(!PredicateSameness.holds(Predicate(all: [isOld, isTame]), Predicate(all: [isTame, isOld])))
    }
}
