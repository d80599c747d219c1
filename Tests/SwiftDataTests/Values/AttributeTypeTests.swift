import Foundation
import SwiftData
import Testing

enum Kinds {
    enum Colour: String, Codable, CaseIterable { case red, green = "GREEN", blue }
    enum Size: Int, Codable { case small = -1, large = 9 }

    indirect enum Term: Codable, Equatable {
        case number(Int)
        case sum(Term, Term)
    }

    struct Rights: OptionSet, Codable, Hashable {
        var rawValue: Int
        static let read = Rights(rawValue: 1)
        static let write = Rights(rawValue: 2)
    }

    struct Node: Codable, Equatable {
        var name: String
        var children: [Node] = []
    }

    struct Renamed: Codable, Equatable {
        var title: String
        var colour: Colour
        var term: Term?
        var inner: Inner?

        struct Inner: Codable, Equatable {
            var flag: Bool
            var date: Date?
        }

        enum CodingKeys: String, CodingKey {
            case title = "t"
            case colour = "c"
            case term, inner
        }
    }

    struct Code: Codable, Equatable, RawRepresentable {
        var rawValue: String
    }
}

@Model
final class KindsShape {
    var word: UInt = 0
    var short: UInt16 = 0
    var middle: UInt32 = 0
    var interval: TimeInterval = 0
    var width: CGFloat = 0
    var duration: Duration = .zero
    var components = DateComponents()
    var locale = Locale(identifier: "en_US")
    var zone: TimeZone?
    var length = Measurement(value: 0, unit: UnitLength.meters)
    var indexes = IndexSet()
    var rights: Kinds.Rights = []
    var code = Kinds.Code(rawValue: "")
    var term = Kinds.Term.number(0)
    var node = Kinds.Node(name: "")
    var renamed = Kinds.Renamed(title: "", colour: .red)
    var maybeRenamed: Kinds.Renamed?
    var colours: [Kinds.Colour] = []
    var colourSet: Set<Kinds.Colour> = []
    var byColour: [Kinds.Colour: Int] = [:]
    var sizes: [Kinds.Size]?
    var uuids: [UUID] = []
    var dates: [Date] = []
    var urls: [URL] = []
    var blobs: [Data] = []
    var gaps: [Int?] = []
    var tables: [[String: Double]] = []
    var decimals: [Decimal] = []
    @Transient weak var friend: KindsShape?
    @Transient var onChange: (() -> Void)?
    @Transient @ObservationIgnored var quiet = ""
    /// A statement of its own, over several lines.
    @Attribute(
        .unique
    )
    public
        var spread: Swift.String = "spread"  // with a comment

    init() {}

    deinit { onChange?() }

    func later() async -> UInt { word }
    @MainActor func onMain() {}
}

@Suite("Types of attributes")
struct AttributeTypeTests {
    private func reread(_ shape: KindsShape) throws -> (ModelContext, KindsShape) {
        let container = try ModelContainer(
            for: KindsShape.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        context.insert(shape)
        try context.save()
        let other = ModelContext(container)
        return (other, try #require(try other.fetch(FetchDescriptor<KindsShape>()).first))
    }

    @Test("Numbers and Foundation types are stored and read back")
    func foundation() throws {
        let shape = KindsShape()
        shape.word = .max
        shape.short = .max
        shape.middle = .max
        shape.interval = 1.25
        shape.width = 2.5
        shape.duration = .milliseconds(1500)
        shape.components = DateComponents(year: 2024, month: 2)
        shape.locale = Locale(identifier: "de_AT")
        shape.zone = TimeZone(identifier: "Europe/Prague")
        shape.length = Measurement(value: 3, unit: .kilometers)
        shape.indexes = IndexSet([1, 2, 9])
        shape.quiet = "quiet"
        let (context, read) = try reread(shape)
        #expect(read.modelContext === context)
        #expect(read.word == .max && read.short == .max && read.middle == .max)
        #expect(read.interval == 1.25 && read.width == 2.5 && read.duration == .milliseconds(1500))
        #expect(read.components.year == 2024 && read.components.month == 2)
        #expect(read.locale.identifier == "de_AT" && read.zone?.identifier == "Europe/Prague")
        #expect(read.length == Measurement(value: 3, unit: UnitLength.kilometers))
        #expect(read.indexes == IndexSet([1, 2, 9]))
        #expect(read.quiet == "" && read.spread == "spread")
    }

    @Test("Enums, option sets, nested, recursive and renamed structs are stored and read back")
    func own() throws {
        let shape = KindsShape()
        shape.rights = [.read, .write]
        shape.code = Kinds.Code(rawValue: "x")
        shape.term = .sum(.number(1), .sum(.number(2), .number(3)))
        shape.node = Kinds.Node(name: "root", children: [Kinds.Node(name: "leaf")])
        shape.renamed = Kinds.Renamed(title: "a", colour: .green, term: .number(4), inner: .init(flag: true))
        shape.maybeRenamed = Kinds.Renamed(
            title: "b", colour: .blue, inner: .init(flag: false, date: Date(timeIntervalSinceReferenceDate: 5)))
        let (context, read) = try reread(shape)
        #expect(read.modelContext === context)
        #expect(read.rights == [.read, .write] && read.code.rawValue == "x" && read.term == shape.term)
        #expect(read.node == shape.node && read.renamed == shape.renamed && read.maybeRenamed == shape.maybeRenamed)
    }

    @Test("Collections of values are stored and read back")
    func collections() throws {
        let shape = KindsShape()
        shape.colours = [.red, .green]
        shape.colourSet = [.blue]
        shape.byColour = [.red: 1]
        shape.sizes = [.large, .small]
        shape.uuids = [UUID(), UUID()]
        shape.dates = [Date(timeIntervalSinceReferenceDate: 1.5)]
        shape.urls = [URL(filePath: "/tmp")]
        shape.blobs = [Data([1]), Data()]
        shape.gaps = [1, nil, 3]
        shape.tables = [["a": 1.5], [:]]
        shape.decimals = [Decimal(string: "0.1") ?? 0]
        let (context, read) = try reread(shape)
        #expect(read.modelContext === context)
        #expect(read.colours == shape.colours && read.colourSet == shape.colourSet && read.byColour == shape.byColour)
        #expect(read.sizes == shape.sizes && read.uuids == shape.uuids && read.dates == shape.dates)
        #expect(read.urls == shape.urls && read.blobs == shape.blobs && read.gaps == shape.gaps)
        #expect(read.tables == shape.tables && read.decimals == shape.decimals)
    }
}
