import CoreData

/// The Core Data stack of the app.
public struct PersistenceController: Sendable {
    public static let shared = PersistenceController()

    /// Ten items in memory, for previews and tests.
    @MainActor
    public static let preview: PersistenceController = {
        let controller = PersistenceController(inMemory: true)
        let viewContext = controller.container.viewContext
        for hours in 0..<10 {
            let item = Moment(context: viewContext)
            item.timestamp = Date(timeIntervalSinceReferenceDate: 800_000_000 - Double(hours) * 3600)
            item.note = hours.isMultiple(of: 2) ? "Every second one has a note" : nil
        }
        do {
            try viewContext.save()
        } catch {
            assertionFailure("The preview's items cannot be saved: \(error)")
        }
        return controller
    }()

    public let container: NSPersistentContainer
    /// The error of loading the store, if there was one.
    public let loadingError: (any Error)?

    /// - Parameters:
    ///   - inMemory: whether the store is kept in memory only.
    ///   - url: the store's file; `nil` for the container's default location.
    public init(inMemory: Bool = false, url: URL? = nil) {
        container = NSPersistentContainer(name: "Timestamps")
        let description = container.persistentStoreDescriptions.first ?? NSPersistentStoreDescription()
        if inMemory {
            description.url = URL(fileURLWithPath: "/dev/null")
        } else if let url {
            description.url = url
        }
        description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        loadingError = failure
        container.viewContext.name = "viewContext"
        container.viewContext.automaticallyMergesChangesFromParent = true
        container.viewContext.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        container.viewContext.undoManager = nil
    }

    /// A context for work in the background.
    public func newTaskContext() -> NSManagedObjectContext {
        let context = container.newBackgroundContext()
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        context.undoManager = nil
        context.transactionAuthor = "task"
        return context
    }
}
