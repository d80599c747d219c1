import Foundation
import SwiftData
import Testing

private enum Rank: String, Codable, Comparable {
    case low, middle, high

    private var position: Int {
        switch self {
        case .low: 0
        case .middle: 1
        case .high: 2
        }
    }
    static func < (one: Rank, other: Rank) -> Bool { one.position < other.position }
}

private struct Size: Codable, Comparable {
    var width: Int
    var height: Int
    static func < (one: Size, other: Size) -> Bool { one.width * one.height < other.width * other.height }
}

@Model private final class Shipment {
    var name: String
    var rank: Rank
    var size: Size
    var wait: Duration
    var count: UInt64
    var limit: UInt?
    var tags: [String] = []
    @Attribute(.externalStorage) var picture: Data?
    var shout: String { name.uppercased() }

    init(name: String, rank: Rank = .low, size: Size = Size(width: 1, height: 1), count: UInt64 = 0) {
        self.name = name
        self.rank = rank
        self.size = size
        self.count = count
        wait = .seconds(Double(name.count))
    }
}

@Suite("Fetches evaluated in memory")
struct FetchInMemoryTests {
    private let container: ModelContainer
    private let context: ModelContext

    init() throws {
        container = try ModelContainer(
            for: Shipment.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        context = ModelContext(container)
    }

    private func names(_ descriptor: FetchDescriptor<Shipment>) throws -> [String] {
        try context.fetch(descriptor).map(\.name)
    }

    @Test("Values with a custom order are sorted by it, with offset and limit, alone or among other descriptors")
    func orders() throws {
        context.insert(Shipment(name: "bb", rank: .high, size: Size(width: 1, height: 9)))
        context.insert(Shipment(name: "a", rank: .low, size: Size(width: 4, height: 4)))
        context.insert(Shipment(name: "ccc", rank: .middle, size: Size(width: 2, height: 2)))
        context.insert(Shipment(name: "dd", rank: .high, size: Size(width: 1, height: 1)))
        try context.save()
        #expect(
            try names(FetchDescriptor(sortBy: [SortDescriptor(\.rank, order: .reverse), SortDescriptor(\.name)]))
                == ["bb", "dd", "ccc", "a"])
        #expect(try names(FetchDescriptor(sortBy: [SortDescriptor(\.size)])) == ["dd", "ccc", "bb", "a"])
        #expect(
            try names(FetchDescriptor(sortBy: [SortDescriptor(\.wait), SortDescriptor(\.name)]))
                == ["a", "bb", "dd", "ccc"])
        var window = FetchDescriptor<Shipment>(
            predicate: #Predicate { $0.name != "ccc" }, sortBy: [SortDescriptor(\.size, order: .reverse)])
        (window.fetchOffset, window.fetchLimit) = (1, 1)
        #expect(try names(window) == ["bb"])
        #expect(try context.fetchCount(window) == 1)
        #expect(throws: SwiftDataError.unsupportedSortDescriptor) {
            try names(FetchDescriptor(sortBy: [SortDescriptor(\.shout)]))
        }
    }

    @Test("Unsigned numbers compare and sort as unsigned, stored and unsaved", arguments: [true, false])
    func unsigned(isSaved: Bool) throws {
        let numbers: [UInt64] = [0, 7, UInt64(Int64.max), UInt64(Int64.max) + 1, .max]
        for number in numbers.reversed() {
            let parcel = Shipment(name: "\(number)", count: number)
            parcel.limit = number == 7 ? nil : UInt(number)
            context.insert(parcel)
        }
        if isSaved { try context.save() }
        let all = numbers.map { "\($0)" }
        #expect(try names(FetchDescriptor(sortBy: [SortDescriptor(\.count)])) == all)
        #expect(try names(FetchDescriptor(sortBy: [SortDescriptor(\.count, order: .reverse)])) == all.reversed())
        let byLimit = ["7", "0"] + all.dropFirst(2)
        #expect(try names(FetchDescriptor(sortBy: [SortDescriptor(\.limit)])) == byLimit)
        for bound in numbers {
            let least = FetchDescriptor<Shipment>(predicate: #Predicate { $0.count >= bound })
            #expect(Set(try names(least)) == Set(numbers.filter { $0 >= bound }.map { "\($0)" }))
            let below = FetchDescriptor<Shipment>(predicate: #Predicate { $0.count < bound })
            #expect(Set(try names(below)) == Set(numbers.filter { $0 < bound }.map { "\($0)" }))
            let within = FetchDescriptor<Shipment>(
                predicate: #Predicate { (7...bound).contains($0.count) || bound < 7 })
            if bound >= 7 {
                #expect(Set(try names(within)) == Set(numbers.filter { (7...bound).contains($0) }.map { "\($0)" }))
            }
        }
        let same = FetchDescriptor<Shipment>(predicate: #Predicate { $0.count <= $0.count && !($0.count > $0.count) })
        #expect(try context.fetchCount(same) == numbers.count)
    }

    @Test("includePendingChanges false excludes unsaved changes from evaluation in memory, too")
    func storedOnly() throws {
        let picture = Data(repeating: 7, count: 200_000)
        let (kept, gone) = (Shipment(name: "kept"), Shipment(name: "gone"))
        for parcel in [kept, gone] {
            parcel.picture = picture
            parcel.tags = ["x"]
            context.insert(parcel)
        }
        try context.save()
        kept.tags = []
        kept.picture = nil
        context.delete(gone)
        let new = Shipment(name: "new")
        new.tags = ["x"]
        new.picture = picture
        context.insert(new)
        var tagged = FetchDescriptor<Shipment>(predicate: #Predicate { $0.tags.contains("x") })
        var pictured = FetchDescriptor<Shipment>(predicate: #Predicate { $0.picture == picture })
        #expect(try names(tagged) == ["new"])
        #expect(try names(pictured) == ["new"])
        tagged.includePendingChanges = false
        pictured.includePendingChanges = false
        for descriptor in [tagged, pictured] {
            #expect(Set(try names(descriptor)) == ["kept", "gone"])
            #expect(try context.fetchCount(descriptor) == 2)
            #expect(try context.fetchIdentifiers(descriptor).count == 2)
        }
        #expect(kept.tags == [])
    }

    @Test("enumerate skips models that the block deleted")
    func enumerating() throws {
        for number in 0..<6 { context.insert(Shipment(name: "\(number)")) }
        try context.save()
        var seen: [String] = []
        let sorted = FetchDescriptor<Shipment>(sortBy: [SortDescriptor(\.name)])
        try context.enumerate(sorted, batchSize: 2, allowEscapingMutations: true) { parcel in
            seen.append(parcel.name)
            guard parcel.name == "0" else { return }
            for other in try context.fetch(sorted) where ["1", "4"].contains(other.name) { context.delete(other) }
        }
        #expect(seen == ["0", "2", "3", "5"])
    }

    @Test("A limited fetch with unsaved changes equals the same range of an unlimited one")
    func limited() throws {
        for number in 0..<30 { context.insert(Shipment(name: "\(100 + number)")) }
        try context.save()
        let all = try context.fetch(FetchDescriptor<Shipment>(sortBy: [SortDescriptor(\.name)]))
        context.delete(all[1])
        context.delete(all[4])
        all[2].name = "999"
        context.insert(Shipment(name: "1005"))
        var descriptor = FetchDescriptor<Shipment>(sortBy: [SortDescriptor(\.name)])
        let whole = try names(descriptor)
        (descriptor.fetchOffset, descriptor.fetchLimit) = (2, 5)
        #expect(try names(descriptor) == Array(whole[2..<7]))
        (descriptor.fetchOffset, descriptor.fetchLimit) = (25, 9)
        #expect(try names(descriptor) == Array(whole[25...]))
        (descriptor.fetchOffset, descriptor.fetchLimit) = (2, .max)
        #expect(try names(descriptor) == Array(whole[2...]))
        (descriptor.fetchOffset, descriptor.fetchLimit) = (.max, .max)
        #expect(try names(descriptor) == [])
        (descriptor.fetchOffset, descriptor.fetchLimit) = (-3, 2)
        #expect(try names(descriptor) == Array(whole[..<2]))
        (descriptor.fetchOffset, descriptor.fetchLimit) = (nil, 0)
        #expect(try names(descriptor) == [])
        descriptor.fetchLimit = -1
        #expect(try names(descriptor) == [])
    }
}
