import Foundation
import SwiftData
import Synchronization
import TestSupport
import Testing

/// One class for each effect that a delete can have on a model: cascaded, nullified, join rows removed, unaffected.
enum Park {
    @Model
    final class Region {
        @Attribute(.unique) var name: String
        @Relationship(deleteRule: .cascade, inverse: \Site.region) var sites: [Site] = []

        init(name: String) {
            self.name = name
        }
    }

    @Model
    final class Site {
        @Attribute(.unique) var code: String
        var size: Int = 0
        var region: Region?
        @Attribute(.externalStorage) var photo: Data?
        @Relationship(deleteRule: .nullify, inverse: \Visit.site) var visits: [Visit] = []
        @Relationship(inverse: \Keeper.sites) var keepers: [Keeper] = []

        init(code: String, size: Int = 0, region: Region? = nil) {
            self.code = code
            self.size = size
            self.region = region
        }
    }

    /// Survives its site.
    @Model
    final class Visit {
        var note: String
        var site: Site?

        init(note: String, site: Site? = nil) {
            self.note = note
            self.site = site
        }
    }

    @Model
    final class Keeper {
        var name: String
        var sites: [Site] = []

        init(name: String) {
            self.name = name
        }
    }

    static let models: [any PersistentModel.Type] = [Region.self, Site.self, Visit.self, Keeper.self]

    /// A container in memory.
    static func container() throws -> ModelContainer {
        try ModelContainer(for: Schema(models), configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }

    /// With the zoo, whose models are unrelated to the park.
    static func withZoo() throws -> ModelContainer {
        try ModelContainer(
            for: Schema([AnimalCategory.self, Animal.self, Tag.self] + models),
            configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }

    /// Regions "R0", "R1", …, each with a number of sites "R0-0", "R0-1", …; every site has two visits and shares its keepers "A"
    /// and "B" with the others, the even ones both.
    static func fill(_ container: ModelContainer, regions: Int = 2, sites: Int = 3, photo: Data? = nil) throws {
        let context = ModelContext(container)
        let keepers = ["A", "B"].map(Keeper.init)
        keepers.forEach(context.insert)
        for number in 0..<regions {
            let region = Region(name: "R\(number)")
            context.insert(region)
            for place in 0..<sites {
                let site = Site(code: "R\(number)-\(place)", size: place, region: region)
                context.insert(site)
                site.photo = photo
                site.keepers = place.isMultiple(of: 2) ? keepers : [keepers[0]]
                for visit in ["x", "y"] { context.insert(Visit(note: "\(site.code)\(visit)", site: site)) }
            }
        }
        try context.save()
    }

    /// All models, by identifier, with both ends of every link.
    static func contents(_ context: ModelContext) throws -> [PersistentIdentifier: String] {
        var contents: [PersistentIdentifier: String] = [:]
        for region in try context.fetch(FetchDescriptor<Region>()) {
            contents[region.persistentModelID] = "region \(region.name): \(region.sites.map(\.code).sorted())"
        }
        for site in try context.fetch(FetchDescriptor<Site>()) {
            contents[site.persistentModelID] =
                "site \(site.code) \(site.size) \(site.photo?.count ?? -1) in \(site.region?.name ?? "-"): "
                + "\(site.visits.map(\.note).sorted()) \(site.keepers.map(\.name).sorted())"
        }
        for visit in try context.fetch(FetchDescriptor<Visit>()) {
            contents[visit.persistentModelID] = "visit \(visit.note) to \(visit.site?.code ?? "-")"
        }
        for keeper in try context.fetch(FetchDescriptor<Keeper>()) {
            contents[keeper.persistentModelID] = "keeper \(keeper.name): \(keeper.sites.map(\.code).sorted())"
        }
        return contents
    }

    static func contents(_ container: ModelContainer) throws -> [PersistentIdentifier: String] {
        try contents(ModelContext(container))
    }

    static func codes(_ context: ModelContext) throws -> [String] {
        try context.fetch(FetchDescriptor<Site>(sortBy: [SortDescriptor(\.code, comparator: .lexical)])).map(\.code)
    }

    static func region(_ name: String, _ context: ModelContext) throws -> Region {
        try #require(try context.fetch(FetchDescriptor<Region>(predicate: #Predicate { $0.name == name })).first)
    }

    static func site(_ code: String, _ context: ModelContext) throws -> Site {
        try #require(try context.fetch(FetchDescriptor<Site>(predicate: #Predicate { $0.code == code })).first)
    }

    static func visit(_ note: String, _ context: ModelContext) throws -> Visit {
        try #require(try context.fetch(FetchDescriptor<Visit>(predicate: #Predicate { $0.note == note })).first)
    }

    static func keeper(_ name: String, _ context: ModelContext) throws -> Keeper {
        try #require(try context.fetch(FetchDescriptor<Keeper>(predicate: #Predicate { $0.name == name })).first)
    }
}

/// A folder with a store's file, removed with the test.
final class ParkFolder {
    private let folder: TemporaryFolder
    var url: URL { folder.url }
    var store: URL { url.appendingPathComponent("park.store") }

    init() throws { folder = try TemporaryFolder() }

    func container(allowsSave: Bool = true) throws -> ModelContainer {
        try ModelContainer(
            for: Schema(Park.models), configurations: ModelConfiguration(url: store, allowsSave: allowsSave))
    }

    /// Regions, sites and visits in one file of their own, and the zoo's models in another.
    func twoStores(zooSaves: Bool = true) throws -> ModelContainer {
        let zoo: [any PersistentModel.Type] = [AnimalCategory.self, Animal.self, Tag.self]
        return try ModelContainer(
            for: Schema(zoo + Park.models),
            configurations: [
                ModelConfiguration(
                    "zoo", schema: Schema(zoo), url: url.appendingPathComponent("zoo.store"), allowsSave: zooSaves),
                ModelConfiguration("park", schema: Schema(Park.models), url: store),
            ])
    }

    /// Large values kept in files of their own.
    func externalFileCount() -> Int {
        let files = FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil)
        return (files?.allObjects as? [URL] ?? []).count {
            $0.deletingLastPathComponent().lastPathComponent == "_EXTERNAL_DATA"
        }
    }
}

/// Records the calls of a delegate.
final class Announcements: DeletionDelegate {
    private struct State {
        var pages: [[RowIdentifier]] = []
        var refusesAtPage: Int?
    }

