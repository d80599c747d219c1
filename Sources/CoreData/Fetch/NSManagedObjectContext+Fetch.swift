import Foundation
import ObjectGraph

/// Fetching. Unsaved work of the context takes part, unless the request says otherwise.
extension NSManagedObjectContext {
    /// What the request asks for.
    /// - Throws: `CocoaError` for a request that the model does not allow, and for what reading the store throws.
    /// - Complexity: One statement for each store, and one for each relationship read along; with a batch size, these for
    ///   each batch of which something is used, and one for the identifiers.
    // Compiled for the type where it is used, so that asking each object for its class costs next to nothing.
    @inlinable
    public func fetch<T: NSFetchRequestResult>(_ request: NSFetchRequest<T>) throws -> [T] {
        // The class may be asked for by this request before anything else made it known.
        if let type = T.self as? NSManagedObject.Type { type.register() }
        return try own(fetched(request), of: request)
    }

    @inlinable
    final func own<T: NSFetchRequestResult>(_ found: Fetched, of request: NSFetchRequest<T>) throws -> [T] {
        switch found {
        case .objects(let objects):
            return try objects.map { object in
                guard let own = object as? T else { throw unexpected(object, request) }
                return own
            }
        case .others(let others):
            return try others.map { other in
                guard let own = other as? T else { throw unexpected(other, request) }
                return own
            }
        }
    }

    @usableFromInline
    final func unexpected<T>(_ result: Any, _ request: NSFetchRequest<T>) -> any Error {
        CocoaError(
            .coreData,
            text:
                "The request for \(T.self) gave a \(type(of: result)); its entity '\(request.entityName ?? "")' is of "
                + "another class, or its result type is another.")
    }

