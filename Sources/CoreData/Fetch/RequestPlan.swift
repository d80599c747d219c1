import Foundation
import ObjectGraph
import PredicateFormat

/// A fetch request in the engine's terms.
struct RequestPlan {
    let table: EntityTable
    var query: Query
    /// Identifiers of the affected stores; `nil` for all.
    let stores: Set<String>?

    /// - Throws: `CocoaError` 134060 for an entity, predicate or sort descriptor that the model does not allow.
    init<Result>(_ request: NSFetchRequest<Result>, _ core: CoordinatorCore) throws {
        // By name, because the description may belong to another model with the same class.
        guard let table = request.entityName.flatMap({ core.tables.table(named: $0) }) else {
            throw CocoaError(
                .coreData,
                text: "A fetch request must have an entity: the model has none named '\(request.entityName ?? "")'.")
        }
        self.table = table
        query = Query(entityIndex: table.entity.index)
        query.includesSubentities = request.includesSubentities
        query.limit = request.fetchLimit > 0 ? request.fetchLimit : nil
        query.offset = max(0, request.fetchOffset)
        stores = request.affectedStores.map { Set($0.map(\.storeIdentifier)) }
        try translatePredicate(request.predicate, core)
        try translateOrder(request.sortDescriptors ?? [], core)
        if request.resultType == .managedObjectResultType, request.returnsObjectsAsFaults {
            query.slots = try request.propertiesToFetch.map(slots)
        }
    }

    /// The slots of the properties in a row.
    /// - Throws: `CocoaError` 134060 for a property that is not in the row.
    private func slots(_ properties: [Any]) throws -> [Int] {
        var slots: Set<Int> = []
        for property in properties {
            let name = (property as? NSPropertyDescription)?.name ?? (property as? String) ?? ""
            guard let own = table[name]?.slots, !own.isEmpty else {
                throw CocoaError(
                    .coreData,
                    text:
                        "Invalid property in setPropertiesToFetch: (\(name)); an object comes with attributes and to-one "
                        + "relationships of entity '\(table.entity.name)'.")
            }
            slots.formUnion(own)
        }
        return slots.sorted()
    }

    private mutating func translatePredicate(_ predicate: NSPredicate?, _ core: CoordinatorCore) throws {
        guard let predicate else { return }
        do throws(FormatTranslationError) {
            query.predicate = try predicate.queryExpression(on: table.entity, in: core.model)
        } catch {
            throw RequestPlan.refusal("predicate (\(predicate.formatText))", error)
        }
    }

    private mutating func translateOrder(_ descriptors: [NSSortDescriptor], _ core: CoordinatorCore) throws {
        for descriptor in descriptors {
            do throws(FormatTranslationError) {
                query.sort.append(try descriptor.sortKey(on: table.entity, in: core.model))
            } catch {
                throw RequestPlan.refusal("sort descriptor \(descriptor)", error)
            }
        }
    }

    static func refusal(_ part: String, _ error: FormatTranslationError) -> CocoaError {
        CocoaError(
            .coreData, text: "The \(part) cannot be used in a fetch request. \(error)",
            userInfo: [NSUnderlyingErrorKey: error])
    }

    /// Whether the request leaves out stores of the coordinator.
    func excludesStores(_ core: CoordinatorCore) -> Bool {
        guard let stores else { return false }
        return !core.stores.members.allSatisfy { stores.contains($0.identifier) }
    }
}
