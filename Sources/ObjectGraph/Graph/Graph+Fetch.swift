/// Fetching: rows of the store become registered records. Unsaved changes are applied before offset and limit.
extension Graph {
    /// How unsaved changes affect a fetch.
    package enum UnsavedRule: Sendable {
        case included
        case ignored
    }

    /// Returns records in the query's order.
    package func fetch(_ query: Query, unsaved rule: UnsavedRule = .included) throws -> [Record] {
        guard let store, let model else { return [] }
        mergeWaitingChanges()
        if rule == .ignored { return try read(query, store) }
        switch overlay(for: query, model) {
        case .none: return try read(visible(query), store)
        case .changedObjects: return try window(query, of: overlaid(query, model, store))
        case .everything: return try window(query, of: evaluated(query, model, store))
        }
    }

    /// Fetches with predicate and order evaluated in memory, for expressions that the store does not support.
    package func fetchEvaluating(_ query: Query, unsaved rule: UnsavedRule = .included) throws -> [Record] {
        guard let store, let model else { return [] }
        mergeWaitingChanges()
        if rule == .ignored, hasChanges {
            // Unsaved changes are ignored, so the rows are evaluated in a temporary graph without any.
            return try records(of: Graph(model: model, store: store).fetchEvaluating(query).map(\.id))
        }
        return try window(query, of: evaluated(query, model, store))
    }

    /// Returns records of rows found in another way, read with as few statements as possible.
    package func records(of ids: [ObjectID]) throws -> [Record] {
        let records = ids.compactMap { record(for: $0) }
        try fire(records)
        return records.filter { !$0.isGone }
    }

    package func fetchIDs(_ query: Query, unsaved rule: UnsavedRule = .included) throws -> [ObjectID] {
        guard let store, let model else { return [] }
        mergeWaitingChanges()
        if rule == .ignored { return try store.fetchIDs(query) }
        switch overlay(for: query, model) {
        case .none: return try store.fetchIDs(visible(query))
        case .changedObjects where query.sort.isEmpty && query.limit == nil && query.offset <= 0:
            return try overlaidIDs(query, model, store)
        case .changedObjects, .everything: return try fetch(query).map(\.id)
        }
    }

    package func count(_ query: Query, unsaved rule: UnsavedRule = .included) throws -> Int {
        guard let store, let model else { return 0 }
        mergeWaitingChanges()
        if rule == .ignored { return try store.count(query) }
        switch overlay(for: query, model) {
        case .none: return try store.count(visible(query))
        case .changedObjects: return try overlaidCount(query, model, store)
        case .everything: return try fetch(query).count
        }
    }

    /// Excludes the rows of pending bulk deletes from the query.
    func visible(_ query: Query) -> Query {
        guard !deletes.bulk.isEmpty else { return query }
        var query = query
        query.excluded = deletes.bulk.deleted
        return query
    }

    /// Returns records of the rows, with the properties that the query reads.
    private func read(_ query: Query, _ store: any Store) throws -> [Record] {
        // Applying pending bulk deletes requires whole rows.
        if let slots = query.slots, deletes.bulk.isEmpty, let parts = try store.fetchPartialRows(query) {
            return try registerPartialRows(parts, slots, store)
        }
        return try registerRows(of: query, store)
    }

    /// Returns records of the rows, created while the rows are read. Records that exist already are updated after all
    /// rows have been read, because observers notified of updates may use the store.
    private func registerRows(of query: Query, _ store: any Store) throws -> [Record] {
        var records: [Record] = []
        var newCount = 0
        var changed: [(place: Int, row: Snapshot)] = []
        try store.forEachRow(of: query) { row in
            if let record = identityMap[row.id] {
                if !isCurrent(record, row) { changed.append((records.count, row)) }
                records.append(record)
            } else if let entity = entity(of: row.id) {
                records.append(Record(snapshot: self.row(row), entity: entity))
                newCount += 1
            }
        }
        identityMap.reserve(newCount)
        for place in records.indices where !records[place].isRegistered {
            records[place] = registered(records[place])
        }
        for (place, row) in changed {
            if let record = register(row) { records[place] = record }
        }
        return records
    }

