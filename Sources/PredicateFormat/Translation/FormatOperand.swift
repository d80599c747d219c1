import ObjectGraph

/// A translated part of a predicate. It distinguishes more than the engine's expressions: a constant becomes a value only
/// when the type of the other operand is known, and a key path through a to-many relationship is not a value.
indirect enum FormatOperand {
    case constant(FormatConstant)
    /// A column's value, or a calculated one. The type of some conditionals is unknown.
    case value(QueryExpression, FormatType?)
    case object(QueryExpression, entityIndex: Int)
    case collection(FormatCollection)
    /// A list with members that depend on the object.
    case list([FormatOperand])
    /// A composite attribute of an object, or a nested composite; its leaves begin at the slot.
    case composite(FormatComposite)
    /// The entity of an object.
    case entity(QueryExpression, entityIndex: Int)
    /// The name of an object's entity.
    case entityName(QueryExpression, entityIndex: Int)
}

/// A composite attribute of an object, or a composite element of one.
struct FormatComposite {
    let object: QueryExpression
    let entityIndex: Int
    let attribute: Attribute
    /// The slot of the first leaf.
    let slot: Int
    /// The key path, for messages.
    let path: String

    /// The leaves with their types.
    var leaves: [QueryExpression] {
        attribute.leaves.indices.map { index in
            .attribute(object, AttributeReference(entityIndex: entityIndex, slot: slot + index, path: path))
        }
    }

    /// Returns the named element: a value, or a nested composite.
    func element(named name: String) -> FormatOperand? {
        var slot = slot
        for element in attribute.elements {
            if element.name == name {
                let inner = FormatComposite(
                    object: object, entityIndex: entityIndex, attribute: element, slot: slot,
                    path: "\(path).\(name)")
                if element.type == .composite { return .composite(inner) }
                let reference = AttributeReference(entityIndex: entityIndex, slot: slot, path: inner.path)
                return .value(.attribute(object, reference), FormatType(element.type))
            }
            slot += element.leaves.count
        }
        return nil
    }
}

/// The result of a subquery or of a key path through to-many relationships: the element for each member of the first
/// collection, each of the second, and so on.
struct FormatCollection {
    struct Hop {
        let collection: QueryCollection
        let variable: QueryVariable
    }

    /// The hops, outermost first; never empty.
    var hops: [Hop]
    var element: FormatOperand
    /// Whether equal elements count once.
    var isDistinct = false

    /// A single hop over all members, with the variable for one of them.
    var joined: Hop? {
        guard let last = hops.last else { return nil }
        return hops.dropLast().reversed().reduce(last) { inner, hop in
            Hop(collection: .joined(hop.collection, hop.variable, inner.collection), variable: inner.variable)
        }
    }

    /// Returns the elements for which a test holds. The test refers to the element by a variable of its own, because the
    /// elements' variable is bound later.
    func filtered(
        by variable: QueryVariable, _ test: (FormatOperand) throws(FormatTranslationError) -> QueryExpression
    ) throws(FormatTranslationError) -> FormatCollection {
        guard let members = joined else { return self }
        var copy = self
        let condition = try test(element.replacing(members.variable, by: .variable(variable)))
        copy.hops = [Hop(collection: .filtered(members.collection, variable, condition), variable: members.variable)]
        return copy
    }

    /// Whether no object occurs twice.
    var isSetOfObjects: Bool {
        if case .object(.variable, _) = element { hops.count == 1 } else { false }
    }

    /// Tests whether any element passes.
    func exists(_ test: QueryExpression) -> QueryExpression {
        hops.reversed().reduce(test) { .exists($1.collection, $1.variable, $0) }
    }

    /// Tests whether every element passes.
    func all(_ test: QueryExpression) -> QueryExpression {
        hops.reversed().reduce(test) { .all($1.collection, $1.variable, $0) }
    }
}

extension FormatOperand {
    /// Returns the operand for another object in place of the variable.
    func replacing(_ variable: QueryVariable, by other: QueryExpression) -> FormatOperand {
        switch self {
        case .object(let object, let index): .object(object.replacing(variable, by: other), entityIndex: index)
        case .value(let value, let type): .value(value.replacing(variable, by: other), type)
        case .entity(let object, let index): .entity(object.replacing(variable, by: other), entityIndex: index)
        case .entityName(let object, let index): .entityName(object.replacing(variable, by: other), entityIndex: index)
        case .composite(let composite):
            .composite(
                FormatComposite(
                    object: composite.object.replacing(variable, by: other), entityIndex: composite.entityIndex,
                    attribute: composite.attribute, slot: composite.slot, path: composite.path))
        case .constant, .collection, .list: self
        }
    }

    /// The raw value of an enum. Such an enum is stored as a composite with one element of the same name: `mood` means
    /// `mood.mood`.
    var rawValueOfEnum: FormatOperand {
        switch self {
        case .composite(let composite):
            let attribute = composite.attribute
            guard attribute.isEnum, attribute.elements.count == 1 else { return self }
            return composite.element(named: attribute.name) ?? self
        case .collection(var collection):
            collection.element = collection.element.rawValueOfEnum
            return .collection(collection)
        default: return self
        }
    }

    var constant: FormatConstant? {
        if case .constant(let constant) = self { constant } else { nil }
    }

    /// The type of a value or constant, if it is known.
    var type: FormatType? {
        switch self {
        case .constant(let constant): constant.type
        case .value(_, let type): type
        case .object: .object
        case .collection, .list, .composite, .entity: nil
        case .entityName: .text
        }
    }
}

extension QueryExpression {
    /// Replaces the variable in the expressions that elements consist of: key paths through to-one relationships, and
    /// functions of them.
    fileprivate func replacing(_ variable: QueryVariable, by other: QueryExpression) -> QueryExpression {
        switch self {
        case .variable(variable): other
        case .toOne(let base, let reference): .toOne(base.replacing(variable, by: other), reference)
        case .attribute(let base, let reference): .attribute(base.replacing(variable, by: other), reference)
        case .textLength(let text): .textLength(text.replacing(variable, by: other))
        case .function(let function, let arguments):
            .function(function, arguments.map { $0.replacing(variable, by: other) })
        default: self
        }
    }
}