    /// The same for a request whose results may be of any type.
    public func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
        try results(of: request)
    }

    /// How many objects the request chooses; limit and offset count. Of a request for dictionaries, these are the objects that
    /// they are made of, before any are grouped or told apart.
    public func count<T>(for request: NSFetchRequest<T>) throws -> Int {
        checkQueue()
        return try reading {
            let plan = try RequestPlan(request, core)
            return try asking(request, plan) { try countResults(plan, unsaved(request)) }
        }
    }

    /// What a request gave.
    @usableFromInline
    enum Fetched {
        case objects([NSManagedObject])
        /// Identifiers, dictionaries or a number.
        case others([Any])
    }

    final func results<T>(of request: NSFetchRequest<T>) throws -> [Any] {
        switch try fetched(request) {
        case .objects(let objects): objects
        case .others(let others): others
        }
    }

    @usableFromInline
    final func fetched<T>(_ request: NSFetchRequest<T>) throws -> Fetched { try fetched(request, nil) }

    /// The same, for somebody who watches.
    final func fetch<T: NSFetchRequestResult>(_ request: NSFetchRequest<T>, _ meter: RowMeter) throws -> [T] {
        if let type = T.self as? NSManagedObject.Type { type.register() }
        return try own(fetched(request, meter), of: request)
    }

    private func fetched<T>(_ request: NSFetchRequest<T>, _ meter: RowMeter?) throws -> Fetched {
        checkQueue("fetch(_:)")
        graph.sweepIfNeeded()
        return try reading {
            try meter?.check()
            var plan = try RequestPlan(request, core)
            plan.query.meter = meter
            let found = try asking(request, plan) { try results(plan, request) }
            tellIncrementalStores()
            try meter?.check()
            return found
        }
    }

    private func results<T>(_ plan: RequestPlan, _ request: NSFetchRequest<T>) throws -> Fetched {
        switch request.resultType {
        case .managedObjectIDResultType:
            .others(try identifiers(plan, unsaved(request)).map { NSManagedObjectID($0, core) })
        case .countResultType: .others([NSNumber(value: try countResults(plan, unsaved(request)))])
        case .dictionaryResultType: .others(try DictionaryFetch(request, plan, self).rows())
        default: .objects(try objects(plan, request))
        }
    }

    /// Stores of a program's own class are handed the request itself.
    private func asking<T, Result>(
        _ request: NSFetchRequest<T>, _ plan: RequestPlan, _ body: () throws -> Result
    ) rethrows -> Result {
        guard core.stores.hasObjectStores else { return try body() }
        let own = request.converted(to: (any NSFetchRequestResult).self)
        own.resultType = .managedObjectResultType
        own.entity = plan.table.description
        return try StoreCall.with(StoreCall.Request(own, plan.query), of: self, body)
    }

    private func unsaved<T>(_ request: NSFetchRequest<T>) -> Graph.UnsavedRule {
        request.includesPendingChanges ? .included : .ignored
    }

    private func reading<Result>(_ body: () throws -> Result) throws -> Result {
        processChangesBeforeRequest()
        do {
            return try body()
        } catch {
            throw ErrorMapping.reading(error)
        }
    }

    // MARK: Objects

    private func objects<T>(_ plan: RequestPlan, _ request: NSFetchRequest<T>) throws -> [NSManagedObject] {
        guard hasChanges || request.includesPropertyValues && !comeAsFaults(request, plan) else {
            let records = try identifiers(plan, .ignored).compactMap { graph.record(for: $0) }
            return objectList(records)
        }
        let paths = try paths(request, plan)
        if request.fetchBatchSize > 0 { return try batches(plan, request, paths) }
        let records = try self.records(plan, unsaved(request))
        for path in paths { try graph.prefetch(along: path, of: records) }
        let objects = objectList(records)
        if !request.returnsObjectsAsFaults { for object in objects { object.willRead() } }
        return objects
    }

    /// Faults, to be read so many at a time.
    private func batches<T>(
        _ plan: RequestPlan, _ request: NSFetchRequest<T>, _ paths: [[String]]
    ) throws -> [NSManagedObject] {
        let records = try identifiers(plan, unsaved(request)).compactMap { graph.record(for: $0) }
        graph.batch(records, by: request.fetchBatchSize, along: paths)
        return objectList(records)
    }

    /// In their order. Reserves what it takes, unlike `compactMap`.
    private func objectList(_ records: [Record]) -> [NSManagedObject] {
        var objects: [NSManagedObject] = []
        objects.reserveCapacity(records.count)
        for record in records {
            if let object = object(record) { objects.append(object) }
        }
        return objects
    }

    /// Incremental stores are asked for the values of objects that are used, and of no others.
    private func comeAsFaults<T>(_ request: NSFetchRequest<T>, _ plan: RequestPlan) -> Bool {
        request.returnsObjectsAsFaults && request.relationshipKeyPathsForPrefetching?.isEmpty ?? true
            && core.stores.isIncremental(plan.table.entity)
    }

    final func records(_ plan: RequestPlan, _ unsaved: Graph.UnsavedRule) throws -> [Record] {
        guard plan.leavesOutStores(core) else { return try fetchOrEvaluate(plan.query, unsaved) }
        var whole = plan.query
        (whole.limit, whole.offset) = (nil, 0)
        let wanted = try fetchOrEvaluate(whole, unsaved).filter { isWanted($0.id, plan) }
        return window(wanted, plan)
    }

    private func isWanted(_ id: ObjectID, _ plan: RequestPlan) -> Bool {
        guard let stores = plan.stores, let store = core.stores.storeIdentifier(of: id) else { return true }
        return stores.contains(store)
    }

    private func window<Element>(_ all: [Element], _ plan: RequestPlan) -> [Element] {
        let rest = all.dropFirst(plan.query.offset)
        return Array(plan.query.limit.map { rest.prefix($0) } ?? rest)
    }

    /// What the store cannot say is judged in memory, and the log says so.
    private func fetchOrEvaluate(_ query: Query, _ unsaved: Graph.UnsavedRule) throws -> [Record] {
        do {
            return try graph.fetch(query, unsaved: unsaved)
        } catch let error as UntranslatableExpression {
            CoreDataLog.logger.notice(
                "A fetch of \(core.model[query.entityIndex].name) is evaluated in memory. \(error)")
            return try graph.fetchEvaluating(query, unsaved: unsaved)
        }
    }

    private func identifiers(_ plan: RequestPlan, _ unsaved: Graph.UnsavedRule) throws -> [ObjectID] {
        if plan.leavesOutStores(core) { return try records(plan, unsaved).map(\.id) }
        do {
            return try graph.fetchIDs(plan.query, unsaved: unsaved)
        } catch is UntranslatableExpression {
            return try records(plan, unsaved).map(\.id)
        }
    }

    private func countResults(_ plan: RequestPlan, _ unsaved: Graph.UnsavedRule) throws -> Int {
        if plan.leavesOutStores(core) { return try records(plan, unsaved).count }
        do {
            return try graph.count(plan.query, unsaved: unsaved)
        } catch is UntranslatableExpression {
            return try records(plan, unsaved).count
        }
    }

    // MARK: Fetched properties

    /// What a fetched property's request gives, with the owner in place of `$FETCH_SOURCE`; asked anew each time.
    final func fetchedValue(of property: NSFetchedPropertyDescription, source: NSManagedObject) -> [NSManagedObject] {
        guard let request = property.fetchRequest else { return [] }
        request.predicate = request.predicate?.withSubstitutionVariables([
            "FETCH_SOURCE": source, "FETCHED_PROPERTY": property,
        ])
        do {
            return try results(of: request).compactMap { $0 as? NSManagedObject }
        } catch {
            report(error)
            return []
        }
    }

    // MARK: Reading along

    /// - Throws: `CocoaError` for a path that the model does not have.
    private func paths<T>(_ request: NSFetchRequest<T>, _ plan: RequestPlan) throws -> [[String]] {
        try (request.relationshipKeyPathsForPrefetching ?? []).map { keyPath in
            let path = keyPath.split(separator: ".").map(String.init)
            var entity = plan.table.entity
            for name in path {
                guard let relationship = entity.relationship(named: name) else {
                    throw CocoaError(.coreData, text: "keypath \(keyPath) not found in entity \(entity.name)")
                }
                entity = core.model[relationship.destinationIndex]
            }
            return path
        }
    }
}
