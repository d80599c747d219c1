import Foundation
import TestSupport
import Testing

@testable import SwiftData

/// Models whose identity is a constant, as many programs write them.
private enum Places {
    enum Kind: String, Codable { case park, museum }

    enum Access: Codable, Equatable {
        case free
        case ticket(price: Int)
    }

    struct Position: Codable, Hashable {
        var latitude: Double
        var longitude: Double
    }

    @Model
    class Place {
        @Attribute(.unique) let id: String
        let uuid: UUID
        let kind: Kind
        let access: Access
        let position: Position
        let opened: Date?
        let tags: [String]
        let letter: Character
        let version = 1
        private let secret: String
        var visits: Int
        var guide: Guide?

        init(
            id: String, kind: Kind = .park, access: Access = .free, opened: Date? = nil, visits: Int = 0,
            guide: Guide? = nil
        ) {
            self.id = id
            uuid = UUID()
            self.kind = kind
            self.access = access
            position = Position(latitude: Double(id.count), longitude: 2)
            self.opened = opened
            tags = [id, "place"]
            letter = id.first ?? "-"
            secret = "secret of \(id)"
            self.visits = visits
            self.guide = guide
        }

        convenience init(museum: String) { self.init(id: museum, kind: .museum, access: .ticket(price: 12)) }

        convenience init?(text: String) {
            if text.isEmpty { return nil }
            self.init(id: text)
        }

        var revealed: String { secret }
    }

    @Model
    final class Castle: Place {
        let towers: Int
        let motto: String?

        init(name: String, towers: Int, motto: String? = nil) {
            self.towers = towers
            self.motto = motto
            super.init(id: name)
        }
    }

    @Model
    final class Guide {
        let name: String
        @Relationship(inverse: \Place.guide) var places: [Place] = []

        init?(name: String) {
            if name == "early" {
                return nil
            }
            self.name = name
            if name == "short" { return }
            places = []
        }

        init(checked name: String) throws {
            self.name = name
            if name.isEmpty { throw CocoaError(.coderInvalidValue) }
        }
    }
}

private enum Versions {
    enum First: VersionedSchema {
        static let versionIdentifier = Schema.Version(1, 0, 0)
        static var models: [any PersistentModel.Type] { [Item.self] }

        @Model final class Item {
            var name: String
            init(name: String) { self.name = name }
        }
    }

    enum Second: VersionedSchema {
        static let versionIdentifier = Schema.Version(2, 0, 0)
        static var models: [any PersistentModel.Type] { [Item.self] }

        @Model final class Item {
            @Attribute(originalName: "name") let title: String
            let size: Int?

            init(title: String, size: Int) {
                self.title = title
                self.size = size
            }
        }
    }

    enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [First.self, Second.self] }
        static var stages: [MigrationStage] { [.lightweight(fromVersion: First.self, toVersion: Second.self)] }
    }
}

