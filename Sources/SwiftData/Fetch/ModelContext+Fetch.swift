import Foundation
import ObjectGraph

extension ModelContext {
    /// Models that match, in order; unsaved work of this context takes part unless the descriptor says otherwise.
    /// - Throws: `SwiftDataError.unsupportedPredicate`, `unsupportedSortDescriptor` or `unsupportedKeyPath` for a
    ///   descriptor that cannot be evaluated, or what reading the store throws.
    /// - Complexity: One statement, and one per prefetched relationship.
    // Inlined where it is called: only there can the array be one of a known type, which makes it much faster.
    @inlinable
    public func fetch<T>(_ descriptor: FetchDescriptor<T>) throws -> [T] where T: PersistentModel {
        var models: [T] = []
        try objects(
            descriptor, expect: { models.reserveCapacity($0) }, take: { models.append(unsafeDowncast($0, to: T.self)) })
        return models
    }

    /// Hands over the models that match, all of the descriptor's class, after telling how many there are at most.
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

    /// Like `fetch(_:)`, with models read `batchSize` at a time when they are reached, and what is prefetched with them.
    /// - Throws: As `fetch(_:)`, and `SwiftDataError.includePendingChangesWithBatchSize` unless the descriptor leaves pending
    ///   changes out.
    /// - Complexity: The identifiers of all matches are in memory.
    public func fetch<T>(
        _ descriptor: FetchDescriptor<T>, batchSize: Int
    ) throws -> FetchResultsCollection<T> where T: PersistentModel {
        guard !descriptor.includePendingChanges else { throw SwiftDataError.includePendingChangesWithBatchSize }
        let ids = try identifiers(descriptor)
        let reading = try batches(of: descriptor)
        return FetchResultsCollection(
            FetchWindow(ids: ids, batchSize: batchSize) { [self] ids in models(of: ids, as: T.self, reading) })
    }

    /// How many models match.
    /// - Throws: As `fetch(_:)`.
    /// - Complexity: One statement; where unsaved work takes part, or only memory can judge, that of `fetch(_:)`.
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

    /// Identifiers of the models that match.
    /// - Throws: As `fetch(_:)`, and `SwiftDataError.sortingPendingChangesWithIdentifiers` for a sorted descriptor that
    ///   includes unsaved work while there is some.
    public func fetchIdentifiers<T>(
        _ descriptor: FetchDescriptor<T>
    ) throws -> [PersistentIdentifier] where T: PersistentModel {
        try identifiers(descriptor).map(PersistentIdentifier.init)
    }

    /// Identifiers of the models that match. As all of them are in memory, `batchSize` saves nothing here.
    /// - Throws: As `fetch(_:)`, and `SwiftDataError.includePendingChangesWithBatchSize` unless the descriptor leaves pending
    ///   changes out.
    public func fetchIdentifiers<T>(
        _ descriptor: FetchDescriptor<T>, batchSize: Int
    ) throws -> FetchResultsCollection<PersistentIdentifier> where T: PersistentModel {
        guard !descriptor.includePendingChanges else { throw SwiftDataError.includePendingChangesWithBatchSize }
        let ids = try identifiers(descriptor)
        return FetchResultsCollection(
            FetchWindow(ids: ids, batchSize: batchSize) { $0.map(PersistentIdentifier.init) })
    }

    /// Calls the block for every model that matches, reading `batchSize` at a time and letting go of those nobody holds.
    /// - Parameter allowEscapingMutations: Without it, the block must not leave unsaved work behind.
    /// - Throws: As `fetch(_:)`; what the block throws, or `SwiftDataError.includePendingChangesWithBatchSize` when it left
    ///   unsaved work it was not allowed to leave.
    public func enumerate<T>(
        _ fetch: FetchDescriptor<T>, batchSize: Int = 5000, allowEscapingMutations: Bool = false,
        block: (_ model: T) throws -> Void
    ) throws where T: PersistentModel {
        let ids = try enumeratedIDs(fetch)
        let reading = try batches(of: fetch)
        for start in stride(from: 0, to: ids.count, by: max(1, batchSize)) {
            let batch = Array(ids[start..<min(start + max(1, batchSize), ids.count)])
            let records = batch.compactMap { graph.record(for: $0) }
            try read(records, reading)
            let editCount = graph.editCount
            // The block may have deleted some of the batch, and others some that were found.
            for record in records where !record.isDeleted && !record.isGone {
                if let model = model(of: record, as: T.self) { try block(model) }
            }
            if !allowEscapingMutations, graph.editCount != editCount, hasChanges {
                throw SwiftDataError.includePendingChangesWithBatchSize.stating(
                    "The block given to enumerate left unsaved changes; save in it, or pass allowEscapingMutations: true."
                )
            }
            graph.sweepIfNeeded()
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

    /// What SQL cannot say, Swift says: every model is read and asked. Without unsaved work it is asked in a context that
    /// has none.
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

    private func relationships<T: PersistentModel>(
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

    /// What the descriptor wants of each batch; which rows they are is known apart.
    private func batches<T: PersistentModel>(of descriptor: FetchDescriptor<T>) throws -> BatchReading {
        let entity = try entity(of: T.self)
        var query = Query(entityIndex: entity.index)
        query.slots = try slots(to: descriptor, entity)
        return BatchReading(query: query, prefetched: try relationships(prefetchedBy: descriptor, entity))
    }

    private func read(_ records: [Record], _ reading: BatchReading) throws {
        try graph.fireParts(records, of: reading.query)
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

/// How the models of one batch are read.
private struct BatchReading {
    /// As much of each row as is wanted.
    let query: Query
    let prefetched: [EntityRelationship]
}

/// Whether models of classes below the fetched one are wanted.
enum FetchReach {
    case subclasses
    case exactType
}
