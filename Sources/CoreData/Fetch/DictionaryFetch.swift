import Foundation
import ObjectGraph

/// A fetch that returns dictionaries of stored values; unsaved changes are ignored. (Seen on Apple's systems.)
///
/// 1. Columns are attributes, to-one relationships (as identifiers), and expressions.
/// 2. With `propertiesToGroupBy`, or with a function over all rows, there is one dictionary for each group.
/// 3. Order applies to rows before they are grouped, limit and offset apply to the dictionaries.
/// 4. A store groups the rows itself if its result is certain to equal that of grouping in memory; otherwise rows are read.
struct DictionaryFetch {
    private let query: Query
    private let entity: Entity
    private let columns: [DictionaryColumn]
    private let groupBy: [DictionaryColumn]
    private let having: NSPredicate?
    private let isDistinct: Bool
    private let stores: Set<String>?
    private let store: any Store
    private let graph: Graph
    private let reader: DictionaryReader

    /// - Throws: `CocoaError` 134060 for a property that cannot be fetched.
    init<Result>(_ request: NSFetchRequest<Result>, _ plan: RequestPlan, _ context: NSManagedObjectContext) throws {
        query = plan.query
        let core = context.core
        stores = plan.excludesStores(core) ? plan.stores : nil
        isDistinct = request.returnsDistinctResults
        having = request.havingPredicate
        let (table, model) = (plan.table, core.model)
        entity = table.entity
        let names: [Any] =
            request.propertiesToFetch ?? table.attributes.filter { !$0.attribute.attribute.isTransient }.map(\.name)
        columns = try names.map { (name: Any) in try DictionaryColumn(name, table, model) }
        groupBy = try (request.propertiesToGroupBy ?? []).map { try DictionaryColumn($0, table, model) }
        try having?.checkHaving(columns: Set(columns.map(\.name)), table)
        store = context.graph.store ?? StoreView(core.stores)
        graph = Graph(model: model, store: store)
        reader = DictionaryReader(graph: graph, core: core)
    }

    func rows() throws -> [NSDictionary] { try rowsGroupedByStore() ?? rowsInMemory() }

    /// `nil` if the rows themselves must be read.
    func rowsGroupedByStore() throws -> [NSDictionary]? { try groupsOfStore().map(finished) }

    /// The dictionaries made from rows that are read.
    func rowsInMemory() throws -> [NSDictionary] {
        if isGrouped { return finished(try grouped(records(windowed: false))) }
        let isWindowed = !isDistinct && stores == nil
        let rows = try records(windowed: isWindowed).map { try row(of: [$0]) }
        return isWindowed ? rows.map(\.dictionary) : finished(rows)
    }

    private var isGrouped: Bool { !groupBy.isEmpty || columns.contains(where: \.isAggregate) }

    /// Applies the having predicate, distinctness, offset and limit.
    private func finished(_ rows: [Row]) -> [NSDictionary] {
        let wanted = isGrouped ? having.map { having in rows.filter { $0.passes(having) } } ?? rows : rows
        let rest = (isDistinct ? Self.distinct(wanted) : wanted).dropFirst(query.offset)
        return (query.limit.map { rest.prefix($0) } ?? rest).map(\.dictionary)
    }

    // MARK: Rows

    private func records(windowed isWindowed: Bool) throws -> [Record] {
        var query = query
        if !isWindowed { (query.limit, query.offset) = (nil, 0) }
        let records: [Record]
        do {
            records = try graph.fetch(query, unsaved: .ignored)
        } catch is UntranslatableExpression {
            records = try graph.fetchEvaluating(query)
        }
        guard let stores else { return records }
        return records.filter { $0.id.storeIdentifier.map(stores.contains) ?? false }
    }

    private struct Row {
        /// The values by which rows are compared for distinctness.
        let key: [ValueKey]
        let dictionary: NSDictionary

        func passes(_ having: NSPredicate) -> Bool {
            var variables: [String: Any] = [:]
            for (name, value) in dictionary { variables["\(name)"] = value }
            return having.evaluate(with: variables, substitutionVariables: variables)
        }
    }

