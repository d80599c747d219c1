import Foundation

/// Fetch requests, regardless of the type of their results.
protocol ExecutableFetch {
    func results(in context: NSManagedObjectContext) throws -> [Any]
    func result(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult
}

extension NSFetchRequest: ExecutableFetch {
    func results(in context: NSManagedObjectContext) throws -> [Any] { try context.results(of: self) }

    /// Carries out the fetch at once and returns a complete asynchronous result.
    func result(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        if let type = ResultType.self as? any NSFetchRequestResult.Type { return try result(of: type, context) }
        return switch resultType {
        case .managedObjectIDResultType: try result(of: NSManagedObjectID.self, context)
        case .dictionaryResultType: try result(of: NSDictionary.self, context)
        case .countResultType: try result(of: NSNumber.self, context)
        default: try result(of: NSManagedObject.self, context)
        }
    }

    private func result<Own: NSFetchRequestResult>(
        of type: Own.Type, _ context: NSManagedObjectContext
    ) throws -> NSPersistentStoreResult {
        let request = NSAsynchronousFetchRequest(fetchRequest: converted(to: type))
        let result = NSAsynchronousFetchResult(request, context, progress: request.partOfCurrentProgress)
        result.finish()
        if let error = result.operationError { throw error }
        return result
    }
}
