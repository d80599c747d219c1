/// The results of a query, maintained: each change costs what it changes, whatever the number of results.
///
/// 1. Results are identities. Beside these, the sort values are kept, in columns of eight bytes (texts: sixteen): a
///    place is found without a statement and without the object, which may not be registered, or be newer than its
///    place. Rows are not kept, and records not retained. `OrderedTree` translates between places and rows.
/// 2. `LiveFollower` says which objects to look at: those of the fetched entity whose change may concern the query, and
///    those that refer to a changed object through a relationship that it follows. Only these are tested again. Objects
///    that the graph has not read are read together, with one statement for all observers.
/// 3. Relationships are followed backwards without an index of one's own, which would need memory for every link of every
///    row: by the inverse in memory, and otherwise by one statement for each relationship (`LinkSources`).
/// 4. Deleted rows come as sets. The rows held here are looked up in them, or these among the rows held, whichever are
///    fewer; nothing is read.
/// 5. With a limit, all matching rows up to some beyond the window are held. Only if so many have left that the window
///    is not full is there another fetch, a refill.
/// 6. What cannot be followed is fetched again, and counted by reason (`LiveRefetch`).
///
/// Used where its graph is used.
package final class LiveResults {
    package private(set) var query: LiveQuery
    package internal(set) var counts = LiveCounts()

    let graph: Graph
    let model: Model
    private(set) var dependencies: LiveDependencies
    let evaluator: QueryEvaluator<GraphObjects>
    var rows: HeldRows
    var tree = OrderedTree()
    /// Whether no matching row lies beyond the last one held.
    var holdsAll = true
    /// Whether the store could not be read, so that a change is not known.
    package internal(set) var isBehind = false
    /// Totals of the sections, for `LiveAggregate`.
    var totals: LiveTotals?
    /// For `LiveAggregate`, while no rows are held.
    var summary: GroupSummary?
    var holding = HoldingRule()
    /// The present results, if they were asked for and are still in use.
    weak var frozen: FrozenResults?
    /// For the event that is being dispatched.
    var work = Work()
    /// Of events that could not be applied, for the difference of the next one.
    var missedRenamings: [(former: ObjectID, id: ObjectID)] = []

    convenience init(_ query: LiveQuery, in graph: Graph, _ model: Model, holding records: [Record]? = nil) throws {
        self.init(of: query, in: graph, model)
        try load(records)
    }

    /// Holds the rows of groups, or their summary.
    convenience init(_ totals: LiveTotals, _ holding: HoldingRule, in graph: Graph, _ model: Model) throws {
        self.init(of: LiveQuery(totals.query), in: graph, model)
        self.totals = totals
        self.holding = holding
        try load()
    }

    /// Never holds rows.
    convenience init(_ totals: LiveTotals, _ summary: GroupSummary, in graph: Graph, _ model: Model) {
        self.init(of: LiveQuery(totals.query), in: graph, model)
        (self.totals, self.summary, holding) = (totals, summary, .never)
    }

    private init(of query: LiveQuery, in graph: Graph, _ model: Model) {
        self.query = query
        self.graph = graph
        self.model = model
        dependencies = LiveDependencies(query, in: model)
        evaluator = QueryEvaluator(GraphObjects(graph: graph, model: model))
        rows = HeldRows(sort: query.query.sort)
    }

    func report(_ updates: LiveQuery.UpdateRule) {
        query.updates = updates
        dependencies = LiveDependencies(query, in: model)
    }

    /// Copies the identities for the frozen results in use, before the results change.
    func keepFrozen() {
        frozen?.copyIdentities()
        frozen = nil
    }

    // MARK: Results

    /// The positions of the results among the rows held.
    var visible: Range<Int> { query.window.clamped(to: 0..<tree.count) }

    package var count: Int { visible.count }
    package var isEmpty: Bool { visible.isEmpty }

    /// Returns the identity of the result at a position, which must be below `count`.
    /// - Complexity: O(log n).
    package subscript(position: Int) -> ObjectID { rows.id(tree[visible.lowerBound + position]) }

    /// Returns the position of an object; `nil` if it is no result.
    /// - Complexity: O(log n).
    package func position(of id: ObjectID) -> Int? {
        guard let number = rows.number(of: id) else { return nil }
        let position = tree.position(of: number)
        return visible.contains(position) ? position - visible.lowerBound : nil
    }

    /// All results, in order.
    package var ids: [ObjectID] {
        var ids: [ObjectID] = []
        ids.reserveCapacity(count)
        tree.forEach(in: visible) { ids.append(rows.id($0)) }
        return ids
    }

    // MARK: Reading

    /// Fetches the rows to hold, unless they have been found already. After an error, the former ones are held.
    func load(_ found: [Record]? = nil) throws {
        if try summarize() { return }
        let former = (rows, holdsAll)
        do {
            try replaceRows(found)
            summary = nil
        } catch {
            (rows, holdsAll) = former
            throw error
        }
    }

    private func replaceRows(_ found: [Record]?) throws {
        let records = try found ?? fetchHeld()
        if let found { holdsAll = query.heldLimit.map { found.count < $0 } ?? true }
        let known = try found.map(sortValuesOfFaults) ?? [:]
        rows = HeldRows(sort: query.query.sort)
        rows.reserve(records.count)
        var numbers: [UInt32] = []
        numbers.reserveCapacity(records.count)
        for record in records where rows.number(of: record.id) == nil {
            numbers.append(try add(record, known[record.id]))
        }
        // Guards the tree against a store with another order.
        let isInOrder = zip(numbers, numbers.dropFirst()).allSatisfy { rows.precedes($0, $1) }
        if !isInOrder { numbers.sort { rows.precedes($0, $1) } }
        setTree(numbers)
        countAll()
    }

    /// Returns the matching rows up to the reserve.
    func fetchHeld() throws -> [Record] {
        var held = query.query
        held.offset = 0
        if held.limit != nil { held.limit = query.heldLimit }
        let records: [Record]
        do {
            records = try graph.fetch(held)
        } catch is UntranslatableExpression {
            records = try graph.fetchEvaluating(held)
        }
        holdsAll = held.limit.map { records.count < $0 } ?? true
        return records
    }

    func add(_ record: Record, _ known: [Value]? = nil) throws -> UInt32 {
        let values = try known ?? evaluator.sortValues(of: record, by: query.query.sort)
        return rows.insert(record.id, values, isUnsaved: record.isInserted)
    }

    /// Reads the sort values of objects that have not been read into a graph of their own, so that these stay faults.
    private func sortValuesOfFaults(_ records: [Record]) throws -> [ObjectID: [Value]] {
        guard !query.query.sort.isEmpty, let store = graph.store, records.contains(where: \.isFault) else { return [:] }
        let reader = Graph(model: model, store: store)
        var held = query.query
        (held.offset, held.limit, held.slots) = (0, query.heldLimit, query.sortSlots)
        let found: [Record]
        do {
            found = try reader.fetch(held)
        } catch is UntranslatableExpression {
            found = try reader.fetchEvaluating(held)
        }
        for path in dependencies.paths { try reader.prefetch(along: path, of: found) }
        let evaluator = QueryEvaluator(GraphObjects(graph: reader, model: model))
        var values: [ObjectID: [Value]] = [:]
        for record in found { values[record.id] = try evaluator.sortValues(of: record, by: query.query.sort) }
        for record in records where !record.isFault { values[record.id] = nil }
        return values
    }

    /// - Parameter numbers: Of all rows held, in order.
    func setTree(_ numbers: [UInt32]) {
        guard isSectioned else {
            tree = OrderedTree(numbers)
            return
        }
        tree = OrderedTree(numbers) { position in
            position == 0 || !isSameSection(numbers[position - 1], numbers[position])
        }
    }
}
