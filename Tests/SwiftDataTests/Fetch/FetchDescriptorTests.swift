import Foundation
import Testing

@testable import SwiftData

@Suite("Fetch descriptors are compared by their contents")
struct FetchDescriptorTests {
    private func tame(_ age: Int) -> Predicate<Beast> { #Predicate { $0.isTame && $0.age > age } }

    private func kept(by name: String, _ nicks: [String]) -> Predicate<Keeper> {
        #Predicate { keeper in
            keeper.name == name && keeper.beasts.contains { $0.age > 3 && nicks.contains($0.name) }
        }
    }

    @Test("each part is compared")
    func parts() {
        let plain = FetchDescriptor<Beast>(sortBy: [SortDescriptor(\.name)])
        #expect(plain == FetchDescriptor<Beast>(sortBy: [SortDescriptor(\.name)]))
        let changes: [(inout FetchDescriptor<Beast>) -> Void] = [
            { $0.sortBy = [SortDescriptor(\.age)] }, { $0.sortBy = [SortDescriptor(\.name, order: .reverse)] },
            { $0.fetchLimit = 1 }, { $0.fetchOffset = 1 }, { $0.includePendingChanges = false },
            { $0.propertiesToFetch = [\.name] }, { $0.relationshipKeyPathsForPrefetching = [\.keeper] },
            { $0.predicate = #Predicate { $0.isTame } },
        ]
        for (number, change) in changes.enumerated() {
            var (one, other) = (plain, plain)
            change(&one)
            #expect(one != plain && plain != one && one == one, "\(number)")
            change(&other)
            #expect(one == other, "\(number)")
        }
    }

    @Test("predicates are equal if they are built alike from equal values")
    func predicates() {
        func same<M: PersistentModel>(_ a: Predicate<M>, _ b: Predicate<M>) -> Bool {
            FetchDescriptor(predicate: a) == FetchDescriptor(predicate: b)
        }
        #expect(same(tame(3), tame(3)) && !same(tame(3), tame(4)))
        #expect(!same(tame(3), #Predicate { $0.isTame || $0.age > 3 }))
        #expect(!same(tame(3), #Predicate { $0.isTame && $0.age >= 3 }))
        #expect(same(#Predicate<Beast> { $0.isTame }, #Predicate<Beast> { other in other.isTame }))
        #expect(!same(#Predicate<Beast> { $0.name == "a" }, #Predicate<Beast> { $0.nick == "a" }))
        #expect(same(kept(by: "Ann", ["x"]), kept(by: "Ann", ["x"])))
        #expect(!same(kept(by: "Ann", ["x"]), kept(by: "Ann", ["y"])))
        #expect(same(Predicate<Beast>.true, .true) && !same(Predicate<Beast>.true, .false))
    }

    @Test("the position of a variable is compared, not its name")
    func variables() {
        func nested(_ inner: Bool) -> Predicate<Keeper> {
            inner
                ? #Predicate { keeper in keeper.beasts.contains { beast in beast.name.contains(beast.name) } }
                : #Predicate { keeper in keeper.beasts.contains { beast in beast.name.contains(keeper.name) } }
        }
        #expect(PredicateSameness.holds(nested(true), nested(true)))
        #expect(PredicateSameness.holds(nested(false), nested(false)))
        #expect(!PredicateSameness.holds(nested(true), nested(false)))
    }

    @Test("values that cannot be compared make predicates different, but not from their copies")
    func incomparable() {
        struct Range: Codable {
            var least: Int
        }
        func predicate(_ range: Range) -> Predicate<Beast> { #Predicate { $0.age > range.least } }
        let one = predicate(Range(least: 1))
        let copy = one
        #expect(PredicateSameness.holds(one, copy))
        #expect(!PredicateSameness.holds(one, predicate(Range(least: 2))))
    }
}
