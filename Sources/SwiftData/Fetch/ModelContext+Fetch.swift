import Foundation
import ObjectGraph

extension ModelContext {
    /// Returns the models that match a descriptor, in its order. Unsaved changes of this context are considered unless the
    /// descriptor excludes them.
    /// - Parameter descriptor: The models to fetch.
    /// - Throws: `SwiftDataError.unsupportedPredicate`, `unsupportedSortDescriptor` or `unsupportedKeyPath` for a
    ///   descriptor that cannot be evaluated, `unknownSchema` for a class outside the schema, or an error of reading the
    ///   store.
    /// - Complexity: One statement, and one for each prefetched relationship.
    // Inlined at the call site: only there is the type of the array known, which makes it much faster.
    @inlinable
    public func fetch<T>(_ descriptor: FetchDescriptor<T>) throws -> [T] where T: PersistentModel {
        var models: [T] = []
        try objects(
            descriptor, expect: { models.reserveCapacity($0) }, take: { models.append(unsafeDowncast($0, to: T.self)) })
        return models
    }

    /// Passes the matching models, all of the descriptor's class, to `take`, after their maximum number to `expect`.
    @usableFromInline
    func objects<T>(
        _ descriptor: FetchDescriptor<T>, expect: (Int) -> Void, take: (AnyObject) -> Void
    ) throws where T: PersistentModel {
        let records = try records(descriptor, reach: .subclasses)
        expect(records.count)
        for record in records {
            guard let object = graph.object(of: record, madeBy: self), Graph.isModel(object, T.self) else { continue }
            take(object)
        }
    }

    /// Returns the models that match a descriptor, in its order, as a collection that reads `batchSize` models at a time
    /// when they are accessed, together with the prefetched relationships.
    /// - Parameters:
    ///   - descriptor: The models to fetch. With unsaved changes, its `includePendingChanges` must be `false`.
    ///   - batchSize: The number of models read at a time.
    /// - Throws: `SwiftDataError.includePendingChangesWithBatchSize` if the descriptor includes unsaved changes, and there
    ///   are some; `unsupportedPredicate`, `unsupportedSortDescriptor` or `unsupportedKeyPath` for a descriptor that cannot be
    ///   evaluated, `unknownSchema` for a class outside the schema, or an error of reading the store. A later error of
    ///   reading a batch is logged, and its models have empty values.
    /// - Complexity: One statement, and for each batch one more, and one for each prefetched relationship. The identifiers
    ///   of all matches are in memory.
    public func fetch<T>(
        _ descriptor: FetchDescriptor<T>, batchSize: Int
    ) throws -> FetchResultsCollection<T> where T: PersistentModel {
        try checkBatches(of: descriptor)
        let ids = try identifiers(descriptor)
        let reading = try batches(of: descriptor)
        return FetchResultsCollection(
            FetchWindow(ids: ids, batchSize: batchSize) { [self] ids in models(of: ids, as: T.self, reading) })
    }

    /// Returns the number of models that match a descriptor.
    /// - Parameter descriptor: The models to count.
    /// - Throws: `SwiftDataError.unsupportedPredicate`, `unsupportedSortDescriptor` or `unsupportedKeyPath` for a
    ///   descriptor that cannot be evaluated, `unknownSchema` for a class outside the schema, or an error of reading the
    ///   store.
    /// - Complexity: One statement; two more if unsaved changes concern the models counted; that of `fetch(_:)` if other
    ///   models that the descriptor reads have unsaved changes, or only memory can evaluate it.
    public func fetchCount<T>(_ descriptor: FetchDescriptor<T>) throws -> Int where T: PersistentModel {
        switch try plan(descriptor, reach: .subclasses) {
        case .query(let query):
            do {
                return try asking(descriptor, query) { try graph.count(query, unsaved: unsaved(descriptor)) }
            } catch is UntranslatableExpression {
                return try records(descriptor, reach: .subclasses).count
            }
        case .inMemory: return try records(descriptor, reach: .subclasses).count
        }
    }

    /// Returns the identifiers of the models that match a descriptor, in its order.
    /// - Parameter descriptor: The models to find.
    /// - Throws: `SwiftDataError.sortingPendingChangesWithIdentifiers` if the descriptor is sorted and includes unsaved
    ///   changes, and there are some; `unsupportedPredicate`, `unsupportedSortDescriptor` or `unsupportedKeyPath` for a
    ///   descriptor that cannot be evaluated, `unknownSchema` for a class outside the schema, or an error of reading the
    ///   store.
    /// - Complexity: One statement; that of `fetch(_:)` if only memory can evaluate the descriptor.
    public func fetchIdentifiers<T>(
        _ descriptor: FetchDescriptor<T>
    ) throws -> [PersistentIdentifier] where T: PersistentModel {
        try identifiers(descriptor).map(PersistentIdentifier.init)
    }

