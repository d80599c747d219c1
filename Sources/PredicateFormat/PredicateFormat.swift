import ObjectGraph

/// A predicate of the predicate format language: `name BEGINSWITH[c] 'a' AND ANY tags.label == %@`.
///
/// This is what a command line needs: read the text, ask for its meaning for an entity.
package struct PredicateFormat: Hashable, CustomStringConvertible {
    package let predicate: FormatPredicate

    package init(_ predicate: FormatPredicate) { self.predicate = predicate }

    /// - Parameter arguments: for the placeholders, in their order; more than there are placeholders do no harm.
    /// - Throws: `FormatError`, which says where and why.
    package init(parsing text: String, arguments: [FormatArgument] = []) throws(FormatError) {
        var parser = try FormatParser(text, arguments: arguments)
        predicate = try parser.wholePredicate()
    }

    /// The predicate as text again, in one way of writing.
    package var description: String { predicate.description }

    /// What the predicate means for objects of the entity.
    /// - Throws: `FormatTranslationError`, which names the construct and the key path.
    package func expression(on entity: Entity, in model: Model) throws(FormatTranslationError) -> QueryExpression {
        try FormatTranslator(model: model, entity: entity).test(predicate)
    }
}

/// An expression of the predicate format language: `price * 1.2`.
package struct ExpressionFormat: Hashable, CustomStringConvertible {
    package let expression: FormatExpression

    package init(_ expression: FormatExpression) { self.expression = expression }

    /// - Throws: `FormatError`, which says where and why.
    package init(parsing text: String, arguments: [FormatArgument] = []) throws(FormatError) {
        var parser = try FormatParser(text, arguments: arguments)
        expression = try parser.wholeExpression()
    }

    package var description: String { expression.description }

    /// The value for objects of the entity; a relationship gives the identity of its destination.
    /// - Throws: `FormatTranslationError`.
    package func expression(on entity: Entity, in model: Model) throws(FormatTranslationError) -> QueryExpression {
        try FormatTranslator(model: model, entity: entity).scalar(expression)
    }
}

extension SortKey {
    /// The order by a key path of the entity.
    /// - Throws: `FormatTranslationError`, also for a key path that leads to no plain value.
    package init(
        keyPath: String, on entity: Entity, in model: Model, ascending: Bool = true, textOrder: TextOrder = .binary
    ) throws(FormatTranslationError) {
        let value = try FormatTranslator(model: model, entity: entity).sortValue(keyPath)
        self.init(value, ascending: ascending, textOrder: textOrder)
    }
}
