import Foundation
import ObjectGraph

/// Fetching. Unsaved changes of the context are considered, unless the request states otherwise.
extension NSManagedObjectContext {
    /// Fetches the objects, identifiers, dictionaries or number that a request describes.
    ///
    /// Unsaved changes of this context are considered, unless the request's `includesPendingChanges` is `false`. Call it on the
    /// context's queue.
    /// - Parameter request: the request.
    /// - Returns: The results, in the order of the request's sort descriptors.
    /// - Throws: `CocoaError` 134060 for a request that the model does not allow, 134180 and others for errors of reading the
    ///   stores.
    /// - Complexity: One statement for each store, and one for each prefetched relationship. With a batch size, one for the
    ///   identifiers, and these for each batch of which a value is used.
    // Inlinable, so that the cast of each object is specialized for the type.
    @inlinable
    public func fetch<T: NSFetchRequestResult>(_ request: NSFetchRequest<T>) throws -> [T] {
        // This request may be the first use of the class.
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

    /// Fetches the results of a request whose results may be of any type. Call it on the context's queue.
    /// - Parameter request: the request.
    /// - Returns: The results, in the order of the request's sort descriptors.
    /// - Throws: `CocoaError` 134060 for a request that the model does not allow, 134180 and others for errors of reading the
    ///   stores.
    /// - Complexity: One statement for each store, and one for each prefetched relationship.
    public func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
        try results(of: request)
    }

    /// Returns the number of objects that a request selects, limit and offset considered, without fetching them.
    ///
    /// For a request for dictionaries, the objects are counted before grouping and removal of equal dictionaries. Call it on the
    /// context's queue.
    /// - Parameter request: the request.
    /// - Returns: The number of objects.
    /// - Throws: `CocoaError` 134060 for a request that the model does not allow, 134180 and others for errors of reading the
    ///   stores.
    /// - Complexity: One statement for each store, unless unsaved changes or the predicate require reading rows.
    public func count<T>(for request: NSFetchRequest<T>) throws -> Int {
        checkQueue()
        return try reading {
            let plan = try RequestPlan(request, core)
            return try asking(request, plan) { try countResults(plan, unsaved(request)) }
        }
    }

    /// The results of a request.
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

    /// Fetches with a meter that counts rows and can cancel.
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
            notifyIncrementalStores()
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

    /// Passes the request itself to stores of a program's own class.
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

    /// Faults that are read in batches.
    private func batches<T>(
        _ plan: RequestPlan, _ request: NSFetchRequest<T>, _ paths: [[String]]
    ) throws -> [NSManagedObject] {
        let records = try identifiers(plan, unsaved(request)).compactMap { graph.record(for: $0) }
        graph.batch(records, by: request.fetchBatchSize, along: paths)
        return objectList(records)
    }

    /// The objects of the records, in order. Reserves the capacity, unlike `compactMap`.
    private func objectList(_ records: [Record]) -> [NSManagedObject] {
        var objects: [NSManagedObject] = []
        objects.reserveCapacity(records.count)
        for record in records {
            if let object = object(record) { objects.append(object) }
        }
        return objects
    }

    /// Incremental stores are asked only for the values of objects that are used.
    private func comeAsFaults<T>(_ request: NSFetchRequest<T>, _ plan: RequestPlan) -> Bool {
        request.returnsObjectsAsFaults && request.relationshipKeyPathsForPrefetching?.isEmpty ?? true
            && core.stores.isIncremental(plan.table.entity)
    }

    final func records(_ plan: RequestPlan, _ unsaved: Graph.UnsavedRule) throws -> [Record] {
        guard plan.excludesStores(core) else { return try fetchOrEvaluate(plan.query, unsaved) }
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

    /// Evaluates in memory, with a line in the log, if the store cannot translate the query.
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
        if plan.excludesStores(core) { return try records(plan, unsaved).map(\.id) }
        do {
            return try graph.fetchIDs(plan.query, unsaved: unsaved)
        } catch is UntranslatableExpression {
            return try records(plan, unsaved).map(\.id)
        }
    }

    private func countResults(_ plan: RequestPlan, _ unsaved: Graph.UnsavedRule) throws -> Int {
        if plan.excludesStores(core) { return try records(plan, unsaved).count }
        do {
            return try graph.count(plan.query, unsaved: unsaved)
        } catch is UntranslatableExpression {
            return try records(plan, unsaved).count
        }
    }

    // MARK: Fetched properties

    /// The results of a fetched property's request, with the owner in place of `$FETCH_SOURCE`; fetched anew each time.
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

    // MARK: Prefetching

    /// - Throws: `CocoaError` 134060 for a path that the model does not have.
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
