import Foundation
import Testing

@testable import SwiftData

/// The same properties as `Beast` and its relatives, in classes that are no models, so that Foundation's macro is used.
private class PlainBeast {
    var name = ""
    var nick: String?
    var age = 0
    var weight: Double?
    var score: Int?
    var isTame = true
    var keeper: PlainKeeper?
    var formerKeepers: [PlainKeeper] = []
}

private final class PlainHound: PlainBeast, Equatable {
    var tricks = 0
    static func == (one: PlainHound, other: PlainHound) -> Bool { one === other }
}

private final class PlainKeeper {
    var name = ""
    var level = 0
    var boss: PlainKeeper?
    var beasts: [PlainBeast] = []
}

extension Beast {
    fileprivate var score: Int? { nil }
}

/// `#Predicate` for models and Foundation's build the same nodes.
@Suite struct PredicateTreeTests {
    private let limit = 2
    private let text: String? = "Rexy"
    private let names = ["Ann", "Bob"]
    private let sizes = ["a": 1]

    private func check(
        _ model: Predicate<Beast>, _ plain: Predicate<PlainBeast>, _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(nodes(of: model) == nodes(of: plain), sourceLocation: location)
    }

    /// The type of the tree, which has all its nodes, and the values captured in it.
    private func nodes<Input>(of predicate: Predicate<Input>) -> [String] {
        let type = String(describing: type(of: predicate.expression)).replacing("Plain", with: "")
        return [type] + values(in: predicate.expression)
    }

    private func values(in part: Any) -> [String] {
        Mirror(reflecting: part).children.flatMap { label, value -> [String] in
            if label == "value" || label == "op" { return ["\(value)"] }
            return value is any PredicateExpression ? values(in: value) : []
        }
    }

