import Foundation
import ObjectGraph
import SQLiteStore

/// A fetch that gives dictionaries: stored values only, whatever the context has unsaved. (Seen on Apple's systems.)
///
/// 1. Columns are attributes, to-one relationships (as identifiers), and expressions.
/// 2. With `propertiesToGroupBy`, or with a function over all rows, there is one dictionary for each group.
/// 3. Order applies to rows before they are grouped; limit and offset to the dictionaries.
struct DictionaryFetch {
    private let query: Query
    private let columns: [DictionaryColumn]
    private let groupBy: [DictionaryColumn]
    private let having: NSPredicate?
    private let isDistinct: Bool
    private let stores: Set<String>?
    private let core: CoordinatorCore
    private let graph: Graph

    /// - Throws: `CocoaError` for a property that cannot be fetched.
    init<Result>(_ request: NSFetchRequest<Result>, _ plan: RequestPlan, _ context: NSManagedObjectContext) throws {
        query = plan.query
        core = context.core
        stores = plan.leavesOutStores(core) ? plan.stores : nil
        isDistinct = request.returnsDistinctResults
        having = request.havingPredicate
        let (table, model) = (plan.table, core.model)
        let names: [Any] =
            request.propertiesToFetch ?? table.attributes.filter { !$0.attribute.attribute.isTransient }.map(\.name)
        columns = try names.map { (name: Any) in try DictionaryColumn(name, table, model) }
        groupBy = try (request.propertiesToGroupBy ?? []).map { try DictionaryColumn($0, table, model) }
        guard let store = context.graph.store else {
            graph = Graph(model: model, store: core.store)
            return
        }
        graph = Graph(model: model, store: store)
    }

    func rows() throws -> [NSDictionary] {
        let isGrouped = !groupBy.isEmpty || columns.contains(where: \.isAggregate)
        var query = query
        if isGrouped || isDistinct || stores != nil { (query.limit, query.offset) = (nil, 0) }
        let records = try fetch(query).filter { isWanted($0.id) }
        let reader = DictionaryReader(graph: graph, core: core)
        let all = isGrouped ? try grouped(records, reader) : try records.map { try row([$0], reader) }
        let distinct = isDistinct ? Self.distinct(all) : all
        guard isGrouped || isDistinct || stores != nil else { return distinct.map(\.dictionary) }
        let rest = distinct.dropFirst(self.query.offset)
        return (self.query.limit.map { rest.prefix($0) } ?? rest).map(\.dictionary)
    }

    private func fetch(_ query: Query) throws -> [Record] {
        do {
            return try graph.fetch(query, unsaved: .ignored)
        } catch is UntranslatableExpression {
            return try graph.fetchEvaluating(query)
        }
    }

    private func isWanted(_ id: ObjectID) -> Bool {
        stores.map { stores in id.storeIdentifier.map(stores.contains) ?? false } ?? true
    }

    // MARK: Rows

    private struct Row {
        let key: [Value]
        let dictionary: NSDictionary
    }

    private func row(_ records: [Record], _ reader: DictionaryReader) throws -> Row {
        var key: [Value] = []
        var dictionary: [String: Any] = [:]
        for column in columns {
            if case .attribute(let place) = column.kind, place.type == .composite, let record = records.first {
                let values = record.values(place.attribute.slots)
                key += values
                dictionary[column.name] = AttributeCoding.any(values, of: place.attribute.attribute)
                continue
            }
            let value = try reader.value(column, of: records)
            key.append(value)
            if let any = reader.any(value, column) { dictionary[column.name] = any }
        }
        return Row(key: key, dictionary: NSDictionary(dictionary: dictionary))
    }

    /// In the order in which each group's first row comes.
    private func grouped(_ records: [Record], _ reader: DictionaryReader) throws -> [Row] {
        var groups: [[Value]: [Record]] = [:]
        var order: [[Value]] = []
        for record in records {
            let key = try groupBy.map { try reader.value($0, of: [record]) }
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(record)
        }
        // Functions over nothing still have a value.
        if order.isEmpty, groupBy.isEmpty { return [try row([], reader)] }
        let rows = try order.map { try row(groups[$0] ?? [], reader) }
        guard let having else { return rows }
        return rows.filter { row in
            var variables: [String: Any] = [:]
            for (name, value) in row.dictionary { variables["\(name)"] = value }
            return having.evaluate(with: variables, substitutionVariables: variables)
        }
    }

    private static func distinct(_ rows: [Row]) -> [Row] {
        var seen: Set<[Value]> = []
        return rows.filter { seen.insert($0.key).inserted }
    }
}

/// One column of the dictionaries.
struct DictionaryColumn {
    let name: String
    let kind: Kind

    enum Kind {
        case attribute(AttributePlace)
        case toOne(slot: Int)
        case value(QueryExpression, NSAttributeType)
        case aggregate(FormatFunction, QueryExpression, NSAttributeType)
    }

    var isAggregate: Bool {
        if case .aggregate = kind { true } else { false }
    }