    private func row(of records: [Record]) throws -> Row { row(try columns.map { try reader.values($0, of: records) }) }

    /// - Parameter values: the values of each column.
    private func row(_ values: [[Value]]) -> Row {
        var dictionary: [String: Any] = [:]
        for (column, values) in zip(columns, values) {
            if let any = reader.any(values, column) { dictionary[column.name] = any }
        }
        return Row(key: values.joined().map(ValueKey.init), dictionary: NSDictionary(dictionary: dictionary))
    }

    /// Groups in the order of their first rows.
    private func grouped(_ records: [Record]) throws -> [Row] {
        var groups: [[ValueKey]: [Record]] = [:]
        var order: [[ValueKey]] = []
        for record in records {
            let key = try groupBy.flatMap { try reader.values($0, of: [record]) }.map(ValueKey.init)
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(record)
        }
        // A function over no rows still has a value.
        if order.isEmpty, groupBy.isEmpty { return [try row(of: [])] }
        return try order.map { try row(of: groups[$0] ?? []) }
    }

    private static func distinct(_ rows: [Row]) -> [Row] {
        var seen: Set<[ValueKey]> = []
        return rows.filter { seen.insert($0.key).inserted }
    }

    // MARK: Groups made by the store

    private func groupsOfStore() throws -> [Row]? {
        guard let query = groupQuery else { return nil }
        do {
            return try store.groups(query)?.map { row(values(of: $0, query)) }
        } catch is UntranslatableExpression {
            return nil
        }
    }

    /// Distinct rows are groups by all columns.
    private var groupQuery: GroupQuery? {
        guard stores == nil, isGrouped || isDistinct else { return nil }
        var keys: [QueryExpression] = []
        for column in isGrouped ? groupBy : columns {
            guard let own = column.keys(of: entity) else { return nil }
            keys += own
        }
        var results: [GroupQuery.Result] = []
        for column in columns {
            if case .aggregate(let aggregate) = column.kind {
                results.append(
                    GroupQuery.Result(aggregate.function, of: aggregate.operand, with: aggregate.numbers))
            } else if !(column.keys(of: entity)?.allSatisfy(keys.contains) ?? false) {
                return nil
            }
        }
        return keys.isEmpty && results.isEmpty ? nil : GroupQuery(query, by: keys, results: results)
    }

    /// The values of each column.
    private func values(of group: RowGroup, _ query: GroupQuery) -> [[Value]] {
        let places = Dictionary(
            zip(query.keys, group.keys), uniquingKeysWith: { first, _ in first })
        var results = group.results[...]
        return columns.map { column in
            if column.isAggregate { return results.popFirst().map { [$0] } ?? [] }
            return (column.keys(of: entity) ?? []).map { places[$0] ?? .null }
        }
    }
}

extension NSPredicate {
    /// Checks a having predicate, which may use the values of the dictionaries: properties that are columns by name, and computed
    /// columns as variables.
    /// - Throws: `CocoaError` 134060 for anything else, which would have no value.
    fileprivate func checkHaving(columns: Set<String>, _ table: EntityTable) throws {
        if let malformation = tree.malformation { throw PredicateFormatError(malformation, in: formatText) }
        try tree.forEachExpression { expression in
            switch expression {
            case .function(let function, _) where function.aggregate != nil:
                throw CocoaError(
                    .coreData,
                    text: "Unsupported function expression \(expression) in a having predicate; make it a column, and "
                        + "name that as a variable.")
            case .variable(let name) where !columns.contains(name):
                throw CocoaError(.coreData, text: "The having predicate names $\(name), which is no column.")
            case .keyPath(let path):
                guard table[path.prefix { $0 != "." }.description] != nil else {
                    throw CocoaError(
                        .coreData,
                        text: "keypath \(path) not found in entity \(table.entity.name); name a computed column as a "
                            + "variable.")
                }
                guard columns.contains(path), !path.contains(".") else {
                    throw CocoaError(
                        .coreData, text: "The having predicate names \(path), which is not among propertiesToFetch.")
                }
            default: break
            }
        }
    }
}