    struct Refusal: Error, Equatable {}

    private let state: Mutex<State>

    /// - Parameter refusesAtPage: the page, counted from 0, at which it throws.
    init(refusesAtPage: Int? = nil) { state = Mutex(State(refusesAtPage: refusesAtPage)) }

    var pages: [[RowIdentifier]] { state.withLock { $0.pages } }
    var names: [String] { pages.joined().map(\.entityName).sorted() }
    var identifiers: Set<PersistentIdentifier> { Set(pages.joined().map(PersistentIdentifier.init)) }

    func allow() { state.withLock { $0.refusesAtPage = nil } }

    func willDelete(_ rows: [RowIdentifier]) throws {
        try state.withLock { state in
            if let page = state.refusesAtPage, state.pages.count >= page { throw Refusal() }
            state.pages.append(rows)
        }
    }
}

/// Stops a long delete as soon as a number of its chunks are written.
final class Stopper: DeletionDelegate {
    private struct State {
        var left: Int
        var deletion: LongDeletion?
    }

    private let state: Mutex<State>

    init(afterChunks count: Int) { state = Mutex(State(left: count)) }

    func stop(_ deletion: LongDeletion) { state.withLock { $0.deletion = deletion } }

    func willDelete(_ rows: [RowIdentifier]) throws {
        state.withLock { state in
            state.left -= 1
            if state.left == 0 { state.deletion?.cancel() }
        }
    }
}

/// Counts change notifications for the properties that a closure reads, from now on. Apart from `withObservationTracking`, which
/// notifies of the first change only.
final class Watch: @unchecked Sendable {  // … Read and notified on the one thread that uses the models.
    private let read: () -> Void
    private(set) var count = 0

    init(_ read: @escaping () -> Void) {
        self.read = read
        arm()
    }

    private func arm() {
        withObservationTracking(read) { [weak self] in
            self?.count += 1
            self?.arm()
        }
    }
}

extension DeletionError {
    var saysThatNoPlanCanBe: Bool {
        if case .cannotBePlanned = self { true } else { false }
    }
}

extension DeletionOptions {
    /// Chunks of a number of models, however slow the machine is.
    static func chunks(of models: Int, recoverable: Bool = false) -> DeletionOptions {
        var options = DeletionOptions()
        options.rowsPerChunk = models
        options.lockMilliseconds = 1e9
        options.archivesRows = recoverable
        return options
    }
}
