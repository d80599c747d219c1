import Foundation
import ObjectGraph
import Testing

@testable import SwiftData

/// A type of another library: a class whose parts nothing outside it can see.
final class PlaceMark: Codable, Equatable {
    private let code: String

    init(_ code: String) { self.code = code }

    static func == (lhs: PlaceMark, rhs: PlaceMark) -> Bool { lhs.code == rhs.code }
}

struct Camera: Codable, Equatable {
    var heading: Double
    var names: [String: Int]
}

@Model
final class Tour {
    var name: String
    @Attribute(.codable) var mark: PlaceMark?
    @Attribute(.codable) var camera = Camera(heading: 0, names: [:])
    @Attribute(.codable) var note: String = "plain"
    @Attribute(.codable, .externalStorage) let first: PlaceMark

    init(name: String, mark: PlaceMark? = nil, first: PlaceMark = PlaceMark("first")) {
        self.name = name
        self.mark = mark
        self.first = first
    }
}

@Suite("Attributes with the option codable")
struct CodableAttributeTests {
    private func container() throws -> ModelContainer {
        try ModelContainer(for: Tour.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }

    @Test("Values of a class without a model, and of any other Codable type, are stored and read")
    func roundTrip() throws {
        let container = try container()
        let context = ModelContext(container)
        let tour = Tour(name: "a", mark: PlaceMark("x"), first: PlaceMark("f"))
        tour.camera = Camera(heading: .infinity, names: ["north": 1])
        tour.note = "changed"
        context.insert(tour)
        context.insert(Tour(name: "b"))
        try context.save()

        let other = ModelContext(container)
        let tours = try other.fetch(FetchDescriptor<Tour>(sortBy: [SortDescriptor(\.name)]))
        #expect(tours.map(\.mark) == [PlaceMark("x"), nil])
        #expect(tours[0].first == PlaceMark("f"))
        #expect(tours[0].camera == Camera(heading: .infinity, names: ["north": 1]))
        #expect(tours.map(\.note) == ["changed", "plain"])
        tours[0].mark = nil
        tours[1].mark = PlaceMark("y")
        try other.save()
        context.processPendingChanges()
        #expect(tour.mark == nil)
    }

    @Test("DV99 The value is one binary column with JSON, and is one attribute of the schema")
    func form() throws {
        let schema = Schema([Tour.self])
        let entity = try #require(schema.entity(for: Tour.self))
        let mark = try #require(entity.attributesByName["mark"])
        #expect(mark.isCodable && !mark.isTransformable && mark.isOptional)
        #expect(!(entity.attributesByName["camera"] is Schema.CompositeAttribute))
        #expect(entity.attributesByName["name"]?.isCodable == false)
        #expect(Schema.Attribute(.codable).options == [.codable])
        let compiled = try #require(try schema.compiled().entity(named: "Tour"))
        for name in ["mark", "camera", "note", "first"] {
            #expect(compiled.attribute(named: name)?.attribute.type == .binary)
        }

        let context = ModelContext(try container())
        context.insert(Tour(name: "a", mark: PlaceMark("x")))
        try context.save()
        let tour = try #require(try context.fetch(FetchDescriptor<Tour>()).first)
        let slots = try #require(ModelType.of(Tour.self).property(named: "mark")).slots
        #expect(tour.record.values(slots).first == .bytes(Data(#"{"code":"x"}"#.utf8)))
    }

    @Test("DV99 A binary property list is read as well")
    func propertyList() throws {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        let codec = try #require(CodecSelection.wholeCodec(for: PlaceMark?.self))
        let values = SlotValues([.bytes(try encoder.encode(PlaceMark("x")))])
        #expect(codec.decoded(values[...], as: PlaceMark?.self) == PlaceMark("x"))
    }

    @Test("DV99 A predicate or sort descriptor on the value is evaluated in memory")
    func predicates() throws {
        let context = ModelContext(try container())
        context.insert(Tour(name: "a", mark: PlaceMark("x")))
        context.insert(Tour(name: "b"))
        try context.save()
        let (mark, text): (PlaceMark?, String) = (PlaceMark("x"), "plain")
        let predicate = #Predicate<Tour> { $0.note == text && $0.note.contains("ai") && $0.note.count == 5 }
        #expect(try context.fetchCount(FetchDescriptor<Tour>(predicate: predicate)) == 2)
        #expect(throws: PredicateTranslationError.self) {
            _ = try PredicateTranslator.translate(predicate, model: context.container.store.model)
        }
        _ = mark
        let none = #Predicate<Tour> { $0.mark == nil }
        #expect(try context.fetch(FetchDescriptor<Tour>(predicate: none)).map(\.name) == ["b"])
        let sorted = FetchDescriptor<Tour>(sortBy: [SortDescriptor(\.note), SortDescriptor(\.name, order: .reverse)])
        #expect(try context.fetch(sorted).map(\.name) == ["b", "a"])
    }

    @Test("A schema made by hand stores the value as one binary column")
    func byHand() throws {
        let attribute = Schema.Attribute(name: "mark", options: [.codable], valueType: PlaceMark?.self)
        let model = try Schema(Schema.Entity("Tour", properties: attribute)).compiled()
        #expect(model.entity(named: "Tour")?.attribute(named: "mark")?.attribute.type == .binary)
        let decoded = try JSONDecoder().decode(Schema.Attribute.self, from: JSONEncoder().encode(attribute))
        #expect(decoded == attribute && decoded.isCodable)
    }
}
