import Foundation
import SQLiteStore
import SwiftData
import Synchronization
import TestSupport
import Testing

/// A garden and a journal, which are unrelated; and a poster that refers to the garden.
enum Shelf {
    @Model
    final class Garden {
        @Attribute(.unique) var name: String
        @Relationship(deleteRule: .cascade, inverse: \Plant.garden) var plants: [Plant] = []

        init(name: String) {
            self.name = name
        }
    }

    @Model
    final class Plant {
        var name: String
        var height: Int = 0
        var garden: Garden?

        init(name: String, height: Int = 0, garden: Garden? = nil) {
            self.name = name
            self.height = height
            self.garden = garden
        }
    }

    @Model
    class Entry {
        var text: String
        @Relationship(inverse: \Topic.entries) var topics: [Topic] = []

        init(text: String) {
            self.text = text
        }
    }

    @Model
    final class DreamEntry: Entry {
        var depth: Int = 1

        init(text: String, depth: Int) {
            self.depth = depth
            super.init(text: text)
        }
    }

    @Model
    final class Topic {
        @Attribute(.unique) var label: String
        var entries: [Entry] = []

        init(label: String) {
            self.label = label
        }
    }

    @Model
    final class Poster {
        var title: String
        var garden: Garden?

        init(title: String) {
            self.title = title
        }
    }
}

/// Two files in a folder of their own.
private struct Shelves {
    private let temporary: TemporaryFolder
    /// Does not exist before a store is created in it.
    var folder: URL { temporary.appendingPathComponent("shelves") }
    var gardenURL: URL { folder.appendingPathComponent("garden.store") }
    var journalURL: URL { folder.appendingPathComponent("journal.store") }

    init() throws { temporary = try TemporaryFolder() }

    static let models: [any PersistentModel.Type] = [Shelf.Garden.self, Shelf.Entry.self, Shelf.DreamEntry.self]

    func configurations(gardenSaves: Bool = true, journalSaves: Bool = true) -> [ModelConfiguration] {
        [
            ModelConfiguration(
                "garden", schema: Schema(Shelf.Garden.self), url: gardenURL, allowsSave: gardenSaves),
            ModelConfiguration(
                "journal", schema: Schema(Shelf.Entry.self, Shelf.DreamEntry.self), url: journalURL,
                allowsSave: journalSaves),
        ]
    }

    func container(_ configurations: [ModelConfiguration]? = nil) throws -> ModelContainer {
        try ModelContainer(for: Schema(Self.models), configurations: configurations ?? self.configurations())
    }

    func context() throws -> ModelContext { ModelContext(try container()) }

    func remove() { temporary.remove() }

    /// The first column of a query on a file.
    func texts(_ sql: String, _ url: URL) throws -> [String] {
        try Connection(.file(url), access: .readOnly).withStatement(sql) { statement in
            var texts: [String] = []
            while try statement.step() { texts.append(statement.text(at: 0)) }
            return texts
        }
    }

    /// The error of a container of these configurations.
    static func refusal(
        of configurations: [ModelConfiguration], for models: [any PersistentModel.Type] = Shelves.models
    ) -> SwiftDataError? {
        #expect(throws: SwiftDataError.self) { try ModelContainer(for: Schema(models), configurations: configurations) }
    }
}

/// Random edits, the same for the same seed whatever the stores.
private struct ShelfWork {
    let context: ModelContext
    private var random: SeededGenerator
    private var count = 0

    init(_ context: ModelContext, seed: UInt64) {
        self.context = context
        random = SeededGenerator(seed: seed)
    }

    private mutating func number(below limit: Int) -> Int { random.roll(limit) }

    private mutating func name() -> String {
        count += 1
        return String(count)
    }

    private mutating func pick<T>(_ models: [T]) -> T? { random.pick(models) }

