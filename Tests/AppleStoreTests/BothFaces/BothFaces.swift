import CoreData
import Foundation
import SwiftData
import TestSupport
import Testing

@Model
final class Harbor {
    @Attribute(.unique) var name: String
    @Relationship(deleteRule: .cascade, inverse: \Ship.harbor) var ships: [Ship] = []

    init(name: String) { self.name = name }
}

@Model
final class Ship {
    var name: String
    var crew: Int
    var harbor: Harbor?
    @Relationship(inverse: \Route.ships) var routes: [Route] = []

    init(_ name: String, crew: Int = 1, harbor: Harbor? = nil) {
        self.name = name
        self.crew = crew
        self.harbor = harbor
    }
}

@Model
final class Route {
    var name: String
    /// Optional, so that a batch delete may leave it empty.
    var ships: [Ship]?

    init(_ name: String) { self.name = name }
}

/// A container of SwiftData and a stack of Core Data on one file, in one process.
final class BothFaces {
    private let folder: TemporaryFolder
    let storeURL: URL
    let container: ModelContainer
    let typed: ModelContext
    let coordinator: NSPersistentStoreCoordinator
    let dynamic: NSManagedObjectContext

    /// Three ships in one harbor, two of them on one route.
    convenience init() throws {
        try self.init(Harbor.self, Route.self) { context in
            let harbor = Harbor(name: "Oslo")
            let ships = (1...3).map { Ship("S\($0)", crew: $0, harbor: harbor) }
            let route = Route("north")
            route.ships = Array(ships.prefix(2))
            context.insert(harbor)
            context.insert(route)
        }
    }

    /// - Parameter fill: inserts the initial models of the file.
    init(_ types: any PersistentModel.Type..., fill: (ModelContext) throws -> Void) throws {
        folder = try TemporaryFolder()
        let url = folder.appendingPathComponent("default.store")
        storeURL = url
        container = try ModelContainer(for: Schema(types), configurations: ModelConfiguration(url: url))
        typed = ModelContext(container)
        try fill(typed)
        try typed.save()
        coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url))
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [NSPersistentHistoryTrackingKey: true])
        dynamic = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        dynamic.persistentStoreCoordinator = coordinator
    }

    func objects(_ entity: String, _ format: String = "TRUEPREDICATE") throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: format)
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return try dynamic.fetch(request)
    }

    func ship(_ name: String) throws -> Ship {
        try #require(try typed.fetch(FetchDescriptor<Ship>(predicate: #Predicate { $0.name == name })).first)
    }

    /// The dynamic face's history after a token.
    func changes(after token: NSPersistentHistoryToken?) throws -> [NSPersistentHistoryTransaction] {
        let result = try dynamic.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: token))
        return (result as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction] ?? []
    }

    func requestForAll(_ entity: String, _ format: String) -> NSBatchDeleteRequest {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
        request.predicate = NSPredicate(format: format)
        return NSBatchDeleteRequest(fetchRequest: request)
    }
}
