import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import SQLiteStore
@testable import SwiftData

@Model final class Sailor {
    @Attribute(.unique) var email: String
    var rank: Int
    @Relationship(inverse: \Passport.holder) var passport: Passport?
    var crew: Crew?

    init(email: String, rank: Int) {
        self.email = email
        self.rank = rank
    }
}

@Model final class Passport {
    var number: Int
    var stamps: Int = 0
    var holder: Sailor?
    init(number: Int) { self.number = number }
}

@Model final class Crew {
    var number: Int
    @Relationship(deleteRule: .nullify, inverse: \Sailor.crew) var sailors: [Sailor] = []
    init(number: Int) { self.number = number }
}

/// Sailors are inserted over others with the same email. Links to them are, at both ends and in every context, those that the last
/// one of an email had in memory.
@Suite("New models over rows with the same unique value")
struct ReplacementTests {
    private struct Expected: Equatable {
        var sailors: [String: Facts] = [:]
        var holders: [Int: String] = [:]
        var stamps: [Int: Int] = [:]
        var crews: [Int: Set<String>] = [:]

        struct Facts: Equatable {
            var rank: Int
            var passport: Int?
            var crew: Int?
        }
    }

    @Test("links are consistent in the file and in every context", arguments: Seeds.rounds(25))
    func links(seed: UInt64) throws {
        var digest = BehaviourDigest()
        try replaced(seed, &digest)
    }

    func replaced(_ seed: UInt64, _ digest: inout BehaviourDigest) throws {
        var random = SeededGenerator(seed: seed &+ 0x0E)
        let container = try ModelContainer(
            for: Sailor.self, Passport.self, Crew.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let (context, other) = (ModelContext(container), ModelContext(container))
        defer { digest.add("stored", tablesOf: container.store as? SQLiteStore) }
        for number in 0..<2 { context.insert(Crew(number: number)) }
        var rank = 0
        for round in 0..<12 {
            try edit(context, &random)
            // Linking a sailor inserts it into the context, so this is also the order of insertion.
            var new: [Sailor] = []
            for _ in 0..<random.roll(4) {
                rank += 1
                new.append(try insert(rank, context, &random))
            }
            let expected = try expected(context, new)
            try context.save()
            other.processPendingChanges()
            #expect(try found(ModelContext(container)) == expected, "stored; seed \(seed), round \(round)")
            #expect(try found(context) == expected, "in memory; seed \(seed), round \(round)")
            #expect(try found(other) == expected, "merged; seed \(seed), round \(round)")
        }
    }

    private func insert(_ rank: Int, _ context: ModelContext, _ random: inout SeededGenerator) throws -> Sailor {
        let sailor = Sailor(email: random.pick(["a", "b", "c"]) ?? "a", rank: rank)
        context.insert(sailor)
        let passports = try context.fetch(FetchDescriptor<Passport>(sortBy: [SortDescriptor(\.number)]))
        switch random.roll(3) {
        case 0: sailor.passport = Passport(number: passports.count)
        case 1: sailor.passport = random.pick(passports)
        default: break
        }
        if random.chance(60) {
            sailor.crew = random.pick(try context.fetch(FetchDescriptor<Crew>(sortBy: [SortDescriptor(\.number)])))
        }
        return sailor
    }

    private func edit(_ context: ModelContext, _ random: inout SeededGenerator) throws {
        let passports = try context.fetch(FetchDescriptor<Passport>(sortBy: [SortDescriptor(\.number)]))
        let sailors = try context.fetch(FetchDescriptor<Sailor>(sortBy: [SortDescriptor(\.email)]))
        if random.chance(50) { random.pick(passports)?.stamps += 1 }
        if random.chance(30) { random.pick(sailors)?.rank += 100 }
        if random.chance(30) { random.pick(sailors)?.passport = random.pick(passports) }
        if random.chance(15), let sailor = random.pick(sailors) { context.delete(sailor) }
    }

    /// The expected contents after a save: for each email the last new sailor, else the existing one.
    private func expected(_ context: ModelContext, _ new: [Sailor]) throws -> Expected {
        var last: [String: Sailor] = [:]
        let all = try context.fetch(FetchDescriptor<Sailor>())
        for sailor in all where !new.contains(where: { $0 === sailor }) { last[sailor.email] = sailor }
        for sailor in new { last[sailor.email] = sailor }
        var expected = try found(context)
        expected.sailors = last.mapValues(facts)
        expected.holders = [:]
        for (email, sailor) in last {
            if let passport = sailor.passport { expected.holders[passport.number] = email }
        }
        for number in expected.crews.keys {
            expected.crews[number] = Set(last.filter { $0.value.crew?.number == number }.keys)
        }
        return expected
    }

    private func facts(_ sailor: Sailor) -> Expected.Facts {
        .init(rank: sailor.rank, passport: sailor.passport?.number, crew: sailor.crew?.number)
    }

    private func found(_ context: ModelContext) throws -> Expected {
        var found = Expected()
        for sailor in try context.fetch(FetchDescriptor<Sailor>()) { found.sailors[sailor.email] = facts(sailor) }
        for passport in try context.fetch(FetchDescriptor<Passport>()) {
            found.holders[passport.number] = passport.holder?.email
            found.stamps[passport.number] = passport.stamps
        }
        for crew in try context.fetch(FetchDescriptor<Crew>()) {
            found.crews[crew.number] = Set(crew.sailors.map(\.email))
        }
        return found
    }
}
