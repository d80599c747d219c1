import Foundation
import SwiftData
import Testing

struct Address: Codable, Hashable {
    var street: String
    var number: Int?
    var lines: [String] = []
}

enum Plain: Codable, Equatable {
    case first, second, third
}

enum Payload: Codable, Equatable {
    case none
    case size(Int)
    case named(name: String, Double)
}

enum Level: Int, Codable {
    case low = 1
    case high = 5
}

@Model
class Everything {
    var int = 0
    var int8: Int8 = 0
    var int16: Int16 = 0
    var int32: Int32 = 0
    var int64: Int64 = 0
    var uint8: UInt8 = 0
    var uint64: UInt64 = 0
    var bool = false
    var float: Float = 0
    var double = 0.0
    var decimal: Decimal = 0
    var string = ""
    var character: Character = "a"
    var date = Date(timeIntervalSinceReferenceDate: 0)
    var uuid = UUID()
    var url = URL(filePath: "/")
    var data = Data()
    var optionalInt: Int?
    var optionalString: String?
    var optionalUUID: UUID?
    var level = Level.low
    var optionalLevel: Level?
    var plain = Plain.first
    var optionalPlain: Plain?
    var payload = Payload.none
    var address = Address(street: "")
    var optionalAddress: Address?
    var names: [String] = []
    var optionalNames: [String]?
    var numbers: Set<Int> = []
    var ages: [String: Int] = [:]
    var addresses: [Address] = []
    @Attribute(.externalStorage) var picture: Data?
    @Attribute(.ephemeral) var selected = false
    @Attribute(originalName: "oldName") var renamed = "x"
    @Transient var scratch = 7
    let constant = UUID()
    var computed: Int { int + 1 }

    init() {}
}

@Suite("Attributes")
struct AttributeTests {
    private func container() throws -> ModelContainer {
        try ModelContainer(for: Everything.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }

    @Test("Every type of value survives a save and a fetch in another context")
    func roundTrip() throws {
        let container = try container()
        let context = ModelContext(container)
        let model = Everything()
        model.int = .min
        model.int8 = -8
        model.int16 = .max
        model.int32 = .min
        model.int64 = .max
        model.uint8 = 255
        model.uint64 = .max
        model.bool = true
        model.float = 1.5
        model.double = -.pi
        model.decimal = Decimal(string: "12.34")!
        model.string = "čaj \u{1F375}"
        model.character = "é"
        model.date = Date(timeIntervalSinceReferenceDate: 1234.5)
        model.url = URL(string: "https://example.org/a?b=c#d")!
        model.data = Data([0, 1, 255])
        model.optionalInt = 3
        model.optionalString = "x"
        model.optionalUUID = model.uuid
        model.level = .high
        model.optionalLevel = .low
        model.plain = .third
        model.optionalPlain = .second
        model.payload = .named(name: "n", 2.5)
        model.address = Address(street: "Main", number: 4, lines: ["a", "b"])
        model.optionalAddress = Address(street: "Side")
        model.names = ["one", "two"]
        model.optionalNames = []
        model.numbers = [1, 2, 3]
        model.ages = ["Fox": 3]
        model.addresses = [Address(street: "A"), Address(street: "B", number: 1)]
        model.picture = Data(repeating: 7, count: 200_000)
        model.selected = true
        model.scratch = 8
        context.insert(model)
        try context.save()

        let other = try #require(try ModelContext(container).fetch(FetchDescriptor<Everything>()).first)
        #expect(other !== model)
        #expect(other.int == .min)
        #expect(other.int8 == -8)
        #expect(other.int16 == .max)
        #expect(other.int32 == .min)
        #expect(other.int64 == .max)
        #expect(other.uint8 == 255)
        #expect(other.uint64 == .max)
        #expect(other.bool)
        #expect(other.float == 1.5)
        #expect(other.double == -.pi)
        #expect(other.decimal == Decimal(string: "12.34"))
        #expect(other.string == "čaj \u{1F375}")
        #expect(other.character == "é")
        #expect(other.date == Date(timeIntervalSinceReferenceDate: 1234.5))
        #expect(other.uuid == model.uuid)
        #expect(other.url == model.url)
        #expect(other.data == Data([0, 1, 255]))
        #expect(other.optionalInt == 3)
        #expect(other.optionalString == "x")
        #expect(other.optionalUUID == model.uuid)
        #expect(other.level == .high)
        #expect(other.optionalLevel == .low)
        #expect(other.plain == .third)
        #expect(other.optionalPlain == .second)
        #expect(other.payload == .named(name: "n", 2.5))
        #expect(other.address == model.address)
        #expect(other.optionalAddress == Address(street: "Side"))
        #expect(other.names == ["one", "two"])
        #expect(other.optionalNames == [])
        #expect(other.numbers == [1, 2, 3])
        #expect(other.ages == ["Fox": 3])
        #expect(other.addresses == model.addresses)
        #expect(other.picture == model.picture)
        #expect(other.constant == model.constant)
        #expect(other.renamed == "x")
        #expect(!other.selected)
        #expect(other.scratch == 7)
        #expect(other.computed == .min + 1)
    }

    @Test("Optionals set back to nil are NULL in the store")
    func backToNil() throws {
        let container = try container()
        let context = ModelContext(container)
        let model = Everything()
        model.optionalInt = 3
        model.optionalLevel = .high
        model.optionalAddress = Address(street: "Side", number: 1)
        model.optionalNames = ["a"]
        context.insert(model)
        try context.save()
        model.optionalInt = nil
        model.optionalLevel = nil
        model.optionalAddress = nil
        model.optionalNames = nil
        #expect(model.hasChanges)
        try context.save()
        let other = try #require(try ModelContext(container).fetch(FetchDescriptor<Everything>()).first)
        #expect(other.optionalInt == nil)
        #expect(other.optionalLevel == nil)
        #expect(other.optionalAddress == nil)
        #expect(other.optionalNames == nil)
    }

    @Test("Setting an equal value is no change")
    func equalValue() throws {
        let context = ModelContext(try container())
        let model = Everything()
        context.insert(model)
        try context.save()
        model.int = 0
        model.address = Address(street: "")
        #expect(!context.hasChanges)
        model.int = 1
        #expect(context.changedModelsArray.count == 1)
    }

    @Test("A model works before any container exists")
    func withoutContainer() {
        let model = Everything()
        model.names.append("x")
        #expect(model.names == ["x"])
        #expect(model.modelContext == nil)
        #expect(!model.hasChanges)
    }
}