    /// Whether a row has nothing new for its record.
    private func isCurrent(_ record: Record, _ row: Snapshot) -> Bool {
        !record.isFault && record.version == row.version && record.entity.derivedSlots.isEmpty
    }

    /// Returns a record just created for a row; if the row was read twice, the record created first.
    private func registered(_ new: Record) -> Record {
        let record = identityMap.record(of: new.id) { new }
        if record === new {
            record.graph = self
            hideIfDeleted(record)
        }
        return record
    }

    func register(_ snapshots: [Snapshot]) -> [Record] {
        identityMap.reserve(snapshots.count)
        var records: [Record] = []
        records.reserveCapacity(snapshots.count)
        for snapshot in snapshots {
            if let record = register(snapshot) { records.append(record) }
        }
        return records
    }

    // MARK: Unsaved changes

    private enum Overlay {
        /// No unsaved change affects the result.
        case none
        /// Only changed objects can enter or leave the result.
        case changedObjects
        /// Any row may refer to a changed object, so every row is evaluated in memory.
        case everything
    }

    /// Whether an unsaved change may affect the result.
    func isAffected(_ query: Query, _ model: Model) -> Bool { overlay(for: query, model) != .none }

    private func overlay(for query: Query, _ model: Model) -> Overlay {
        guard hasChanges else { return .none }
        let changed = Set(
            (unsaved.inserted + unsaved.updated + unsaved.deleted)
                .filter { !deletes.bulk.deleted.contains($0.id) }.map(\.entity.index))
        let dependencies = query.dependencies(in: model)
        if dependencies.mayRead(deletes.bulk, in: model) { return .everything }
        if changed.contains(where: { dependencies.readsBeyondRoot($0, in: model) }) { return .everything }
        return changed.contains { isWanted($0, by: query, model) } ? .changedObjects : .none
    }

    private func isWanted(_ entityIndex: Int, by query: Query, _ model: Model) -> Bool {
        query.includesSubentities ? model.isKind(entityIndex, of: query.entityIndex) : entityIndex == query.entityIndex
    }

    private func overlaid(_ query: Query, _ model: Model, _ store: any Store) throws -> [Record] {
        var unchanged = visible(query)
        // Only changed objects can leave the result, so this many more rows suffice.
        unchanged.limit = query.limit.map { [max(0, query.offset), max(0, $0), unsaved.storedCount].saturatingSum() }
        unchanged.offset = 0
        let stored = try read(unchanged, store).filter { !$0.hasChanges }
        let evaluator = QueryEvaluator(GraphObjects(graph: self, model: model))
        let changed = try changedObjects(query, model, evaluator)
        // No unsaved object enters the result, so the store's order is correct.
        if changed.isEmpty { return stored }
        if !query.sort.isEmpty { try fire(stored) }
        return try evaluator.sorted(Self.inRowOrder(stored + changed), by: query.sort)
    }

    /// Reads the rows with unsaved changes among those that the store finds, because other contexts may have changed
    /// them. Reads no other rows.
    private func overlaidIDs(_ query: Query, _ model: Model, _ store: any Store) throws -> [ObjectID] {
        let found = try store.fetchIDs(visible(query))
        let stored = found.filter { identityMap[$0]?.hasChanges != true }
        if stored.count < found.count {
            let unchanged = Set(stored)
            for row in try store.snapshots(of: found.filter { !unchanged.contains($0) }) { _ = register(row) }
        }
        let changed = try changedObjects(query, model, QueryEvaluator(GraphObjects(graph: self, model: model)))
        let inserted = changed.filter(\.isInserted).map(\.id)
        let updated = changed.filter { !$0.isInserted }.map(\.id)
        if updated.isEmpty { return stored + inserted }
        return (stored + updated).sorted { $0.isRow(before: $1) } + inserted
    }

