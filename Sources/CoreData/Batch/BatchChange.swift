import Foundation
import ObjectGraph
import SQLiteStore

/// Carries out a batch update, in every store that has the entity: each in a transaction of its own.
struct BatchChange {
    let request: NSBatchUpdateRequest
    let context: NSManagedObjectContext

    func run() throws -> NSBatchUpdateResult {
        let core = context.core
        guard let table = core.tables.table(named: request.entityName) else {
            throw CocoaError(.coreData, text: "The model has no entity '\(request.entityName)'; nothing was updated.")
        }
        let members = try members(table.entity)
        var batches = try members.map { (store: $0.store, batch: try batch(table, $0.member)) }
        var updated = RowSet()
        for place in batches.indices {
            batches[place].batch.author = context.transactionAuthor
            batches[place].batch.contextName = context.name
            do {
                updated.formUnion(try batches[place].store.update(batches[place].batch).updated)
            } catch {
                tell(updated)
                throw failure(error, table.entity)
            }
        }
        tell(updated)
        let result: Any =
            switch request.resultType {
            case .statusOnlyResultType: true
            case .updatedObjectsCountResultType: updated.count
            case .updatedObjectIDsResultType: updated.ids.map { NSManagedObjectID($0, core) }
            }
        return NSBatchUpdateResult(result, request.resultType)
    }

    private func members(_ entity: Entity) throws -> [(member: CoordinatorStore.Member, store: SQLiteStore)] {
        let wanted = request.affectedStores.map { Set($0.map(\.storeIdentifier)) }
        let members = context.core.store.members.filter {
            $0.has(entity) && wanted?.contains($0.store.identifier) ?? true
        }
        let targets = members.compactMap { member in member.batches.map { (member: member, store: $0) } }
        if targets.count < members.count {
            throw CocoaError(.persistentStoreUnsupportedRequestType, text: "Unknown command type \(request)")
        }
        if members.contains(where: \.store.isReadOnly) {
            throw CocoaError(
                .persistentStoreSave, text: "A store was opened for reading only; nothing was updated.")
        }
        return targets
    }

    // MARK: Translation

    private func batch(_ table: EntityTable, _ member: CoordinatorStore.Member) throws -> BatchUpdate {
        var query = Query(entityIndex: table.entity.index)
        query.includesSubentities = request.includesSubentities
        if let predicate = request.predicate {
            do throws(FormatTranslationError) {
                query.predicate = try predicate.queryExpression(on: table.entity, in: context.core.model)
            } catch {
                throw RequestPlan.refusal("predicate (\(predicate.formatText))", error)
            }
            if query.predicate?.leadsElsewhere == true {
                throw CocoaError(
                    .coreData,
                    text: "The predicate of a batch update cannot lead through relationships; nothing was updated.")
            }
        }
        var batch = BatchUpdate(try member.query(query))
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
            do throws(FormatTranslationError) {
                let value = try expression.queryExpression(on: table.entity, in: context.core.model)
                return [BatchUpdate.Assignment(slot: place.slot, value: converted(value, place))]
            } catch {
                throw RequestPlan.refusal("expression (\(expression))", error)
            }
        }
        guard let values = AttributeCoding.values(value, of: place.attribute.attribute) else {
            throw CocoaError.validation(
                .managedObjectValidation, nil, name,
                text: "'\(table.entity.name).\(name)' takes values of \(place.description.wanted) only.")
        }
        return zip(place.attribute.slots, values).map { BatchUpdate.Assignment(slot: $0, value: .literal($1)) }
    }

    /// A constant in an expression is of the attribute's type.
    private func converted(_ value: QueryExpression, _ place: AttributePlace) -> QueryExpression {
        guard case .literal(let literal) = value, place.isPlain,
            let own = AttributeCoding.value(AttributeCoding.any(literal, place.type), place.type)
        else { return value }
        return .literal(own)
    }

    // MARK: Afterwards

    private func failure(_ error: any Error, _ entity: Entity) -> any Error {
        switch error {
        case let error as UntranslatableExpression:
            CocoaError(.coreData, text: "The store cannot evaluate \(error.description); nothing was updated.")
        case is UniqueViolation:
            CocoaError(
                .managedObjectConstraintValidation,
                text:
                    "The update would give several '\(entity.name)' the same value where it must be unique; nothing was "
                    + "updated.", userInfo: [NSUnderlyingErrorKey: error])
        default: ErrorMapping.saving(error, context)
        }
    }

    private func tell(_ updated: RowSet) {
        var changes = SavedChanges()
        changes.updatedIDs = Array(updated.ids)
        context.core.owner?.postRemoteChanges(of: changes)
    }
}

extension QueryExpression {
    /// Whether anything but the fetched row itself is read.
    var leadsElsewhere: Bool {
        switch self {
        case .variable, .literal, .constant: false
        case .attribute(let base, _), .identity(let base): base.isElsewhere
        case .cast(let base, _), .isKind(let base, _): base.isElsewhere
        case .toOne(let base, _): base.isElsewhere
        case .count, .aggregate, .exists, .all: true
        case .arithmetic(_, let left, let right), .coalesce(let left, let right), .textOrder(_, let left, let right),
            .compare(_, let left, let right), .text(_, let left, let right):
            left.leadsElsewhere || right.leadsElsewhere
        case .conditional(let test, let then, let otherwise):
            test.leadsElsewhere || then.leadsElsewhere || otherwise.leadsElsewhere
        case .negative(let value), .textLength(let value), .not(let value), .isMember(let value, _):
            value.leadsElsewhere
        case .and(let parts), .or(let parts), .function(_, let parts): parts.contains(where: \.leadsElsewhere)
        }
    }

    /// Whether an object is another one than the fetched one.
    private var isElsewhere: Bool {
        switch self {
        case .variable: false
        case .cast(let base, _): base.isElsewhere
        default: true
        }
    }
}