    private func gardens() throws -> [Shelf.Garden] { try context.fetch(FetchDescriptor(sortBy: [.init(\.name)])) }
    private func plants() throws -> [Shelf.Plant] { try context.fetch(FetchDescriptor(sortBy: [.init(\.name)])) }
    private func entries() throws -> [Shelf.Entry] { try context.fetch(FetchDescriptor(sortBy: [.init(\.text)])) }
    private func topics() throws -> [Shelf.Topic] { try context.fetch(FetchDescriptor(sortBy: [.init(\.label)])) }

    mutating func step() throws {
        switch number(below: 14) {
        case 0: context.insert(Shelf.Garden(name: name()))
        case 1, 2: context.insert(Shelf.Plant(name: name(), height: number(below: 9), garden: pick(try gardens())))
        case 3: context.insert(Shelf.Entry(text: name()))
        case 4: context.insert(Shelf.DreamEntry(text: name(), depth: number(below: 9)))
        case 5: context.insert(Shelf.Topic(label: name()))
        case 6: pick(try plants())?.garden = pick(try gardens())
        case 7: pick(try gardens())?.plants = try plants().filter { $0.height > 4 }
        case 8, 9: if let topic = pick(try topics()) { pick(try entries())?.topics.append(topic) }
        case 10: pick(try topics())?.entries.removeAll { $0 is Shelf.DreamEntry }
        case 11: try delete()
        case 12: try context.save()
        default: number(below: 3) == 0 ? context.rollback() : try context.save()
        }
    }

    private mutating func delete() throws {
        switch number(below: 4) {
        case 0: pick(try gardens()).map(context.delete)
        case 1: pick(try plants()).map(context.delete)
        case 2: pick(try entries()).map(context.delete)
        default: pick(try topics()).map(context.delete)
        }
    }

    /// All models, with both ends of every relationship.
    func contents() throws -> [String] {
        try gardens().map { "garden \($0.name): \($0.plants.map(\.name).sorted())" }
            + plants().map { "plant \($0.name) \($0.height) in \($0.garden?.name ?? "-")" }
            + entries().map { entry in
                let depth = (entry as? Shelf.DreamEntry)?.depth ?? -1
                return "entry \(entry.text) \(depth): \(entry.topics.map(\.label).sorted())"
            }
            + topics().map { "topic \($0.label): \($0.entries.map(\.text).sorted())" }
    }
}

@Suite("Several stores in one container")
struct MultipleStoresTests {
    private typealias Garden = Shelf.Garden
    private typealias Plant = Shelf.Plant
    private typealias Entry = Shelf.Entry
    private typealias DreamEntry = Shelf.DreamEntry
    private typealias Topic = Shelf.Topic

    /// One garden with two plants; two entries, one of them a dream, that share a topic.
    private func fill(_ context: ModelContext) throws {
        let garden = Garden(name: "Back")
        context.insert(garden)
        context.insert(DreamEntry(text: "Flying", depth: 2))
        context.insert(Plant(name: "Fern", height: 3, garden: garden))
        let entry = Entry(text: "Rain")
        context.insert(entry)
        context.insert(Plant(name: "Moss", height: 1, garden: garden))
        entry.topics = [Topic(label: "Weather")]
        try context.save()
        let dream = try #require(try context.fetch(FetchDescriptor<DreamEntry>()).first)
        dream.topics = entry.topics
        try context.save()
    }

    private func names(_ context: ModelContext) throws -> [String] {
        try context.fetch(FetchDescriptor<Plant>(sortBy: [SortDescriptor(\.name)])).map(\.name)
    }

    private func texts(_ context: ModelContext) throws -> [String] {
        try context.fetch(FetchDescriptor<Entry>(sortBy: [SortDescriptor(\.text)])).map(\.text)
    }

