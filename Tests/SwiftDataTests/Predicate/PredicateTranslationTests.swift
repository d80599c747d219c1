import Foundation
import ObjectGraph
import Testing

@testable import SwiftData

/// Every construct is translated and evaluated for a few models, and the result compared with `Predicate.evaluate`.
@Suite struct PredicateTranslationTests {
    let model: Model
    let beasts: [Beast]
    let keepers: [Keeper]
    let evaluator: QueryEvaluator<BeastSource>

    init() throws {
        model = try predicateZooModel()
        let rex = Hound(name: "Rex", age: 3, tricks: 4)
        rex.nick = "Rexy"
        rex.weight = 12.5
        rex.isLoud = true
        rex.born = Date(timeIntervalSinceReferenceDate: 1000)
        rex.fur = .curly
        rex.winterFur = .smooth
        rex.mood = .wild
        rex.page = URL(string: "https://example.com/rex")
        rex.den = Place(city: "Bonn", floor: 2)
        let tom = Beast(name: "Tom Ätna", age: 7)
        tom.isTame = false
        tom.isLoud = false
        tom.toys = ["ball"]
        let zed = Beast(name: "zed", age: -2)
        zed.nick = ""
        let ann = Keeper(name: "Ann")
        let bob = Keeper(name: "Bob")
        ann.level = 2
        ann.boss = bob
        rex.keeper = ann
        tom.keeper = ann
        bob.formerBeasts = [zed]
        beasts = [rex, tom, zed]
        keepers = [ann, bob]
        var source = BeastSource(model: model)
        source.links[rex.record.id] = ["keeper": [ann.record]]
        source.links[tom.record.id] = ["keeper": [ann.record]]
        source.links[zed.record.id] = ["formerKeepers": [bob.record]]
        source.links[ann.record.id] = ["beasts": [rex.record, tom.record], "boss": [bob.record]]
        source.links[bob.record.id] = ["formerBeasts": [zed.record]]
        evaluator = QueryEvaluator(source)
    }

    /// The translation's result for each model, and `evaluate`'s, which must be equal.
    private func check<M: PersistentModel>(
        _ predicate: Predicate<M>, _ models: [M], expect expected: [Bool],
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let expression = try PredicateTranslator.translate(predicate, model: model)
        let answers = try models.map { try evaluator.test(expression, root: $0.record) }
        #expect(answers == expected, "\(expression)", sourceLocation: location)
        #expect(try models.map { try predicate.evaluate($0) } == expected, sourceLocation: location)
    }

    private func check(
        _ predicate: Predicate<Beast>, _ expected: [Bool], _ location: SourceLocation = #_sourceLocation
    ) throws {
        try check(predicate, beasts, expect: expected, location)
    }

    private func check(
        keepers predicate: Predicate<Keeper>, _ expected: [Bool], _ location: SourceLocation = #_sourceLocation
    ) throws {
        try check(predicate, keepers, expect: expected, location)
    }

