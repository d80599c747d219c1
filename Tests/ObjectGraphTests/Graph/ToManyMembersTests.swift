import TestSupport
import Testing

@testable import ObjectGraph

/// The members of one relationship compared with the simplest implementation: the stored members, and for each edited object
/// whether it is to be a member.
@Suite struct ToManyMembersTests {
    private struct Reference {
        var stored: [Int] = []
        var edits: [Int: Bool] = [:]

        func holds(_ member: Int) -> Bool { edits[member] ?? stored.contains(member) }

        mutating func edit(_ member: Int, isMember: Bool) {
            edits[member] = stored.contains(member) == isMember ? nil : isMember
        }

        /// - Returns: the members that were saved elsewhere with the same edit, which then is no edit any more.
        mutating func read(_ members: [Int]) -> Set<Int> {
            stored = members
            let alike = edits.filter { members.contains($0.key) == $0.value }.keys
            for member in alike { edits[member] = nil }
            return Set(alike)
        }
    }

    private static let space = IDSpace.intern(storeIdentifier: "member tests", entityName: "One")
    private static let count = 24

    private func id(_ number: Int) -> ObjectID { ObjectID(space: Self.space, key: Int64(number)) }

    private func numbers(_ members: ToManyMembers) -> [Int]? { members.current?.map { Int($0.key) } }

    @Test(
        "members are the stored ones with the edits applied, after any reads, removals and reorderings",
        arguments: 1...60)
    func agreement(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var members = ToManyMembers()
        var reference = Reference()
        var order: [Int]?
        _ = members.read([])
        for step in 0..<200 {
            let member = random.roll(Self.count)
            switch random.roll(8) {
            case 0, 1, 2:
                // A member is not added again.
                guard !reference.holds(member) else { continue }
                members.add(id(member))
                reference.edit(member, isMember: true)
                order?.append(member)
            case 3, 4, 5:
                members.remove(id(member))
                reference.edit(member, isMember: false)
                order?.removeAll { $0 == member }
            case 6:
                // Some of the edits made here were saved elsewhere, and others.
                let read = (0..<Self.count).filter { random.roll(3) > 0 ? reference.holds($0) : random.roll(2) == 0 }
                if random.roll(2) == 0 { members.discardStored() }
                let alike = members.read(read.map(id))
                #expect(Set(alike.map { Int($0.key) }) == reference.read(read), "seed \(seed), step \(step)")
                let (known, current) = (order ?? [], (0..<Self.count).filter(reference.holds))
                let kept = known.filter(current.contains)
                if order != nil { order = kept + (numbers(members) ?? []).filter { !kept.contains($0) } }
            default:
                order = (0..<Self.count).filter(reference.holds).sorted {
                    ($0 &* 7) % Self.count < ($1 &* 7) % Self.count
                }
                members.place((order ?? []).map(id))
            }
            let expected = (0..<Self.count).filter(reference.holds)
            #expect(numbers(members)?.sorted() == expected, "seed \(seed), step \(step)")
            if let order { #expect(numbers(members) == order, "seed \(seed), step \(step)") }
            #expect(members.count == expected.count, "seed \(seed), step \(step)")
            let places = (0...expected.count).map { members.member(at: $0) }
            #expect(places == (members.current ?? []) + [nil], "seed \(seed), step \(step)")
            for number in 0..<Self.count {
                #expect(members.holds(id(number)) == reference.holds(number), "seed \(seed), step \(step)")
            }
        }
    }
}
