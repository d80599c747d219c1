import Foundation
import ObjectGraph
import PredicateFormat

/// Carries out a batch update in every store that has the entity, each in a transaction of its own.
struct BatchUpdating {
    let request: NSBatchUpdateRequest
    let context: NSManagedObjectContext

    func run() throws -> NSBatchUpdateResult {
        let core = context.core
        guard let table = core.tables.table(named: request.entityName) else {
            throw CocoaError(.coreData, text: "The model has no entity '\(request.entityName)'; nothing was updated.")
        }
        let members = core.members(with: table.entity, for: request)
        var batches = try members.map { member in
            (store: try core.writable(member, for: request, undone: "updated"), batch: try batch(table))
        }
        var updated = RowSet()
        let meter = RowMeter(request.progress)
        for place in batches.indices {
            batches[place].batch.author = context.authorOfRequests
            batches[place].batch.contextName = context.name
            batches[place].batch.meter = meter
            do {
                updated.formUnion(try batches[place].store.update(batches[place].batch).updated)
            } catch {
                notify(updated)
                throw CocoaError.incomplete(failure(error, table.entity), after: place, of: batches.count)
            }
        }
        meter?.finish()
        notify(updated)
        return NSBatchUpdateResult(updated, request.resultType, core)
    }

    // MARK: Translation

    private func batch(_ table: EntityTable) throws -> BatchUpdate {
        var query = Query(entityIndex: table.entity.index)
        query.includesSubentities = request.includesSubentities
        if let predicate = request.predicate {
            do throws(FormatTranslationError) {
                query.predicate = try predicate.queryExpression(on: table.entity, in: context.core.model)
            } catch {
                throw RequestPlan.refusal("predicate (\(predicate.formatText))", error)
            }
            if query.predicate?.readsOtherObjects == true {
                throw CocoaError(
                    .coreData,
                    text: "The predicate of a batch update cannot lead through relationships; nothing was updated.")
            }
        }
        var batch = BatchUpdate(query)
        for (key, value) in request.propertiesToUpdate ?? [:] {
            batch.assignments += try assignments(key, value, table)
        }
        return batch
    }

    private func assignments(
        _ key: AnyHashable, _ value: Any, _ table: EntityTable
    ) throws -> [BatchUpdate.Assignment] {
        let name = (key.base as? NSPropertyDescription)?.name ?? (key.base as? String) ?? "\(key)"
        guard case .attribute(let place)? = table[name], !place.attribute.attribute.isTransient,
            !place.attribute.attribute.isDerived
        else {
            throw CocoaError.validation(
                .managedObjectValidation, nil, name,
                text: "Invalid keypath \(name) passed to propertiesToUpdate: it is no attribute of "
                    + "'\(table.entity.name)' that can be updated.")
        }
        if let expression = value as? NSExpression {
            if expression.expressionType == .constantValue {
                return try assignments(key, expression.constantValue ?? NSNull(), table)
            }
            return [BatchUpdate.Assignment(slot: place.slot, value: try computed(expression, place, table))]
        }
        guard let values = AttributeCoding.values(value, of: place.attribute.attribute) else {
            throw Self.unfit(table.entity.name, name, "takes values of \(place.description.wanted) only")
        }
        return zip(place.attribute.slots, values).map { BatchUpdate.Assignment(slot: $0, value: .literal($1)) }
    }

    /// An expression that the store computes from each row; the store checks the type of its values.
    private func computed(
        _ expression: NSExpression, _ place: AttributePlace, _ table: EntityTable
    ) throws -> QueryExpression {
        guard place.isPlain else {
            throw Self.unfit(table.entity.name, place.name, "takes constants only in a batch update")
        }
        let value: QueryExpression
        do throws(FormatTranslationError) {
            value = try expression.queryExpression(on: table.entity, in: context.core.model)
        } catch {
            throw RequestPlan.refusal("expression (\(expression))", error)
        }
        guard case .literal(let literal) = value else { return value }
        // The expression was reduced to a constant.
        guard let own = AttributeCoding.value(AttributeCoding.any(literal, place.type), place.type) else {
            throw Self.unfit(table.entity.name, place.name, "takes values of \(place.description.wanted) only")
        }
        return .literal(own)
    }

    private static func unfit(_ entity: String, _ property: String, _ reason: String) -> CocoaError {
        .validation(.managedObjectValidation, nil, property, text: "'\(entity).\(property)' \(reason).")
    }

    // MARK: Afterwards

    private func failure(_ error: any Error, _ entity: Entity) -> any Error {
        switch error {
        case let error as UntranslatableExpression:
            CocoaError(.coreData, text: "\(error.description) Nothing was updated.")
        case let error as UnfitValue:
            CocoaError.validation(
                .managedObjectValidation, nil, error.properties.count == 1 ? error.properties.first : nil,
                text: error.description, more: [NSUnderlyingErrorKey: error])
        case is UniqueViolation:
            CocoaError(
                .managedObjectConstraintValidation,
                text:
                    "The update would give several '\(entity.name)' the same value where it must be unique; nothing was "
                    + "updated.", userInfo: [NSUnderlyingErrorKey: error])
        default: ErrorMapping.saving(error, context)
        }
    }

    private func notify(_ updated: RowSet) {
        context.core.owner?.postRemoteChanges(ofStores: Set(updated.spaces.compactMap(\.storeIdentifier)))
    }
}

extension NSManagedObjectContext {
    func execute(_ request: NSBatchUpdateRequest) throws -> NSPersistentStoreResult {
        try BatchUpdating(request: request, context: self).run()
    }
}