    /// Returns the identifiers of the models that match a descriptor, as a collection. All identifiers are in memory at
    /// once, whatever the batch size.
    /// - Parameters:
    ///   - descriptor: The models to find. With unsaved changes, its `includePendingChanges` must be `false`.
    ///   - batchSize: Accepted for compatibility.
    /// - Throws: `SwiftDataError.includePendingChangesWithBatchSize` if the descriptor includes unsaved changes, and there
    ///   are some; `unsupportedPredicate`, `unsupportedSortDescriptor` or `unsupportedKeyPath` for a descriptor that cannot be
    ///   evaluated, `unknownSchema` for a class outside the schema, or an error of reading the store.
    /// - Complexity: One statement; that of `fetch(_:)` if only memory can evaluate the descriptor.
    public func fetchIdentifiers<T>(
        _ descriptor: FetchDescriptor<T>, batchSize: Int
    ) throws -> FetchResultsCollection<PersistentIdentifier> where T: PersistentModel {
        try checkBatches(of: descriptor)
        let ids = try identifiers(descriptor)
        return FetchResultsCollection(
            FetchWindow(ids: ids, batchSize: batchSize) { $0.map(PersistentIdentifier.init) })
    }

    /// Batches are read when they are asked for, so that unsaved changes cannot be applied to all of them.
    private func checkBatches<T>(of descriptor: FetchDescriptor<T>) throws {
        if descriptor.includePendingChanges, hasChanges { throw SwiftDataError.includePendingChangesWithBatchSize }
    }

    /// Calls a block for every model that matches a descriptor, in its order. Models are read `batchSize` at a time, and
    /// those that the program does not retain are released after each batch.
    /// - Parameters:
    ///   - fetch: The models to enumerate.
    ///   - batchSize: The number of models read at a time.
    ///   - allowEscapingMutations: Whether the block may leave unsaved changes. If not, it must save or roll back its
    ///     changes itself.
    ///   - block: Called for each model.
    /// - Throws: The error of the block; `SwiftDataError.includePendingChangesWithBatchSize` if the block left unsaved
    ///   changes that are not allowed; `unsupportedPredicate`, `unsupportedSortDescriptor` or `unsupportedKeyPath` for a
    ///   descriptor that cannot be evaluated, `unknownSchema` for a class outside the schema, or an error of reading the
    ///   store.
    /// - Complexity: One statement, and for each batch one more, and one for each prefetched relationship. The identifiers
    ///   of all matches are in memory.
    public func enumerate<T>(
        _ fetch: FetchDescriptor<T>, batchSize: Int = 5000, allowEscapingMutations: Bool = false,
        block: (_ model: T) throws -> Void
    ) throws where T: PersistentModel {
        let ids = try enumeratedIDs(fetch)
        let reading = try batches(of: fetch)
        for start in stride(from: 0, to: ids.count, by: max(1, batchSize)) {
            let batch = ids[start..<min(start + max(1, batchSize), ids.count)]
            try enumerate(batch, reading, allowEscapingMutations, block)
            // Models may have large values, however few they are.
            graph.sweepIfNeeded(from: batch.count)
        }
    }

    private func enumerate<T: PersistentModel>(
        _ batch: ArraySlice<ObjectID>, _ reading: BatchReading, _ allowEscapingMutations: Bool,
        _ block: (_ model: T) throws -> Void
    ) throws {
        let records = batch.compactMap { graph.record(for: $0) }
        try read(records, reading)
        let editCount = graph.editCount
        // The block may have deleted models of the batch, and other contexts some of those found.
        for record in records where !record.isDeleted && !record.isGone {
            if let model = model(of: record, as: T.self) { try block(model) }
        }
        if !allowEscapingMutations, graph.editCount != editCount, hasChanges {
            throw SwiftDataError.includePendingChangesWithBatchSize.stating(
                "The block given to enumerate left unsaved changes; save in it, or pass allowEscapingMutations: true.")
        }
    }

    private func enumeratedIDs<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [ObjectID] {
        switch try plan(descriptor, reach: .subclasses) {
        case .query(let query):
            do {
                return try asking(descriptor, query) { try graph.fetchIDs(query, unsaved: unsaved(descriptor)) }
            } catch is UntranslatableExpression {
                return try records(descriptor, reach: .subclasses).map(\.id)
            }
        case .inMemory: return try records(descriptor, reach: .subclasses).map(\.id)
        }
    }

