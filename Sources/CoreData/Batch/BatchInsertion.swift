import Foundation
import ObjectGraph

/// Carries out a batch insert into the first store that has the entity.
struct BatchInsertion {
    let request: NSBatchInsertRequest
    let context: NSManagedObjectContext

    func run() throws -> NSBatchInsertResult {
        let core = context.core
        guard let table = core.tables.table(named: request.entityName) else {
            throw CocoaError(.coreData, text: "The model has no entity '\(request.entityName)'; nothing was inserted.")
        }
        let store = try target(table.entity)
        var batch = BatchInsert(entityIndex: table.entity.index)
        batch.author = context.authorOfRequests
        batch.contextName = context.name
        batch.duplicates = context.mergePolicy.mergeType.duplicateRule
        batch.meter = RowMeter(request.progress)
        if let count = request.listedCount { batch.meter?.expect(count) }
        let result: SavedRows
        do {
            result = try insert(batch, BatchRows(request, table), store)
        } catch {
            throw ErrorMapping.saving(error, context)
        }
        batch.meter?.finish()
        if !result.ordered.isEmpty { core.owner?.postRemoteChanges(ofStores: [store.identifier]) }
        let written: Any =
            switch request.resultType {
            case .statusOnly: true
            case .count: result.ordered.count
            case .objectIDs: result.ordered.map { NSManagedObjectID($0, core) }
            }
        return NSBatchInsertResult(written, request.resultType)
    }

    /// A handler may read the store. A store in memory cannot be read while it is written, so its rows are made first.
    private func insert(_ batch: BatchInsert, _ rows: BatchRows, _ store: any BatchStore) throws -> SavedRows {
        var rows = rows
        guard !store.canBeReadWhileWritten else { return try store.insert(batch) { try rows.fill(&$0) } }
        var made: [BatchInsert.Row] = []
        var row = BatchInsert.Row(values: [], given: [])
        while try rows.fill(&row) {
            made.append(row)
            try batch.meter?.check()
        }
        var rest = made[...]
        return try store.insert(batch) { row in
            guard let next = rest.popFirst() else { return false }
            row = next
            return true
        }
    }

    private func target(_ entity: Entity) throws -> any BatchStore {
        let members = context.core.members(with: entity, for: request)
        guard let member = members.first(where: { !$0.store.isReadOnly }) ?? members.first else {
            throw ErrorMapping.saving(StoreGroupError.noStore(entity: entity.name), context)
        }
        return try context.core.writable(member, for: request, undone: "inserted")
    }
}

extension NSMergePolicyType {
    /// The rule of a batch insert for existing rows with the same unique values.
    var duplicateRule: BatchInsert.DuplicateRule {
        switch self {
        case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType: .update
        case .errorMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType: .skip
        }
    }
}

extension NSManagedObjectContext {
    func execute(_ request: NSBatchInsertRequest) throws -> NSPersistentStoreResult {
        try BatchInsertion(request: request, context: self).run()
    }
}