    /// - Parameter property: a name, or a description.
    init(_ property: Any, _ table: EntityTable, _ model: Model) throws {
        if let description = property as? NSExpressionDescription {
            name = description.name
            kind = try Self.computed(description, table, model)
            return
        }
        let name = (property as? NSPropertyDescription)?.name ?? (property as? String) ?? ""
        self.name = name
        switch table[name] {
        case .attribute(let place)?: kind = .attribute(place)
        case .toOne(let relationship)?: kind = .toOne(slot: relationship.slot ?? 0)
        case .fetched?:
            throw CocoaError(.coreData, text: "Invalid fetched property in setPropertiesToFetch: (\(name))")
        case .toMany?:
            throw CocoaError(.coreData, text: "Invalid to-many relationship in setPropertiesToFetch: (\(name))")
        case nil: kind = try Self.path(name, table, model)
        }
    }

    private static func path(_ name: String, _ table: EntityTable, _ model: Model) throws -> Kind {
        do throws(FormatTranslationError) {
            let value = try NSExpression(forKeyPath: name).queryExpression(on: table.entity, in: model)
            return .value(value, .undefinedAttributeType)
        } catch {
            throw CocoaError(.coreData, text: "Invalid keypath \(name) passed to setPropertiesToFetch: \(error)")
        }
    }

    private static func computed(
        _ description: NSExpressionDescription, _ table: EntityTable, _ model: Model
    ) throws -> Kind {
        guard let expression = description.expression else {
            throw CocoaError(.coreData, text: "The expression description '\(description.name)' has no expression.")
        }
        do throws(FormatTranslationError) {
            if case .function(let function, let arguments) = expression.tree, function.isOverRows,
                let argument = arguments.first
            {
                let operand = try NSExpression(tree: argument).queryExpression(on: table.entity, in: model)
                return .aggregate(function, operand, description.expressionResultType)
            }
            return .value(try expression.queryExpression(on: table.entity, in: model), description.expressionResultType)
        } catch {
            throw RequestPlan.refusal("expression '\(description.name)'", error)
        }
    }
}

extension FormatFunction {
    /// Whether it sums rows up.
    var isOverRows: Bool {
        switch self {
        case .sum, .count, .minimum, .maximum, .average: true
        default: false
        }
    }
}

/// Values of columns.
private struct DictionaryReader {
    let evaluator: QueryEvaluator<GraphObjects>
    let core: CoordinatorCore

    init(graph: Graph, core: CoordinatorCore) {
        evaluator = QueryEvaluator(GraphObjects(graph: graph, model: core.model))
        self.core = core
    }

    /// - Parameter records: one row, or the rows of a group, whose first one speaks for all.
    func value(_ column: DictionaryColumn, of records: [Record]) throws -> Value {
        switch column.kind {
        case .attribute(let place): return records.first?.value(place.slot) ?? .null
        case .toOne(let slot): return records.first?.value(slot) ?? .null
        case .value(let expression, _):
            return try records.first.map { try evaluator.value(expression, root: $0) } ?? .null
        case .aggregate(let function, let operand, _):
            let values = try records.map { try evaluator.value(operand, root: $0) }.filter { !$0.isNull }
            return Self.aggregate(function, values)
        }
    }

    private static func aggregate(_ function: FormatFunction, _ values: [Value]) -> Value {
        switch function {
        case .count: return .integer(Int64(values.count))
        case .minimum: return values.min { ValueOrder.compare($0, $1) < 0 } ?? .null
        case .maximum: return values.max { ValueOrder.compare($0, $1) < 0 } ?? .null
        case .average:
            let numbers = values.compactMap(number)
            return numbers.isEmpty ? .null : .real(numbers.reduce(0, +) / Double(numbers.count))
        default: return sum(values)
        }
    }

    /// Of integers an integer, where it has room.
    private static func sum(_ values: [Value]) -> Value {
        var sum: Int64 = 0
        for value in values {
            guard case .integer(let integer) = value else { return .real(values.compactMap(number).reduce(0, +)) }
            let (next, isOverflow) = sum.addingReportingOverflow(integer)
            if isOverflow { return .real(values.compactMap(number).reduce(0, +)) }
            sum = next
        }
        return .integer(sum)
    }

    private static func number(_ value: Value) -> Double? {
        switch value {
        case .integer(let integer): Double(integer)
        case .real(let real): real
        case .decimal(let decimal): NSDecimalNumber(decimal: decimal).doubleValue
        default: nil
        }
    }

    /// As the dictionary shows it; `nil` for nil.
    func any(_ value: Value, _ column: DictionaryColumn) -> Any? {
        switch (column.kind, value) {
        case (_, .null): return nil
        case (_, .reference(let id)): return NSManagedObjectID(id, core)
        case (.attribute(let place), _): return AttributeCoding.any(value, of: place.attribute.attribute)
        case (.value(_, let type), _), (.aggregate(_, _, let type), _):
            return AttributeCoding.any(value, type.engineType ?? Self.naturalType(value))
        case (.toOne, _): return nil
        }
    }

    private static func naturalType(_ value: Value) -> ObjectGraph.AttributeType {
        switch value {
        case .integer: .integer64
        case .real: .double
        case .decimal: .decimal
        case .uuid: .uuid
        case .bytes: .binary
        case .text, .null, .reference: .string
        }
    }
}