    @Test("equality and order of plain attributes")
    func comparisons() throws {
        let tag = beasts[1].tag
        let date = Date(timeIntervalSinceReferenceDate: 1000)
        let page = URL(string: "https://example.com/rex")
        try check(#Predicate { $0.age == 3 }, [true, false, false])
        try check(#Predicate { $0.age != 3 }, [false, true, true])
        try check(#Predicate { $0.age > 3 }, [false, true, false])
        try check(#Predicate { 3 <= $0.age }, [true, true, false])
        try check(#Predicate { $0.legs < 5 }, [true, true, true])
        try check(#Predicate { $0.name < "S" }, [true, false, false])
        try check(#Predicate { $0.tag == tag }, [false, true, false])
        try check(#Predicate { $0.born == date }, [true, false, false])
        try check(#Predicate { $0.page == page }, [true, false, false])
        try check(#Predicate { $0.weight == 12.5 }, [true, false, false])
        try check(#Predicate { $0.age == $0.age }, [true, true, true])
        try check(#Predicate { _ in true }, [true, true, true])
    }

    @Test("and, or, not, Boolean attributes, if and the ternary operator")
    func logic() throws {
        let wanted = false
        try check(#Predicate { $0.isTame }, [true, false, true])
        try check(#Predicate { !$0.isTame }, [false, true, false])
        try check(#Predicate { $0.isTame == wanted }, [false, true, false])
        try check(#Predicate { ($0.age > 3) == $0.isTame }, [false, false, false])
        try check(#Predicate { $0.isTame && $0.age > 0 || $0.name == "zed" }, [true, false, true])
        try check(#Predicate { wanted && $0.isTame }, [false, false, false])
        try check(#Predicate { !wanted || $0.isTame }, [true, true, true])
        try check(#Predicate { $0.isTame ? $0.age > 0 : $0.age > 6 }, [true, true, false])
        try check(#Predicate { ($0.isTame ? "a" : $0.name) == "a" }, [true, false, true])
        try check(
            #Predicate { beast in
                if beast.age > 5 { true } else if beast.isTame { beast.name == "zed" } else { false }
            }, [false, true, true])
    }

    @Test("arithmetic")
    func arithmetic() throws {
        let one = 1
        try check(#Predicate { $0.age + 1 == 4 }, [true, false, false])
        try check(#Predicate { $0.age * 2 - one > 5 }, [false, true, false])
        try check(#Predicate { $0.age / 2 == -1 }, [false, false, true])
        try check(#Predicate { $0.age % 2 == 1 }, [true, true, false])
        try check(#Predicate { -$0.age == 2 }, [false, false, true])
        try check(#Predicate { ($0.weight ?? 1.0) / 2.0 > 6.0 }, [true, false, false])
        try check(#Predicate { $0.age > one + one }, [true, true, false])
    }

    @Test("optional attributes")
    func optionals() throws {
        let text: String? = "Rexy"
        let nested: String?? = .some(nil)
        let none = nested ?? nil
        try check(#Predicate { $0.nick == nil }, [false, true, false])
        try check(#Predicate { $0.nick != nil }, [true, false, true])
        try check(#Predicate { $0.nick == text }, [true, false, false])
        try check(#Predicate { $0.nick != text }, [false, true, true])
        try check(#Predicate { $0.nick == none }, [false, true, false])
        try check(#Predicate { ($0.nick ?? "none") == "none" }, [false, true, false])
        try check(#Predicate { $0.nick?.contains("x") == true }, [true, false, false])
        try check(#Predicate { $0.nick?.contains("x") == false }, [false, false, true])
        try check(#Predicate { $0.nick?.contains("x") != true }, [false, true, true])
        try check(#Predicate { $0.nick?.contains("x") ?? false }, [true, false, false])
        try check(#Predicate { $0.nick?.contains("x") ?? true }, [true, true, false])
        try check(#Predicate { !($0.nick?.contains("x") ?? false) }, [false, true, true])
        try check(#Predicate { $0.nick?.isEmpty ?? true }, [false, true, true])
        try check(#Predicate { $0.isLoud ?? true }, [true, false, true])
        try check(#Predicate { $0.isLoud ?? false }, [true, false, false])
        try check(#Predicate { $0.isLoud == true }, [true, false, false])
        try check(#Predicate { $0.isLoud != true }, [false, true, true])
        try check(#Predicate { $0.nick.flatMap { $0.contains("x") } ?? false }, [true, false, false])
        try check(
            #Predicate { beast in
                if let nick = beast.nick { nick == "Rexy" || nick.isEmpty } else { beast.age == 7 }
            }, [true, true, true])
        try check(#Predicate { ($0.weight.flatMap { $0 + 1.0 } ?? 0.0) > 13.0 }, [true, false, false])
    }

    @Test("force unwrap gives nil for nil where Swift would trap")
    func forcedUnwrap() throws {
        let predicate = #Predicate<Beast> { $0.nick! == "Rexy" }
        let expression = try PredicateTranslator.translate(predicate, model: model)
        #expect(try beasts.map { try evaluator.test(expression, root: $0.record) } == [true, false, false])
    }

    @Test("texts")
    func texts() throws {
        let part = "ät"
        let same = ComparisonResult.orderedSame
        let before = ComparisonResult.orderedAscending
        try check(#Predicate { $0.name.contains("e") }, [true, false, true])
        try check(#Predicate { $0.name.starts(with: "R") }, [true, false, false])
        try check(#Predicate { $0.name.localizedStandardContains(part) }, [false, true, false])
        try check(#Predicate { $0.name.localizedStandardContains("ATN") }, [false, true, false])
        try check(#Predicate { $0.name.caseInsensitiveCompare("ZED") == same }, [false, false, true])
        try check(#Predicate { $0.name.localizedCompare("s") == before }, [true, false, false])
        try check(#Predicate { $0.name.count == 3 }, [true, false, true])
        try check(#Predicate { $0.name.isEmpty }, [false, false, false])
        try check(#Predicate { "Rex and zed".contains($0.name) }, [true, false, true])
        try check(#Predicate { $0.name.contains(/^[A-Z]e/) }, [true, false, false])
        try check(#Predicate { ($0.nick?.localizedStandardContains("REX") ?? false) }, [true, false, false])
    }

    @Test("captured lists and ranges")
    func lists() throws {
        let ages = [3, 7]
        let names: Set<String> = ["zed", "Rex"]
        let nicks: [String?] = ["Rexy", nil]
        let range = 0..<4
        let from = 3...
        let low = 1
        let floor = -9
        let furs: [Fur] = [.curly]
        try check(#Predicate { ages.contains($0.age) }, [true, true, false])
        try check(#Predicate { names.contains($0.name) }, [true, false, true])
        try check(#Predicate { nicks.contains($0.nick) }, [true, true, false])
        try check(#Predicate { !names.contains($0.name) }, [false, true, false])
        try check(#Predicate { range.contains($0.age) }, [true, false, false])
        try check(#Predicate { from.contains($0.age) }, [true, true, false])
        try check(#Predicate { (low...7).contains($0.age) }, [true, true, false])
        try check(#Predicate { (floor..<$0.age).contains(2) }, [true, true, false])
        try check(#Predicate { furs.contains($0.fur) }, [true, false, false])
        try check(#Predicate { beast in names.contains { $0 == beast.name } }, [true, false, true])
        try check(#Predicate { beast in ages.allSatisfy { $0 > beast.age } }, [false, false, true])
        try check(#Predicate { $0.age == ages.max() ?? 0 }, [false, true, false])
        try check(#Predicate { $0.age == ages[0] }, [true, false, false])
        try check(#Predicate { $0.age == ages.filter { $0 > low }.count + 1 }, [true, false, false])
    }

    @Test("enums and structs")
    func composites() throws {
        let curly = Fur.curly
        let wild = Mood.wild
        let smooth: Fur? = .smooth
        let ulm = Place(city: "Ulm", floor: 0)
        let bonn: Place? = Place(city: "Bonn", floor: 2)
        try check(#Predicate { $0.fur == curly }, [true, false, false])
        try check(#Predicate { $0.fur != curly }, [false, true, true])
        try check(#Predicate { $0.fur.rawValue == "curly" }, [true, false, false])
        try check(#Predicate { $0.winterFur == smooth }, [true, false, false])
        try check(#Predicate { $0.winterFur == nil }, [false, true, true])
        try check(#Predicate { $0.mood == wild }, [true, false, false])
        try check(#Predicate { $0.mood != wild }, [false, true, true])
        try check(#Predicate { $0.home == ulm }, [true, true, true])
        try check(#Predicate { $0.home.city == "Ulm" }, [true, true, true])
        try check(#Predicate { $0.home.floor > 0 }, [false, false, false])
        try check(#Predicate { $0.den == bonn }, [true, false, false])
        try check(#Predicate { $0.den != nil }, [true, false, false])
        try check(#Predicate { $0.den?.city == "Bonn" }, [true, false, false])
        try check(#Predicate { $0.den?.floor != 2 }, [false, true, true])
    }
}

/// Predicates through relationships.
extension PredicateTranslationTests {
    /// Models without a context have no links, so the expected results are written down.
    private func checkTranslation<M: PersistentModel>(
        _ predicate: Predicate<M>, _ models: [M], _ expected: [Bool], _ location: SourceLocation = #_sourceLocation
    ) throws {
        let expression = try PredicateTranslator.translate(predicate, model: model)
        let answers = try models.map { try evaluator.test(expression, root: $0.record) }
        #expect(answers == expected, "\(expression)", sourceLocation: location)
    }

    @Test("to-one chains: a missing object makes == false and != true")
    func toOne() throws {
        let annID = keepers[0].persistentModelID
        try checkTranslation(#Predicate { $0.keeper?.name == "Ann" }, beasts, [true, true, false])
        try checkTranslation(#Predicate { $0.keeper?.name != "Ann" }, beasts, [false, false, true])
        try checkTranslation(#Predicate { $0.keeper == nil }, beasts, [false, false, true])
        try checkTranslation(#Predicate { $0.keeper != nil }, beasts, [true, true, false])
        try checkTranslation(#Predicate { $0.keeper?.persistentModelID == annID }, beasts, [true, true, false])
        try checkTranslation(#Predicate { $0.keeper?.boss?.name == "Bob" }, beasts, [true, true, false])
        try checkTranslation(#Predicate { $0.keeper?.boss?.boss == nil }, beasts, [true, true, true])
        try checkTranslation(#Predicate { $0.keeper?.name.contains("n") ?? true }, beasts, [true, true, true])
        try checkTranslation(#Predicate { ($0.keeper?.level ?? 9) > 5 }, beasts, [false, false, true])
        try checkTranslation(#Predicate { ($0.keeper?.beasts.count ?? -1) == -1 }, beasts, [false, false, true])
        try checkTranslation(
            #Predicate { beast in
                if let keeper = beast.keeper { keeper.level > 1 && beast.isTame } else { false }
            }, beasts, [true, false, false])
    }

    @Test("identity, alone and in captured lists")
    func identity() throws {
        let ids = [beasts[0].persistentModelID, beasts[2].persistentModelID]
        let idSet = Set(ids)
        let id = ids[0]
        try check(#Predicate { $0.persistentModelID == id }, [true, false, false])
        try check(#Predicate { $0.id == id }, [true, false, false])
        try check(#Predicate { ids.contains($0.persistentModelID) }, [true, false, true])
        try check(#Predicate { !idSet.contains($0.persistentModelID) }, [false, true, false])
    }

    @Test("collections")
    func collections() throws {
        try checkTranslation(#Predicate<Keeper> { $0.beasts.isEmpty }, keepers, [false, true])
        try checkTranslation(#Predicate<Keeper> { !$0.beasts.isEmpty }, keepers, [true, false])
        try checkTranslation(#Predicate<Keeper> { $0.beasts.count == 2 }, keepers, [true, false])
        try checkTranslation(#Predicate<Keeper> { $0.beasts.contains { $0.age > 5 } }, keepers, [true, false])
        try checkTranslation(#Predicate<Keeper> { $0.beasts.allSatisfy { $0.age > 5 } }, keepers, [false, true])
        try checkTranslation(#Predicate<Keeper> { $0.beasts.filter { $0.isTame }.count == 1 }, keepers, [true, false])
        try checkTranslation(
            #Predicate<Keeper> { keeper in keeper.beasts.contains { $0.age > keeper.level } }, keepers, [true, false])
        try checkTranslation(
            #Predicate<Keeper> { keeper in
                keeper.beasts.contains { beast in keeper.beasts.contains { $0.age > beast.age } }
            }, keepers, [true, false])
        try checkTranslation(
            #Predicate<Keeper> { $0.formerBeasts?.contains { $0.name == "zed" } ?? false }, keepers, [false, true])
        try checkTranslation(#Predicate<Keeper> { $0.formerBeasts?.isEmpty ?? true }, keepers, [true, false])
        try checkTranslation(#Predicate<Keeper> { ($0.formerBeasts?.count ?? 0) == 1 }, keepers, [false, true])
    }

    @Test("classes: is, as? and inherited properties")
    func classes() throws {
        let hounds = beasts.compactMap { $0 as? Hound }
        let wild = Mood.wild
        let smooth: Fur? = .smooth
        try check(#Predicate { $0 is Hound }, [true, false, false])
        try check(#Predicate { !($0 is Hound) }, [false, true, true])
        try check(#Predicate { ($0 as? Hound)?.tricks == 4 }, [true, false, false])
        try check(#Predicate { ($0 as? Hound)?.tricks != 4 }, [false, true, true])
        try check(#Predicate<Hound> { $0.name == "Rex" && $0.tricks > 1 }, hounds, expect: [true])
        try check(#Predicate<Hound> { $0.mood == wild && $0.winterFur == smooth }, hounds, expect: [true])
        try check(#Predicate<Hound> { $0.nick == "Rexy" && $0.isTame && $0.legs == 4 }, hounds, expect: [true])
        try check(#Predicate<Hound> { $0.fur.rawValue == "curly" && $0.den?.city == "Bonn" }, hounds, expect: [true])
    }

    private func checkNode<Root: PersistentModel>(
        _ node: some PredicateExpression<Bool>, _ variable: PredicateExpressions.Variable<Root>, _ expected: [Bool]
    ) throws {
        var translation = PredicateTranslation(model: model)
        try translation.bindRoot(variable, to: Root.self)
        let expression = try translation.test(node)
        let models: [any PersistentModel] = Root.self == Keeper.self ? keepers : beasts
        #expect(try models.map { try evaluator.test(expression, root: $0.record) } == expected, "\(expression)")
    }

    @Test("models themselves, which the macro does not accept but a hand-made tree may")
    func models() throws {
        let beast = PredicateExpressions.Variable<Beast>()
        let ann: Keeper? = keepers[0]
        let keeper = PredicateExpressions.build_KeyPath(root: beast, keyPath: \Beast.keeper)
        let isAnn = PredicateExpressions.build_Equal(lhs: keeper, rhs: PredicateExpressions.build_Arg(ann))
        try checkNode(isAnn, beast, [true, true, false])
        let owner = PredicateExpressions.Variable<Keeper>()
        let all = PredicateExpressions.build_KeyPath(root: owner, keyPath: \Keeper.beasts)
        let hasRex = PredicateExpressions.build_contains(all, PredicateExpressions.build_Arg(beasts[0]))
        try checkNode(hasRex, owner, [true, false])
    }

    @Test("an expression within a predicate")
    func expressions() throws {
        let doubled = Expression<Beast, Int> { beast in
            PredicateExpressions.build_Arithmetic(
                lhs: PredicateExpressions.build_KeyPath(root: beast, keyPath: \.age),
                rhs: PredicateExpressions.build_Arg(2), op: .multiply)
        }
        // Not through `Predicate`, whose nodes must be Codable, which an expression is not here.
        let variable = PredicateExpressions.Variable<Beast>()
        let isSix = PredicateExpressions.build_Equal(
            lhs: PredicateExpressions.build_evaluate(PredicateExpressions.build_Arg(doubled), variable),
            rhs: PredicateExpressions.build_Arg(6))
        try checkNode(isSix, variable, [true, false, false])
        #expect(
            try evaluator.value(PredicateTranslator.translate(doubled, model: model), root: beasts[1].record)
                == .integer(14))
    }

    @Test("operations without SQL are refused by name, and can be evaluated in memory")
    func refusals() throws {
        try expectRefusal(#Predicate { $0.toys.contains("ball") }, naming: "SequenceContains", [false, true, false])
        try expectRefusal(#Predicate { $0.shout == "REX" }, naming: "shout", [true, false, false], byProperty: true)
        try expectRefusal(#Predicate { $0.toys.isEmpty }, naming: "KeyPath", [true, false, true], byProperty: true)
    }

    @Test("translating never reads a computed property", arguments: [\Beast.firstToy, \Beast.shout, \Beast.ownID])
    func computed(keyPath: PartialKeyPath<Beast> & Sendable) throws {
        #expect(KeyPathSteps.find(keyPath, from: ModelType.of(Beast.self)).map(\.count) == nil)
        #expect(KeyPathSteps.find(\Hound.firstToy, from: ModelType.of(Hound.self)).map(\.count) == nil)
        #expect(KeyPathSteps.find(\Beast.keeper!.name, from: ModelType.of(Beast.self)).map(\.count) == nil)
    }

    private func expectRefusal(
        _ predicate: Predicate<Beast>, naming name: String, _ expected: [Bool], byProperty: Bool = false,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let error = #expect(throws: PredicateTranslationError.self, sourceLocation: location) {
            try PredicateTranslator.translate(predicate, model: model)
        }
        #expect(error?.canEvaluateInMemory == true, sourceLocation: location)
        let text = error.map(String.init(describing:)) ?? ""
        if !byProperty { #expect(text.contains(name), sourceLocation: location) }
        #expect(try beasts.map { try predicate.evaluate($0) } == expected, sourceLocation: location)
    }

    @Test("a class outside the schema is refused permanently")
    func unknownClass() throws {
        let small = try Schema([Keeper.self, Beast.self]).compiled()
        let other = try Model([small.descriptions[0]].filter { $0.relationships.isEmpty })
        let error = #expect(throws: PredicateTranslationError.self) {
            try PredicateTranslator.translate(#Predicate<Beast> { $0.age == 1 }, model: other)
        }
        #expect(error?.canEvaluateInMemory == false)
    }
}
