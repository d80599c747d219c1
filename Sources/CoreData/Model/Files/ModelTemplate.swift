import Foundation
import ModelText

/// A request that a model keeps, under a name or for a fetched property. Each caller gets a copy, so that a model in use does not
/// change.
struct ModelTemplate {
    private var entityName: String?
    private var predicate: NSPredicate?
    private var sort: [(keyPath: String, isAscending: Bool)] = []
    var options = RequestOptions()
    /// The request set by the program, if any.
    private var given: NSFetchRequest<any NSFetchRequestResult>?

    init(entityName: String, predicate: NSPredicate?, sort: [(keyPath: String, isAscending: Bool)] = []) {
        self.entityName = entityName
        self.predicate = predicate
        self.sort = sort
    }

    init(_ request: NSFetchRequest<any NSFetchRequestResult>) {
        given = request.copy() as? NSFetchRequest<any NSFetchRequestResult>
        entityName = request.entityName
    }

    /// - Parameter model: has the entity; without a model, the request has only the entity's name.
    func request(in model: NSManagedObjectModel?) -> NSFetchRequest<any NSFetchRequestResult> {
        let request = given.flatMap { $0.copy() as? NSFetchRequest<any NSFetchRequestResult> } ?? made()
        if let entity = entityName.flatMap({ model?.entity(named: $0) }) { request.entity = entity }
        return request
    }

    private func made() -> NSFetchRequest<any NSFetchRequestResult> {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: entityName ?? "")
        request.predicate = predicate
        if !sort.isEmpty {
            request.sortDescriptors = sort.map { NSSortDescriptor(key: $0.keyPath, ascending: $0.isAscending) }
        }
        options.set(on: request)
        return request
    }
}

extension RequestOptions {
    fileprivate func set(on request: NSFetchRequest<any NSFetchRequestResult>) {
        request.fetchLimit = numbers["fetchLimit"] ?? 0
        request.fetchBatchSize = numbers["fetchBatchSize"] ?? 0
        if let number = numbers["resultType"].flatMap({ UInt(exactly: $0) }) {
            request.resultType = NSFetchRequestResultType(rawValue: number)
        }
        request.includesPendingChanges = flags["includesPendingChanges"] ?? true
        request.includesPropertyValues = flags["includesPropertyValues"] ?? true
        request.includesSubentities = flags["includesSubentities"] ?? true
        request.returnsDistinctResults = flags["returnsDistinctResults"] ?? false
        request.returnsObjectsAsFaults = flags["returnsObjectsAsFaults"] ?? true
    }
}