    // MARK: Records

    func records<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, reach: FetchReach) throws -> [Record] {
        graph.sweepIfNeeded()
        let records: [Record]
        switch try plan(descriptor, reach: reach) {
        case .query(let query):
            records = try fetchOrEvaluate(query, descriptor)
        case .inMemory(let query, let selection):
            records = try selected(query, selection, descriptor)
        }
        for relationship in try relationships(prefetchedBy: descriptor, entity(of: T.self)) where !records.isEmpty {
            try graph.prefetch(relationship, of: records)
        }
        return records
    }

    private func fetchOrEvaluate<T: PersistentModel>(
        _ query: Query, _ descriptor: FetchDescriptor<T>
    ) throws -> [Record] {
        do {
            return try asking(descriptor, query) { try graph.fetch(query, unsaved: unsaved(descriptor)) }
        } catch let error as UntranslatableExpression {
            Self.logger.notice("A fetch of \(T.self) is evaluated in memory. \(error.description)")
            return try graph.fetchEvaluating(query, unsaved: unsaved(descriptor))
        }
    }

    /// Evaluates in memory whatever SQL cannot express: every candidate is read and tested. If unsaved changes are
    /// excluded, it is tested in a context without any.
    private func selected<T: PersistentModel>(
        _ query: Query, _ selection: ModelSelection<T>, _ descriptor: FetchDescriptor<T>
    ) throws -> [Record] {
        if !descriptor.includePendingChanges, hasChanges {
            let stored = ModelContext(container)
            return try graph.records(of: stored.selected(query, selection, descriptor).map(\.id))
        }
        let matching = try selection.selected(fetchOrEvaluate(query, descriptor), in: self)
        let rest = matching.dropFirst(max(0, descriptor.fetchOffset ?? 0))
        return Array(descriptor.fetchLimit.map { rest.prefix(max(0, $0)) } ?? rest)
    }

    func relationships<T: PersistentModel>(
        prefetchedBy descriptor: FetchDescriptor<T>, _ entity: Entity
    ) throws -> [EntityRelationship] {
        try descriptor.relationshipKeyPathsForPrefetching.map { keyPath in
            guard let index = ModelType.of(T.self).anyProperty(at: keyPath)?.relationshipIndex,
                entity.relationships.indices.contains(index)
            else {
                throw SwiftDataError.unsupportedKeyPath.explained("\(keyPath) is not a relationship of \(T.self).")
            }
            return entity.relationships[index]
        }
    }

    private func identifiers<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [ObjectID] {
        if descriptor.includePendingChanges, !descriptor.sortBy.isEmpty, hasChanges {
            throw SwiftDataError.sortingPendingChangesWithIdentifiers
        }
        return try enumeratedIDs(descriptor)
    }

    /// The properties and relationships that the descriptor reads for each batch; the rows are known separately.
    private func batches<T: PersistentModel>(of descriptor: FetchDescriptor<T>) throws -> BatchReading {
        let entity = try entity(of: T.self)
        var query = Query(entityIndex: entity.index)
        query.slots = try slots(to: descriptor, entity)
        return BatchReading(query: query, prefetched: try relationships(prefetchedBy: descriptor, entity))
    }

    private func read(_ records: [Record], _ reading: BatchReading) throws {
        try graph.firePartialFaults(records, of: reading.query)
        let present = records.filter { !$0.isGone }
        for relationship in reading.prefetched where !present.isEmpty { try graph.prefetch(relationship, of: present) }
    }

    private func models<T: PersistentModel>(of ids: [ObjectID], as type: T.Type, _ reading: BatchReading) -> [T] {
        let records = ids.compactMap { graph.record(for: $0) }
        do {
            try read(records, reading)
        } catch {
            report(error)
        }
        return ids.map { id in
            graph.record(for: id).flatMap { $0.isGone ? nil : model(of: $0, as: type) } ?? type.makeDetached()
        }
    }

    private func unsaved<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) -> Graph.UnsavedRule {
        descriptor.includePendingChanges ? .included : .ignored
    }
}

/// The way in which the models of one batch are read.
private struct BatchReading {
    /// The part of each row to read.
    let query: Query
    let prefetched: [EntityRelationship]
}

/// Whether models of subclasses of the fetched class are found.
enum FetchReach {
    case subclasses
    case exactType
}