    /// Counts in the store, and corrects the number by the objects with unsaved changes. Reads no other rows.
    private func overlaidCount(_ query: Query, _ model: Model, _ store: any Store) throws -> Int {
        var whole = visible(query)
        (whole.sort, whole.limit, whole.offset) = ([], nil, 0)
        let edited = (unsaved.updated + unsaved.deleted).lazy.map(\.id)
            .filter { !$0.isTemporary && !self.deletes.bulk.deleted.contains($0) }
        var counted = whole
        let isEdited = QueryExpression.isMember(.identity(.variable(.root)), of: edited.map(Value.reference))
        counted.predicate = query.predicate.map { .and([$0, isEdited]) } ?? isEdited
        let left = edited.isEmpty ? [] : try store.fetchIDs(counted)
        // Other contexts may have changed them.
        for row in try left.isEmpty ? [] : store.snapshots(of: left) { _ = register(row) }
        let changed = try changedObjects(query, model, QueryEvaluator(GraphObjects(graph: self, model: model)))
        let rest = max(0, try store.count(whole) - left.count + changed.count - max(0, query.offset))
        return query.limit.map { min(rest, max(0, $0)) } ?? rest
    }

    /// Returns inserted and updated objects that match.
    private func changedObjects(
        _ query: Query, _ model: Model, _ evaluator: QueryEvaluator<GraphObjects>
    ) throws -> [Record] {
        try (unsaved.updated + insertedRecords).filter { record in
            try isWanted(record.entity.index, by: query, model)
                && query.predicate.map { try evaluator.test($0, root: record) } ?? true
        }
    }

    private func evaluated(_ query: Query, _ model: Model, _ store: any Store) throws -> [Record] {
        var all = visible(Query(entityIndex: query.entityIndex))
        all.includesSubentities = query.includesSubentities
        all.meter = query.meter
        let stored = try registerRows(of: all, store).filter { !$0.isDeleted }
        let inserted = insertedRecords.filter { isWanted($0.entity.index, by: query, model) }
        let evaluator = QueryEvaluator(GraphObjects(graph: self, model: model))
        let matching = try (stored + inserted).filter { record in
            try query.predicate.map { try evaluator.test($0, root: record) } ?? true
        }
        return try evaluator.sorted(Self.inRowOrder(matching), by: query.sort)
    }

    /// Sorts stored rows in their own order before unsaved ones by age: the order of records with equal sort keys.
    package static func inRowOrder(_ records: [Record]) -> [Record] { records.sorted(by: isRow) }

    package static func isRow(_ one: Record, before other: Record) -> Bool {
        one.isInserted == other.isInserted ? one.id.isRow(before: other.id) : other.isInserted
    }

    private func window(_ query: Query, of records: [Record]) -> [Record] {
        let rest = records.dropFirst(max(0, query.offset))
        return Array(query.limit.map { rest.prefix(max(0, $0)) } ?? rest)
    }
}

extension QueryDependencies {
    /// Whether a query reads values that pending bulk deletes change, apart from the existence of its own rows.
    func mayRead(_ deletes: BulkDeletes, in model: Model) -> Bool {
        guard !deletes.isEmpty else { return false }
        let hidden = deletes.deleted.keysBySpace.keys.compactMap { model.entity(named: $0.entityName)?.index }
        if hidden.contains(where: { readsBeyondRoot($0, in: model) }) { return true }
        let cleared = Set(deletes.cleared.map(\.name.relationship))
        return relationships.contains { cleared.contains($0.name) }
    }
}

/// A graph's records for the query evaluator.
package struct GraphObjects: QueryObjectSource {
    let graph: Graph
    package let model: Model

    package init(graph: Graph, model: Model) {
        self.graph = graph
        self.model = model
    }

    package func identifier(of record: Record) -> ObjectID { record.id }
    package func entityIndex(of record: Record) -> Int { record.entity.index }
    package func value(of record: Record, slot: Int) -> Value { record.value(slot) }

    package func destination(of record: Record, relationship index: Int) -> Record? {
        guard record.entity.relationships.indices.contains(index) else { return nil }
        // A row that others deleted is missing in SQL, although its object may stay until the save.
        return graph.destination(of: record, record.entity.relationships[index])
            .flatMap { graph.isRemotelyDeleted($0) ? nil : $0 }
    }

    package func members(of record: Record, relationship index: Int) throws -> [Record] {
        guard record.entity.relationships.indices.contains(index) else { return [] }
        let members = graph.members(of: record, record.entity.relationships[index])
        try graph.fire(members)
        return members.filter { !$0.isGone && !$0.isDeleted }
    }
}