@Suite("Constants that initializers set")
struct InitializedConstantTests {
    private func memory() throws -> ModelContainer {
        try ModelContainer(
            for: Places.Place.self, Places.Castle.self, Places.Guide.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }

    private func place(_ id: String, in context: ModelContext) throws -> Places.Place {
        try #require(
            try context.fetch(FetchDescriptor<Places.Place>(predicate: #Predicate { $0.id == id })).first)
    }

    @Test("values of every kind are read back from the file")
    func roundTrip() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let configuration = ModelConfiguration(url: folder.appendingPathComponent("places.store"))
        let day = Date(timeIntervalSinceReferenceDate: 1000)
        let (park, museum) = (Places.Place(id: "park", opened: day), Places.Place(museum: "museum"))
        do {
            let context = ModelContext(try ModelContainer(for: Places.Place.self, configurations: configuration))
            context.insert(park)
            context.insert(museum)
            try context.save()
        }
        let context = ModelContext(try ModelContainer(for: Places.Place.self, configurations: configuration))
        let read = try place("park", in: context)
        #expect(read !== park)
        #expect(read.id == "park" && read.uuid == park.uuid && read.kind == .park && read.access == .free)
        #expect(read.position == Places.Position(latitude: 4, longitude: 2) && read.opened == day)
        #expect(read.tags == ["park", "place"] && read.letter == "p" && read.version == 1)
        #expect(read.revealed == "secret of park")
        let other = try place("museum", in: context)
        #expect(other.kind == .museum && other.access == .ticket(price: 12) && other.opened == nil)
        #expect(other.uuid == museum.uuid)
    }

    @Test("constants of related models and of superclasses can be sorted by")
    func ordersAlongRelationships() throws {
        let container = try memory()
        let context = ModelContext(container)
        for (id, name) in [("x", "guide 10"), ("y", "guide 2"), ("z", "guide 1")] {
            context.insert(Places.Place(id: id, guide: Places.Guide(name: name)))
        }
        for number in [10, 2] { context.insert(Places.Castle(name: "castle \(number)", towers: number)) }
        try context.save()
        let reader = ModelContext(container)
        let guided = FetchDescriptor<Places.Place>(
            predicate: #Predicate { $0.guide != nil }, sortBy: [SortDescriptor(\.guide?.name)])
        #expect(try reader.fetch(guided).map(\.id) == ["z", "y", "x"])
        let castles = FetchDescriptor<Places.Castle>(sortBy: [SortDescriptor(\.id)])
        #expect(try reader.fetch(castles).map(\.id) == ["castle 2", "castle 10"])
    }

    @Test("constants can be used in predicates and orders, also for unsaved models")
    func queries() throws {
        let container = try memory()
        let context = ModelContext(container)
        for name in ["b", "a", "c"] { context.insert(Places.Place(id: name)) }
        func names(_ context: ModelContext) throws -> [String] {
            try context.fetch(
                FetchDescriptor<Places.Place>(
                    predicate: #Predicate { $0.id != "b" && $0.position.latitude == 1 },
                    sortBy: [SortDescriptor(\.id, order: .reverse)])
            ).map(\.id)
        }
        #expect(try names(context) == ["c", "a"])
        try context.save()
        #expect(try names(ModelContext(container)) == ["c", "a"])
    }

    @Test("inserting a model with an existing unique constant updates that row")
    func upsert() throws {
        let container = try memory()
        let context = ModelContext(container)
        let first = Places.Place(id: "a", kind: .park, visits: 1)
        context.insert(first)
        try context.save()
        let second = Places.Place(id: "a", kind: .museum, visits: 2)
        context.insert(second)
        try context.save()
        let reader = ModelContext(container)
        #expect(try reader.fetchCount(FetchDescriptor<Places.Place>()) == 1)
        let read = try place("a", in: reader)
        #expect(read.kind == .museum && read.uuid == second.uuid && read.visits == 2)
        #expect(second.persistentModelID == first.persistentModelID && first.visits == 2)
        // A constant of an object keeps its value, even if its row has another one by now.
        #expect(first.kind == .park)
    }

    @Test("an object keeps the value that it read although another program wrote another; edits do not write it")
    func changedElsewhere() throws {
        let container = try memory()
        let context = ModelContext(container)
        context.insert(Places.Place(id: "a"))
        try context.save()
        let held = try place("a", in: context)
        let other = ModelContext(container)
        other.insert(Places.Place(id: "a", kind: .museum))
        try other.save()
        _ = try context.fetch(FetchDescriptor<Places.Place>())
        #expect(held.kind == .park)
        held.visits = 5
        try context.save()
        let read = try place("a", in: ModelContext(container))
        #expect(read.kind == .museum && read.visits == 5)
    }

    @Test("objects reached through relationships have their constants; those of one list are read by one statement")
    func faults() throws {
        let (container, log) = try loggedContainer(Places.Place.self, Places.Guide.self)
        let context = ModelContext(container)
        let guide = try #require(Places.Guide(name: "Ann"))
        context.insert(guide)
        for number in 0..<20 { context.insert(Places.Place(id: "\(number)", guide: guide)) }
        try context.save()
        let reader = ModelContext(container)
        let read = try #require(try reader.fetch(FetchDescriptor<Places.Guide>()).first)
        log.clear()
        #expect(Set(read.places.map(\.id)) == Set((0..<20).map { "\($0)" }))
        #expect(log.queries.count <= 2, "\(log.queries)")
        let fresh = ModelContext(container)
        #expect(try place("7", in: fresh).guide?.name == "Ann")
    }

    @Test("a model whose row is gone has empty constants, and is no member of a list")
    func vanished() throws {
        let container = try memory()
        let context = ModelContext(container)
        let guide = try #require(Places.Guide(name: "Ann"))
        context.insert(guide)
        let (kept, lost) = (Places.Place(id: "kept", guide: guide), Places.Place(id: "lost", guide: guide))
        context.insert(kept)
        context.insert(lost)
        try context.save()
        let lostID = lost.persistentModelID
        context.delete(lost)
        try context.save()
        let reader = ModelContext(container)
        let ghost = try #require(reader.model(for: lostID) as? Places.Place)
        #expect(ghost.id == "" && ghost.modelContext == nil)
        #expect(lost.id == "lost")
        let read = try #require(try reader.fetch(FetchDescriptor<Places.Guide>()).first)
        #expect(read.places.map(\.id) == ["kept"])
    }

    @Test("a subclass has its own and the inherited ones")
    func inheritance() throws {
        let container = try memory()
        let context = ModelContext(container)
        context.insert(Places.Castle(name: "Neuschwanstein", towers: 5, motto: "L'etat"))
        context.insert(Places.Place(id: "park"))
        try context.save()
        let reader = ModelContext(container)
        let castle = try #require(try place("Neuschwanstein", in: reader) as? Places.Castle)
        #expect(castle.towers == 5 && castle.motto == "L'etat" && castle.letter == "N")
        #expect(castle.revealed == "secret of Neuschwanstein")
        let tall = try reader.fetch(FetchDescriptor<Places.Castle>(predicate: #Predicate { $0.towers > 4 }))
        #expect(tall.map(\.id) == ["Neuschwanstein"])
    }

    @Test("convenience, failable and throwing initializers make models, or none")
    func initializers() throws {
        let container = try memory()
        let context = ModelContext(container)
        #expect(Places.Place(text: "") == nil)
        #expect(Places.Guide(name: "early") == nil)
        #expect(throws: CocoaError.self) { try Places.Guide(checked: "") }
        context.insert(try #require(Places.Place(text: "text")))
        context.insert(try #require(Places.Guide(name: "short")))
        context.insert(try Places.Guide(checked: "checked"))
        try context.save()
        let reader = ModelContext(container)
        #expect(try place("text", in: reader).uuid == place("text", in: context).uuid)
        let guides = try reader.fetch(FetchDescriptor<Places.Guide>(sortBy: [SortDescriptor(\.name)]))
        #expect(guides.map(\.name) == ["checked", "short"])
    }

    @Test("rollback, delete and reinsertion keep the object's values")
    func lifeCycle() throws {
        let container = try memory()
        let context = ModelContext(container)
        let place = Places.Place(id: "a")
        context.insert(place)
        context.rollback()
        #expect(place.id == "a" && place.modelContext == nil)
        context.insert(place)
        try context.save()
        context.delete(place)
        try context.save()
        context.insert(place)
        try context.save()
        #expect(try self.place("a", in: ModelContext(container)).uuid == place.uuid)
        try context.delete(model: Places.Place.self, where: #Predicate { $0.id == "a" })
        try context.save()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Places.Place>()) == 0)
    }

    @Test("enumerate, fetchIdentifiers and propertiesToFetch support constants")
    func otherWaysToFetch() throws {
        let container = try memory()
        let context = ModelContext(container)
        for number in 0..<5 { context.insert(Places.Place(id: "\(number)", visits: number)) }
        try context.save()
        let reader = ModelContext(container)
        var descriptor = FetchDescriptor<Places.Place>(sortBy: [SortDescriptor(\.id)])
        var ids: [String] = []
        try reader.enumerate(descriptor, batchSize: 2) { ids.append($0.id) }
        #expect(ids == ["0", "1", "2", "3", "4"])
        descriptor.propertiesToFetch = [\.visits]
        #expect(try ModelContext(container).fetch(descriptor).map(\.id) == ids)
        let identifiers = try ModelContext(container).fetchIdentifiers(descriptor)
        let fresh = ModelContext(container)
        #expect(identifiers.map { (fresh.model(for: $0) as? Places.Place)?.id } == ids)
    }

    @Test("history lists them as written, once")
    func history() throws {
        let container = try memory()
        let context = ModelContext(container)
        let place = Places.Place(id: "a")
        context.insert(place)
        try context.save()
        place.visits = 1
        try context.save()
        let changes = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).flatMap(\.changes)
        let updates = changes.compactMap { change -> DefaultHistoryUpdate<Places.Place>? in
            if case .update(let update) = change { return update as? DefaultHistoryUpdate<Places.Place> }
            return nil
        }
        #expect(changes.count == 2 && updates.count == 1)
        #expect(updates.first?.updatedAttributes.contains { $0 == \Places.Place.id } == false)
    }

    @Test("a custom store receives them in snapshots, and returns them")
    func customStore() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        func open() throws -> ModelContext {
            let schema = Schema([Places.Guide.self, Places.Place.self, Places.Castle.self])
            let configuration = JSONStoreConfiguration(
                schema: schema, fileURL: folder.appendingPathComponent("guides.json"))
            return ModelContext(
                try ModelContainer(for: schema, configurations: [configuration as any DataStoreConfiguration]))
        }
        let context = try open()
        let guide = try #require(Places.Guide(name: "Ann"))
        context.insert(guide)
        context.insert(Places.Place(id: "a", access: .ticket(price: 3), guide: guide))
        try context.save()
        let reader = try open()
        let read = try #require(try reader.fetch(FetchDescriptor<Places.Guide>()).first)
        #expect(read.name == "Ann")
        #expect(read.places.map(\.id) == ["a"] && read.places.first?.access == .ticket(price: 3))
    }

    @Test("a variable can become a constant with another name in the next version")
    func migration() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let url = folder.appendingPathComponent("items.store")
        do {
            let context = ModelContext(
                try ModelContainer(for: Versions.First.Item.self, configurations: ModelConfiguration(url: url)))
            context.insert(Versions.First.Item(name: "first"))
            try context.save()
        }
        let context = ModelContext(
            try ModelContainer(
                for: Versions.Second.Item.self, migrationPlan: Versions.Plan.self,
                configurations: ModelConfiguration(url: url)))
        context.insert(Versions.Second.Item(title: "second", size: 2))
        try context.save()
        let items = try context.fetch(FetchDescriptor<Versions.Second.Item>(sortBy: [SortDescriptor(\.title)]))
        #expect(items.map(\.title) == ["first", "second"])
        #expect(items.map(\.size) == [nil, 2])
    }
}