    @Test("Each file has the tables, numbers and hashes of its own entities only, as a store with only those entities")
    func files() throws {
        let shelves = try Shelves()
        defer { shelves.remove() }
        let container = try shelves.container()
        #expect(container.configurations == Set(shelves.configurations()))
        try fill(ModelContext(container))
        let tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z%' ORDER BY name"
        let garden = try shelves.texts(tables, shelves.gardenURL)
        let journal = try shelves.texts(tables, shelves.journalURL)
        let common = ["Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY"]
        #expect(garden == ["ZGARDEN", "ZPLANT"] + common)
        #expect(journal.filter { !common.contains($0) && !$0.hasPrefix("Z_") } == ["ZENTRY", "ZTOPIC"])
        #expect(!journal.contains("ZGARDEN"))
        let numbers = "SELECT Z_ENT || Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY Z_ENT"
        #expect(try shelves.texts(numbers, shelves.gardenURL) == ["1Garden", "2Plant"])
        #expect(try shelves.texts(numbers, shelves.journalURL) == ["1Entry", "2DreamEntry", "3Topic"])
        // Opened alone, each is a store like any other.
        let alone = ModelContext(
            try ModelContainer(for: Garden.self, configurations: ModelConfiguration(url: shelves.gardenURL)))
        #expect(try names(alone) == ["Fern", "Moss"])
        let journalAlone = ModelContext(
            try ModelContainer(
                for: Entry.self, DreamEntry.self, configurations: ModelConfiguration(url: shelves.journalURL)))
        #expect(try texts(journalAlone) == ["Flying", "Rain"])
    }

