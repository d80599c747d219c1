import CoreData
import TestSupport
import Testing

/// A coordinator with stores, in memory or in a folder that is removed with it.
// Sendable, as blocks of contexts use it; a test uses it on one thread at a time, and waits for its blocks.
final class TestStack: @unchecked Sendable {
    enum Kind: CaseIterable, Sendable {
        /// SQLite at `/dev/null`.
        case memorySQLite
        case file
    }

    let coordinator: NSPersistentStoreCoordinator
    private let temporary: TemporaryFolder
    var folder: URL { temporary.url }
    let context: NSManagedObjectContext
    /// Other contexts, to be released only after their objects were compared.
    private var contexts: [NSManagedObjectContext] = []

    init(
        _ kind: Kind = .memorySQLite, model: NSManagedObjectModel = Zoo.model(), options: [String: Any] = [:],
        addsStore: Bool = true
    ) throws {
        temporary = try TemporaryFolder()
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        if addsStore { try add(kind, options: options) }
    }

    deinit {
        for store in coordinator.persistentStores { try? coordinator.remove(store) }
    }

    @discardableResult
    func add(
        _ kind: Kind, _ name: String = "zoo", configuration: String? = nil, options: [String: Any] = [:]
    ) throws -> NSPersistentStore {
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: configuration,
            at: kind == .file ? fileURL(name) : URL(fileURLWithPath: "/dev/null"), options: options)
    }

    func fileURL(_ name: String = "zoo") -> URL { folder.appendingPathComponent("\(name).sqlite") }

    func newMainContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    func newContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        contexts.append(context)
        return context
    }

    @discardableResult
    func insert(
        _ entity: String, _ values: [String: Any] = [:], in context: NSManagedObjectContext? = nil
    ) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context ?? self.context)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    func count(_ entity: String, _ predicate: NSPredicate? = nil) throws -> Int {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = predicate
        return try newContext().count(for: request)
    }

    func request(_ entity: String, _ predicate: NSPredicate? = nil) -> NSFetchRequest<any NSFetchRequestResult> {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
        request.predicate = predicate
        return request
    }

    /// Saves one category with a number of animals.
    @discardableResult
    func saveFamily(_ name: String = "Mammals", animals count: Int = 3) throws -> NSManagedObject {
        let category = insert("Category", ["name": name])
        for number in 0..<count {
            insert("Animal", ["name": "\(name) \(number)", "age": number, "category": category])
        }
        try context.save()
        return category
    }
}

/// Recorded notifications of one name, in order.
final class Recorded: @unchecked Sendable {
    // The notifications, recorded on any posting thread, are under the lock; the token is set once.
    private let lock = NSLock()
    private var noted: [Notification] = []
    private var token: (any NSObjectProtocol)?

    init(_ name: Notification.Name, object: Any? = nil) {
        token = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) { [weak self] in
            self?.note($0)
        }
    }

    private func note(_ notification: Notification) { lock.withLock { noted.append(notification) } }

    var notifications: [Notification] { lock.withLock { noted } }

    deinit {
        if let token { NotificationCenter.default.removeObserver(token) }
    }

    func objects(_ key: String) -> Set<NSManagedObject> {
        notifications.reduce(into: []) { all, notification in
            all.formUnion(notification.userInfo?[key] as? Set<NSManagedObject> ?? [])
        }
    }

    func ids(_ key: String) -> Set<NSManagedObjectID> {
        notifications.reduce(into: []) { all, notification in
            all.formUnion(notification.userInfo?[key] as? Set<NSManagedObjectID> ?? [])
        }
    }
}

/// The code of the Cocoa error that a closure throws; `nil` if it throws none.
func code(of body: () throws -> Void) -> Int? {
    do {
        try body()
        return nil
    } catch {
        guard let error = error as? any CustomNSError, type(of: error).errorDomain == NSCocoaErrorDomain else {
            return -1
        }
        return error.errorCode
    }
}
