import Foundation
import ObjectGraph
import SwiftData
import TestSupport
import Testing

/// Sorting by texts: the store, memory and a sort of plain arrays agree, in both orders, with windows, with unsaved changes.
@Suite("Orders of texts agree")
struct TextOrderTests {
    private static let letters = Array("aAbBzZ019 -äÄéEßøÅ漢я")

    private func text(_ random: inout SeededGenerator) -> String {
        String((0..<random.roll(6)).compactMap { _ in random.pick(Self.letters) })
    }

    /// Pets, saved and unsaved ones, some of which were edited.
    private func fill(_ context: ModelContext, _ random: inout SeededGenerator) throws -> [Pet] {
        let pets = (0..<40).map { Pet(number: $0) }
        for (position, pet) in pets.enumerated() {
            pet.name = text(&random)
            pet.nick = random.chance(30) ? nil : text(&random)
            if random.chance(60) {
                let owner = Owner(number: position)
                owner.name = text(&random)
                pet.owner = owner
            }
            if position < 30 { context.insert(pet) }
        }
        try context.save()
        guard random.chance(70) else { return Array(pets.prefix(30)) }
        for pet in pets { context.insert(pet) }
        for pet in pets.prefix(5) { pet.name = text(&random) }
        return pets
    }

    private func expected(
        _ pets: [Pet], _ value: (Pet) -> String?, _ textOrder: TextOrder, _ order: SortOrder
    ) -> [Int] {
        func difference(_ one: String?, _ other: String?) -> Int {
            guard let one, let other else { return one == nil ? (other == nil ? 0 : -1) : 1 }
            return TextMatching.order(textOrder, one, other)
        }
        return pets.sorted { one, other in
            let difference = difference(value(one), value(other)) * (order == .forward ? 1 : -1)
            return difference == 0 ? one.number < other.number : difference < 0
        }.map(\.number)
    }

    private func check(
        _ context: ModelContext, _ pets: [Pet], _ descriptor: SortDescriptor<Pet>, _ value: (Pet) -> String?,
        _ textOrder: TextOrder, window: (offset: Int, limit: Int), _ note: String
    ) throws {
        let all = expected(pets, value, textOrder, descriptor.order)
        var fetch = FetchDescriptor<Pet>(sortBy: [descriptor, SortDescriptor(\.number)])
        #expect(try context.fetch(fetch).map(\.number) == all, "\(note)")
        let inMemory = pets.sorted(using: [descriptor, SortDescriptor(\.number)]).map(\.number)
        #expect(inMemory == all, "\(note), in memory")
        fetch.fetchOffset = window.offset
        fetch.fetchLimit = window.limit
        let part = all.dropFirst(window.offset).prefix(window.limit)
        #expect(try context.fetch(fetch).map(\.number) == Array(part), "\(note), \(window)")
    }

    @Test(
        "texts sort without a comparator in the standard localized order, with .lexical by bytes",
        arguments: Seeds.rounds(12))
    func agreement(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let container = try ModelContainer(
            for: Pet.self, Owner.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        let pets = try fill(context, &random)
        for order in [SortOrder.forward, .reverse] {
            let window = (offset: random.roll(20), limit: 1 + random.roll(20))
            let note = "seed \(seed), \(order)"
            try check(
                context, pets, SortDescriptor(\.name, order: order), { $0.name }, .localizedStandard, window: window,
                note)
            try check(
                context, pets, SortDescriptor(\.nick, order: order), { $0.nick }, .localizedStandard, window: window,
                note)
            try check(
                context, pets, SortDescriptor(\.owner?.name, order: order), { $0.owner?.name }, .localizedStandard,
                window: window, note)
            try check(
                context, pets, SortDescriptor(\.name, comparator: .lexical, order: order), { $0.name }, .binary,
                window: window, note)
        }
    }
}