    @Test("One context saves, reads, changes and deletes in both stores; relationships and their rules hold in each")
    func work() throws {
        let shelves = try Shelves()
        defer { shelves.remove() }
        try fill(shelves.context())
        let context = try shelves.context()
        let garden = try #require(try context.fetch(FetchDescriptor<Garden>()).first)
        let topic = try #require(try context.fetch(FetchDescriptor<Topic>()).first)
        #expect(garden.plants.map(\.name).sorted() == ["Fern", "Moss"])
        #expect(topic.entries.map(\.text).sorted() == ["Flying", "Rain"])
        let dream = try #require(topic.entries.compactMap { $0 as? DreamEntry }.first)
        #expect(dream.depth == 2)
        garden.plants.first { $0.name == "Moss" }?.height = 9
        topic.entries.removeAll { $0 === dream }
        context.insert(Entry(text: "Sun"))
        context.insert(Plant(name: "Oak", garden: garden))
        try context.save()
        let other = try shelves.context()
        #expect(try names(other) == ["Fern", "Moss", "Oak"])
        #expect(try texts(other) == ["Flying", "Rain", "Sun"])
        #expect(try other.fetch(FetchDescriptor<DreamEntry>()).first?.topics.isEmpty == true)
        let tall = FetchDescriptor<Plant>(predicate: #Predicate { $0.height == 9 })
        #expect(try other.fetch(tall).map(\.name) == ["Moss"])
        for garden in try other.fetch(FetchDescriptor<Garden>()) { other.delete(garden) }
        for entry in try other.fetch(FetchDescriptor<DreamEntry>()) { other.delete(entry) }
        try other.save()
        #expect(try shelves.context().fetchCount(FetchDescriptor<Plant>()) == 0)
        #expect(try texts(shelves.context()) == ["Rain", "Sun"])
    }

    @Test("Predicates, orders, counts and identifiers are evaluated by the store of the entity")
    func queries() throws {
        let shelves = try Shelves()
        defer { shelves.remove() }
        try fill(shelves.context())
        let context = try shelves.context()
        func labels(_ predicate: Predicate<Topic>) throws -> [String] {
            try context.fetch(FetchDescriptor(predicate: predicate)).map(\.label)
        }
        #expect(try labels(#Predicate { $0.entries.contains { $0.text == "Rain" } }) == ["Weather"])
        #expect(try labels(#Predicate { $0.entries.allSatisfy { $0.text == "Rain" } }).isEmpty)
        #expect(try labels(#Predicate { $0.entries.count == 2 && $0.label.contains("eath") }) == ["Weather"])
        #expect(try labels(#Predicate { $0.entries.filter { $0.topics.isEmpty }.isEmpty }) == ["Weather"])
        let dreams = #Predicate<Entry> { $0 is DreamEntry }
        #expect(try context.fetch(FetchDescriptor(predicate: dreams)).map(\.text) == ["Flying"])
        let deep = #Predicate<Entry> { ($0 as? DreamEntry)?.depth == 2 }
        #expect(try context.fetch(FetchDescriptor(predicate: deep)).map(\.text) == ["Flying"])
        let inBack = #Predicate<Plant> { $0.garden?.name == "Back" && ($0.height > 2 ? 1 : 0) == 1 }
        #expect(try context.fetch(FetchDescriptor(predicate: inBack)).map(\.name) == ["Fern"])
        #expect(try context.fetchCount(FetchDescriptor<Entry>()) == 2)
        let ids = try context.fetchIdentifiers(FetchDescriptor<Plant>(sortBy: [SortDescriptor(\.garden?.name)]))
        #expect(ids.count == 2 && ids.allSatisfy { $0.entityName == "Plant" })
        let listed = #Predicate<Plant> { ids.contains($0.persistentModelID) }
        #expect(try context.fetchCount(FetchDescriptor(predicate: listed)) == 2)
        let foreign = try context.fetchIdentifiers(FetchDescriptor<Entry>())
        let listedElsewhere = #Predicate<Plant> { foreign.contains($0.persistentModelID) }
        #expect(try context.fetchCount(FetchDescriptor(predicate: listedElsewhere)) == 0)
    }

    @Test("Fetches of either store include unsaved changes, which a rollback discards")
    func overlay() throws {
        let shelves = try Shelves()
        defer { shelves.remove() }
        let context = try shelves.context()
        try fill(context)
        context.insert(Plant(name: "Ivy"))
        let sun = Entry(text: "Sun")
        context.insert(sun)
        sun.topics = try context.fetch(FetchDescriptor<Topic>())
        try context.fetch(FetchDescriptor<Plant>()).first { $0.name == "Fern" }?.name = "Zinnia"
        #expect(try names(context) == ["Ivy", "Moss", "Zinnia"])
        #expect(try texts(context) == ["Flying", "Rain", "Sun"])
        let three = FetchDescriptor<Topic>(predicate: #Predicate { $0.entries.count == 3 })
        #expect(try context.fetchCount(three) == 1)
        #expect(try names(shelves.context()) == ["Fern", "Moss"])
        context.rollback()
        #expect(try names(context) == ["Fern", "Moss"])
        #expect(try context.fetchCount(three) == 0)
    }

    @Test("Identifiers contain their store, and find the right model if keys are equal")
    func identifiers() throws {
        let shelves = try Shelves()
        defer { shelves.remove() }
        let context = try shelves.context()
        try fill(context)
        let garden = try #require(try context.fetch(FetchDescriptor<Garden>()).first)
        let topic = try #require(try context.fetch(FetchDescriptor<Topic>()).first)
        let plant = try #require(garden.plants.first)
        let stores = try [shelves.gardenURL, shelves.journalURL].map {
            try shelves.texts("SELECT Z_UUID FROM Z_METADATA", $0).first
        }
        #expect(garden.persistentModelID.storeIdentifier == stores[0])
        #expect(plant.persistentModelID.storeIdentifier == stores[0])
        #expect(topic.persistentModelID.storeIdentifier == stores[1])
        #expect(stores[0] != stores[1])
        let data = try JSONEncoder().encode([garden.persistentModelID, topic.persistentModelID])
        let ids = try JSONDecoder().decode([PersistentIdentifier].self, from: data)
        let other = ModelContext(try shelves.container(shelves.configurations().reversed()))
        #expect((other.model(for: ids[0]) as? Garden)?.name == "Back")
        #expect((other.model(for: ids[1]) as? Topic)?.label == "Weather")
        #expect(other.registeredModel(for: ids[1]) as Topic? != nil)
    }

    @Test("Contexts of one container merge other contexts' saves to any store")
    func merging() throws {
        let shelves = try Shelves()
        defer { shelves.remove() }
        let container = try shelves.container()
        let context = ModelContext(container)
        try fill(context)
        let rain = try #require(try context.fetch(FetchDescriptor<Entry>()).first { $0.text == "Rain" })
        let other = ModelContext(container)
        try other.fetch(FetchDescriptor<Entry>()).first { $0.text == "Rain" }?.text = "Hail"
        try other.fetch(FetchDescriptor<Plant>()).first { $0.name == "Moss" }.map(other.delete)
        try other.save()
        #expect(try names(context) == ["Fern"])
        #expect(rain.text == "Hail")
    }

    @Test("A conflict in one store rolls back the others, and the save is retried as a whole")
    func conflicts() throws {
        let shelves = try Shelves()
        defer { shelves.remove() }
        try fill(shelves.context())
        // The order in which the stores are written is unknown here: each has the conflict once.
        let first = try shelves.context()
        let fern = try #require(try first.fetch(FetchDescriptor<Plant>()).first { $0.name == "Fern" })
        fern.height = 30
        let elsewhere = try shelves.context()
        try elsewhere.fetch(FetchDescriptor<Plant>()).first { $0.name == "Fern" }?.name = "Tree fern"
        try elsewhere.save()
        first.insert(Entry(text: "Once"))
        try first.save()
        #expect(fern.name == "Tree fern" && fern.height == 30)
        let second = try shelves.context()
        let dream = try #require(try second.fetch(FetchDescriptor<DreamEntry>()).first)
        dream.depth = 7
        let elsewhereAgain = try shelves.context()
        try elsewhereAgain.fetch(FetchDescriptor<DreamEntry>()).first?.text = "Falling"
        try elsewhereAgain.save()
        second.insert(Plant(name: "Oak"))
        try second.save()
        #expect(dream.text == "Falling" && dream.depth == 7)
        #expect(try names(shelves.context()) == ["Moss", "Oak", "Tree fern"])
        #expect(try texts(shelves.context()) == ["Falling", "Once", "Rain"])
    }

    @Test("An error in one store leaves every store unchanged", arguments: ["ZPLANT", "ZENTRY"])
    func errors(table: String) throws {
        let shelves = try Shelves()
        defer { shelves.remove() }
        let context = try shelves.context()
        try fill(context)
        let url = table == "ZPLANT" ? shelves.gardenURL : shelves.journalURL
        try Connection(.file(url), access: .readWrite).execute("ALTER TABLE \(table) RENAME TO ELSEWHERE")
        let plant = Plant(name: "Oak")
        let entry = Entry(text: "Sun")
        context.insert(plant)
        context.insert(entry)
        #expect(throws: (any Error).self) { try context.save() }
        #expect(context.hasChanges && context.insertedModelsArray.count == 2)
        try Connection(.file(url), access: .readWrite).execute("ALTER TABLE ELSEWHERE RENAME TO \(table)")
        #expect(try names(shelves.context()) == ["Fern", "Moss"])
        #expect(try texts(shelves.context()) == ["Flying", "Rain"])
        try context.save()
        #expect(try names(shelves.context()) == ["Fern", "Moss", "Oak"])
        #expect(try texts(shelves.context()) == ["Flying", "Rain", "Sun"])
    }

    @Test("Changes to a read-only store refuse the whole save before any write; the other store can be saved")
    func readOnly() throws {
        let shelves = try Shelves()
        defer { shelves.remove() }
        try fill(shelves.context())
        let container = try shelves.container(shelves.configurations(journalSaves: false))
        let context = ModelContext(container)
        let sun = Entry(text: "Sun")
        context.insert(sun)
        context.insert(Plant(name: "Oak"))
        let error = #expect(throws: CocoaError.self) { try context.save() }
        #expect(error?.code == .fileWriteNoPermission)
        let text = try #require(error?.localizedDescription)
        #expect(text.contains("Entry") && text.contains("allowsSave: false") && text.contains("journal"))
        #expect(context.hasChanges)
        #expect(try names(shelves.context()) == ["Fern", "Moss"])
        context.delete(sun)
        try context.save()
        #expect(try names(shelves.context()) == ["Fern", "Moss", "Oak"])
        #expect(try texts(context) == ["Flying", "Rain"])
        #expect(throws: CocoaError.self) { try container.erase() }
        #expect(try names(shelves.context()) == ["Fern", "Moss", "Oak"])
        let reader = ModelContext(
            try shelves.container(shelves.configurations(gardenSaves: false, journalSaves: false)))
        reader.insert(Plant(name: "Elm"))
        #expect(throws: CocoaError.self) { try reader.save() }
    }

    @Test("erase empties every store")
    func erasing() throws {
        let shelves = try Shelves()
        defer { shelves.remove() }
        let container = try shelves.container()
        try fill(ModelContext(container))
        try container.erase()
        let context = try shelves.context()
        #expect(try names(context).isEmpty && texts(context).isEmpty)
        #expect(try context.fetchCount(FetchDescriptor<Topic>()) == 0)
    }

    @Test("A unique value existing in its store makes an insertion an update there, beside new rows elsewhere")
    func upserts() throws {
        let shelves = try Shelves()
        defer { shelves.remove() }
        try fill(shelves.context())
        let context = try shelves.context()
        let topic = Topic(label: "Weather")
        context.insert(Plant(name: "Oak"))
        context.insert(topic)
        context.insert(Garden(name: "Front"))
        context.insert(Entry(text: "Sun"))
        try context.save()
        #expect(topic.entries.count == 2)
        let other = try shelves.context()
        #expect(try other.fetchCount(FetchDescriptor<Topic>()) == 1)
        #expect(try other.fetchCount(FetchDescriptor<Garden>()) == 2)
        #expect(try texts(other) == ["Flying", "Rain", "Sun"])
    }

    @Test("Contexts on several threads save in both stores without a deadlock")
    func threads() throws {
        let shelves = try Shelves()
        defer { shelves.remove() }
        // Two containers with the files in either order.
        let containers = [
            try shelves.container(), try shelves.container(shelves.configurations().reversed()),
        ]
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            let context = ModelContext(containers[thread % 2])
            for round in 0..<10 {
                context.insert(Plant(name: "\(thread).\(round)"))
                context.insert(Entry(text: "\(thread).\(round)"))
                do {
                    try context.save()
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
        }
        #expect(failures.withLock { $0 }.isEmpty)
        let expected = (0..<4).flatMap { thread in (0..<10).map { "\(thread).\($0)" } }
        #expect(try names(shelves.context()) == expected)
        #expect(try texts(shelves.context()) == expected)
    }

    @Test("Random changes give the same graph in two stores as in one", arguments: 1...12 as ClosedRange<UInt64>)
    func agreement(seed: UInt64) throws {
        let shelves = try Shelves()
        defer { shelves.remove() }
        let whole = try ModelContainer(
            for: Schema(Shelves.models), configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let parted = try shelves.container()
        var (left, right) = (ShelfWork(ModelContext(whole), seed: seed), ShelfWork(ModelContext(parted), seed: seed))
        for step in 0..<80 {
            try left.step()
            try right.step()
            #expect(try left.contents() == right.contents(), "seed \(seed), step \(step)")
        }
        try left.context.save()
        try right.context.save()
        let stored = try ShelfWork(ModelContext(whole), seed: seed).contents()
        #expect(try ShelfWork(shelves.context(), seed: seed).contents() == stored, "seed \(seed)")
        #expect(!stored.isEmpty, "seed \(seed)")
    }

    // MARK: Configurations

    @Test(
        "A configuration without a schema has the entities of no other configuration, possibly none; in memory and in a file"
    )
    func rest() throws {
        let shelves = try Shelves()
        defer { shelves.remove() }
        let garden = ModelConfiguration("garden", schema: Schema(Garden.self), url: shelves.gardenURL)
        let memory = ModelConfiguration("rest", isStoredInMemoryOnly: true)
        let context = ModelContext(try shelves.container([memory, garden]))
        try fill(context)
        #expect(try texts(context) == ["Flying", "Rain"])
        let again = ModelContext(try shelves.container([garden, memory]))
        #expect(try names(again) == ["Fern", "Moss"])
        #expect(try texts(again).isEmpty)
        let whole = ModelConfiguration("whole", schema: Schema(Shelves.models), isStoredInMemoryOnly: true)
        let full = ModelContext(try shelves.container([whole, memory]))
        try fill(full)
        #expect(try texts(full) == ["Flying", "Rain"])
    }

    @Test("Configurations that do not fit together are refused, by name, before any file is created")
    func refusals() throws {
        let shelves = try Shelves()
        defer { shelves.remove() }
        let (garden, journal) = (shelves.configurations()[0], shelves.configurations()[1])
        #expect(Shelves.refusal(of: [garden, garden]) == .duplicateConfiguration)
        let twin = ModelConfiguration("twin", schema: Schema(Plant.self), isStoredInMemoryOnly: true)
        let named = Shelves.refusal(of: [garden, twin, journal])
        #expect(named == .loadIssueModelContainer)
        #expect(named?.description.contains("'Garden'") == true || named?.description.contains("'Plant'") == true)
        #expect(named?.description.contains("'garden', 'twin'") == true)
        let empty = ModelConfiguration("empty", schema: Schema(), isStoredInMemoryOnly: true)
        let missing = Shelves.refusal(of: [garden, empty])
        #expect(missing?.description.contains("'DreamEntry', 'Entry', 'Topic'") == true)
        let open = ["x", "y"].map { ModelConfiguration($0, isStoredInMemoryOnly: true) }
        #expect(Shelves.refusal(of: open)?.description.contains("'x', 'y'") == true)
        let sameFile = ModelConfiguration("other", url: shelves.folder.appendingPathComponent("a/../garden.store"))
        #expect(Shelves.refusal(of: [garden, sameFile])?.description.contains("garden.store") == true)
        let upper = ModelConfiguration("upper", schema: Schema(Entry.self), isStoredInMemoryOnly: true)
        let split = Shelves.refusal(of: [upper, sameFile])
        #expect(split?.description.contains("'DreamEntry' and its superclass 'Entry'") == true)
        #expect(!FileManager.default.fileExists(atPath: shelves.folder.path))
    }

    @Test("A relationship from one store to another is refused, by name")
    func relationshipAcrossStores() throws {
        let garden = ModelConfiguration("garden", schema: Schema(Garden.self), isStoredInMemoryOnly: true)
        let rest = ModelConfiguration("rest", isStoredInMemoryOnly: true)
        let models: [any PersistentModel.Type] = [Garden.self, Shelf.Poster.self]
        let error = Shelves.refusal(of: [garden, rest], for: models)
        #expect(error == .loadIssueModelContainer)
        #expect(error?.description.contains("'Poster.garden' has the destination 'Garden'") == true)
        let unrelated = ModelConfiguration("journal", schema: Schema(Entry.self), isStoredInMemoryOnly: true)
        #expect(
            Shelves.refusal(of: [garden, unrelated], for: models) == .configurationSchemaNotFoundInContainerSchema)
    }
}
