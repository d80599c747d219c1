import CoreData

/// The items of the list, the newest first, kept up to date as they change.
@MainActor
public final class MomentList: NSObject, NSFetchedResultsControllerDelegate {
    /// Called after the items have changed.
    public var didChange: () -> Void = {}

    private let context: NSManagedObjectContext
    private let controller: NSFetchedResultsController<Moment>

    public var items: [Moment] { controller.fetchedObjects ?? [] }

    public init(context: NSManagedObjectContext) throws {
        self.context = context
        let request = Moment.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Moment.timestamp, ascending: false)]
        request.fetchBatchSize = 50
        controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        super.init()
        controller.delegate = self
        try controller.performFetch()
    }

    public nonisolated func controllerDidChangeContent(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {
        // The controller's context belongs to the main queue.
        MainActor.assumeIsolated { didChange() }
    }

    // MARK: Changing

    public func addItem(note: String? = nil, at date: Date = Date()) throws {
        let item = Moment(context: context)
        item.timestamp = date
        item.note = note
        try save()
    }

    public func deleteItems(offsets: IndexSet) throws {
        let shown = items
        offsets.filter(shown.indices.contains).map { shown[$0] }.forEach(context.delete)
        try save()
    }

    /// Saves; if that fails, rolls back and throws the error.
    private func save() throws {
        guard context.hasChanges else { return }
        do {
            try context.save()
        } catch {
            context.rollback()
            throw error
        }
    }

    // MARK: Searching

    /// Shows only items whose note contains the text, ignoring case and accents; an empty text shows all items.
    public func search(_ text: String) throws {
        controller.fetchRequest.predicate =
            text.isEmpty ? nil : NSPredicate(format: "%K CONTAINS[cd] %@", "note", text)
        try controller.performFetch()
        didChange()
    }

    /// The number of all items, and the dates of the first and the last.
    public func summary() throws -> (count: Int, first: Date?, last: Date?) {
        let count = NSExpressionDescription()
        count.name = "count"
        count.expression = NSExpression(forFunction: "count:", arguments: [NSExpression(forKeyPath: \Moment.timestamp)])
        count.expressionResultType = .integer64AttributeType
        let columns = ["min:", "max:"].map { function in
            let column = NSExpressionDescription()
            column.name = function
            column.expression = NSExpression(
                forFunction: function, arguments: [NSExpression(forKeyPath: \Moment.timestamp)])
            column.expressionResultType = .dateAttributeType
            return column
        }
        let request = NSFetchRequest<NSDictionary>(entityName: "Moment")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [count] + columns
        let row = try context.fetch(request).first
        return (row?["count"] as? Int ?? 0, row?["min:"] as? Date, row?["max:"] as? Date)
    }
}