    @Test("operators")
    func operators() {
        let limit = limit
        check(#Predicate { $0.age == 3 }, #Predicate { $0.age == 3 })
        check(#Predicate { $0.age != 3 && $0.isTame }, #Predicate { $0.age != 3 && $0.isTame })
        check(#Predicate { $0.name < "S" || $0.age >= limit }, #Predicate { $0.name < "S" || $0.age >= limit })
        check(#Predicate { !$0.isTame }, #Predicate { !$0.isTame })
        check(#Predicate { -$0.age > limit }, #Predicate { -$0.age > limit })
        check(#Predicate { $0.age + 1 == limit }, #Predicate { $0.age + 1 == limit })
        check(#Predicate { $0.age * 2 - limit > 5 }, #Predicate { $0.age * 2 - limit > 5 })
        check(#Predicate { $0.age / 2 == -1 }, #Predicate { $0.age / 2 == -1 })
        check(#Predicate { $0.age % 2 == 1 }, #Predicate { $0.age % 2 == 1 })
        check(#Predicate { ($0.weight ?? 1.0) / 2.0 > 6.0 }, #Predicate { ($0.weight ?? 1.0) / 2.0 > 6.0 })
        check(#Predicate { $0.age == limit + limit }, #Predicate { $0.age == limit + limit })
        check(#Predicate { ($0.age > 3) == $0.isTame }, #Predicate { ($0.age > 3) == $0.isTame })
        check(#Predicate { (1...5).contains($0.age) }, #Predicate { (1...5).contains($0.age) })
        check(#Predicate { (limit..<9).contains($0.age) }, #Predicate { (limit..<9).contains($0.age) })
        check(#Predicate { $0.isTame }, #Predicate { $0.isTame })
        check(#Predicate { _ in true }, #Predicate { _ in true })
    }

    @Test("optionals")
    func optionals() {
        let (limit, text) = (limit, text)
        check(#Predicate { $0.nick == nil }, #Predicate { $0.nick == nil })
        check(#Predicate { nil != $0.nick }, #Predicate { nil != $0.nick })
        check(#Predicate { $0.nick == text }, #Predicate { $0.nick == text })
        check(#Predicate { ($0.nick ?? "none") == "none" }, #Predicate { ($0.nick ?? "none") == "none" })
        check(#Predicate { $0.nick?.contains("x") == true }, #Predicate { $0.nick?.contains("x") == true })
        check(#Predicate { $0.nick?.isEmpty ?? true }, #Predicate { $0.nick?.isEmpty ?? true })
        check(#Predicate { $0.nick! == "x" }, #Predicate { $0.nick! == "x" })
        check(#Predicate { $0.keeper?.boss?.name == "Bob" }, #Predicate { $0.keeper?.boss?.name == "Bob" })
        check(#Predicate { $0.keeper!.boss!.level == 2 }, #Predicate { $0.keeper!.boss!.level == 2 })
        check(#Predicate { ($0.keeper?.level)! > 1 }, #Predicate { ($0.keeper?.level)! > 1 })
        check(#Predicate { $0.keeper?.boss!.level == 2 }, #Predicate { $0.keeper?.boss!.level == 2 })
        check(#Predicate { $0.nick.flatMap { $0.count } == 2 }, #Predicate { $0.nick.flatMap { $0.count } == 2 })
        check(
            #Predicate { $0.keeper?.beasts.contains { $0.age == 1 } ?? false },
            #Predicate { $0.keeper?.beasts.contains { $0.age == 1 } ?? false })
        check(
            #Predicate { ($0.keeper?.beasts.filter { $0.age > 2 }.count ?? 0) > limit },
            #Predicate { ($0.keeper?.beasts.filter { $0.age > 2 }.count ?? 0) > limit })
    }

    @Test("conditions")
    func conditions() {
        check(#Predicate { $0.isTame ? $0.age > 0 : $0.age > 6 }, #Predicate { $0.isTame ? $0.age > 0 : $0.age > 6 })
        check(#Predicate { ($0.isTame ? "a" : $0.name) == "a" }, #Predicate { ($0.isTame ? "a" : $0.name) == "a" })
        check(
            #Predicate { if $0.age > 5 { return true } else { return $0.isTame } },
            #Predicate { if $0.age > 5 { return true } else { return $0.isTame } })
        check(
            #Predicate { if $0.isTame { $0.name == "zed" } else if $0.age > 5 { true } else { false } },
            #Predicate { if $0.isTame { $0.name == "zed" } else if $0.age > 5 { true } else { false } })
        check(
            #Predicate { if $0.isTame, $0.age > 1 { true } else { false } },
            #Predicate { if $0.isTame, $0.age > 1 { true } else { false } })
        check(
            #Predicate { if let nick = $0.nick { nick == "x" } else { false } },
            #Predicate { if let nick = $0.nick { nick == "x" } else { false } })
        check(
            #Predicate { beast in
                if let keeper = beast.keeper, let boss = keeper.boss { boss.level > beast.age } else { beast.isTame }
            },
            #Predicate { beast in
                if let keeper = beast.keeper, let boss = keeper.boss { boss.level > beast.age } else { beast.isTame }
            })
    }

    @Test("sequences and texts")
    func sequencesAndTexts() {
        let (limit, names, sizes) = (limit, names, sizes)
        check(#Predicate { names.contains($0.name) }, #Predicate { names.contains($0.name) })
        check(#Predicate { [1, 2].contains($0.age) }, #Predicate { [1, 2].contains($0.age) })
        check(#Predicate { $0.name.contains("x") }, #Predicate { $0.name.contains("x") })
        check(#Predicate { $0.name.contains(/x.y/) }, #Predicate { $0.name.contains(/x.y/) })
        check(#Predicate { $0.name.starts(with: "R") }, #Predicate { $0.name.starts(with: "R") })
        check(
            #Predicate { $0.formerKeepers.contains { $0.level > limit } },
            #Predicate { $0.formerKeepers.contains { $0.level > limit } })
        check(
            #Predicate {
                $0.formerKeepers.contains(where: { keeper in keeper.name == "Ann" && keeper.level == limit })
            },
            #Predicate { $0.formerKeepers.contains(where: { keeper in keeper.name == "Ann" && keeper.level == limit }) }
        )
        check(
            #Predicate { $0.formerKeepers.allSatisfy { $0.name == "Ann" } },
            #Predicate { $0.formerKeepers.allSatisfy { $0.name == "Ann" } })
        check(
            #Predicate { $0.formerKeepers.filter { $0.level == 1 }.isEmpty },
            #Predicate { $0.formerKeepers.filter { $0.level == 1 }.isEmpty })
        check(#Predicate { $0.formerKeepers.count == limit }, #Predicate { $0.formerKeepers.count == limit })
        check(#Predicate { names.max() == $0.nick }, #Predicate { names.max() == $0.nick })
        check(#Predicate { names[0] == $0.name }, #Predicate { names[0] == $0.name })
        check(#Predicate { sizes["a"] == $0.score }, #Predicate { sizes["a"] == $0.score })
        check(#Predicate { sizes["a", default: 1] > $0.age }, #Predicate { sizes["a", default: 1] > $0.age })
        check(#Predicate { names[0..<1].contains($0.name) }, #Predicate { names[0..<1].contains($0.name) })
        check(#Predicate { names.count > $0.age }, #Predicate { names.count > $0.age })
    }

    @Test("classes")
    func classes() {
        check(#Predicate { $0 is Hound }, #Predicate { $0 is PlainHound })
        check(#Predicate { $0 as? Hound != nil }, #Predicate { $0 as? PlainHound != nil })
        check(#Predicate { ($0 as? Hound)?.tricks == 2 }, #Predicate { ($0 as? PlainHound)?.tricks == 2 })
        check(#Predicate { ($0 as! Hound).tricks == 2 }, #Predicate { ($0 as! PlainHound).tricks == 2 })
    }

    @Test("types around the macro determine its input, and other types use Foundation's macro")
    func inference() {
        func takes(_ predicate: Predicate<Beast>) -> Predicate<Beast> { predicate }
        let text: Predicate<String> = #Predicate { $0.isEmpty }
        #expect(nodes(of: takes(#Predicate { $0.mood == .calm })).last == "calm")
        #expect(FetchDescriptor<Beast>(predicate: #Predicate { $0.fur == Fur.curly }).predicate != nil)
        #expect((try? text.evaluate("")) == true)
    }
}
