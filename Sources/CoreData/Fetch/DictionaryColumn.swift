import Foundation
import ObjectGraph
import PredicateFormat

/// One column of the dictionaries that a fetch returns.
struct DictionaryColumn {
    let name: String
    let kind: Kind

    enum Kind {
        case attribute(AttributePlace)
        case toOne(EntityRelationship)
        case value(QueryExpression, Form)
        case aggregate(Aggregate)
    }

    /// A function over the rows of the result, or of a group.
    struct Aggregate {
        let function: AggregateFunction
        let operand: QueryExpression
        /// Decimals where the result type or the operand is one.
        let numbers: AggregateNumbers
        let type: NSAttributeType
    }

    /// The form in which values are returned.
    enum Form {
        case attribute(Attribute)
        case type(NSAttributeType)
    }

    var isAggregate: Bool {
        if case .aggregate = kind { true } else { false }
    }

    /// The expressions that a store evaluates for the column: one, or the leaves of a composite; `nil` for values that no store
    /// has.
    func keys(of entity: Entity) -> [QueryExpression]? {
        switch kind {
        case .attribute(let place) where place.isOutsideSlot || place.attribute.attribute.isTransient: return nil
        case .attribute(let place):
            return place.attribute.slots.map { slot in
                .attribute(
                    .variable(.root), AttributeReference(entityIndex: entity.index, slot: slot, path: place.name))
            }
        case .toOne(let relationship):
            let reference = RelationshipReference(
                entityIndex: entity.index, index: relationship.index, name: relationship.name)
            return [.toOne(.variable(.root), reference)]
        case .value(let expression, _): return [expression]
        case .aggregate: return nil
        }
    }

    // MARK: From the request

    /// - Parameter property: a name, or a description.
    /// - Throws: `CocoaError` 134060 for a property that cannot be a column.
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
        case .toOne(let relationship)?: kind = .toOne(relationship)
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
            return .value(value, form(of: value, .undefinedAttributeType, model))
        } catch {
            throw CocoaError(.coreData, text: "Invalid keypath \(name) passed to setPropertiesToFetch: \(error)")
        }
    }

    /// Without a requested type, an attribute of another entity is returned in the form of that attribute.
    private static func form(of value: QueryExpression, _ type: NSAttributeType, _ model: Model) -> Form {
        guard type == .undefinedAttributeType, case .attribute(_, let place) = value,
            model.has(place.entityIndex),
            model[place.entityIndex].slots.indices.contains(place.slot),
            case .attribute(_, let leaf) = model[place.entityIndex].slots[place.slot]
        else { return .type(type) }
        return .attribute(leaf)
    }

    private static func computed(
        _ description: NSExpressionDescription, _ table: EntityTable, _ model: Model
    ) throws -> Kind {
        guard let expression = description.expression else {
            throw CocoaError(.coreData, text: "The expression description '\(description.name)' has no expression.")
        }
        do throws(FormatTranslationError) {
            if let (function, argument) = expression.tree.aggregateOverRows {
                let operand = try NSExpression(tree: argument).queryExpression(on: table.entity, in: model)
                return .aggregate(aggregate(function, operand, description.expressionResultType, model))
            }
            let value = try expression.queryExpression(on: table.entity, in: model)
            return .value(value, form(of: value, description.expressionResultType, model))
        } catch {
            throw RequestPlan.refusal("expression '\(description.name)'", error)
        }
    }

    private static func aggregate(
        _ function: AggregateFunction, _ operand: QueryExpression, _ type: NSAttributeType, _ model: Model
    ) -> Aggregate {
        var numbers = type == .decimalAttributeType ? AggregateNumbers.decimals : .reals
        if case .attribute(let leaf) = form(of: operand, .undefinedAttributeType, model), leaf.type == .decimal {
            numbers = .decimals
        }
        return Aggregate(function: function, operand: operand, numbers: numbers, type: type)
    }
}

extension FormatExpression {
    /// A function over the rows of a result and its argument: `sum:` of an expression, or a key path that begins with an operator
    /// (`@sum.amount`, `@count`).
    fileprivate var aggregateOverRows: (AggregateFunction, FormatExpression)? {
        switch self {
        case .function(let function, let arguments):
            guard let aggregate = function.aggregate, let argument = arguments.first else { return nil }
            return (aggregate, argument)
        case .keyPath(let path), .keyPathOf(.evaluatedObject, let path):
            let parts = path.split(separator: ".", maxSplits: 1)
            guard let first = parts.first, first.hasPrefix("@"),
                let function = FormatFunction(collectionOperator: first.dropFirst())?.aggregate
            else { return nil }
            if parts.count == 2 { return (function, .keyPath(String(parts[1]))) }
            return function == .count ? (function, .evaluatedObject) : nil
        default: return nil
        }
    }
}
