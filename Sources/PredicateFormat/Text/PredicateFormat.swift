import ObjectGraph

/// A predicate of the predicate format language: `name BEGINSWITH[c] 'a' AND ANY tags.label == %@`.
///
/// Sufficient for a command line: parse the text, then translate it for an entity.
package struct PredicateFormat: Hashable, CustomStringConvertible {
    package let predicate: FormatPredicate

    package init(_ predicate: FormatPredicate) { self.predicate = predicate }

    /// - Parameter arguments: The values of the placeholders, in order; superfluous ones are ignored.
    /// - Throws: `FormatError` with the reason and position.
    package init(parsing text: String, arguments: [FormatArgument] = []) throws(FormatError) {
        var parser = try FormatParser(text, arguments: arguments)
        predicate = try parser.wholePredicate()
    }

    /// The predicate as text, in normalized form.
    package var description: String { predicate.description }

    /// Translates the predicate for objects of the entity.
    /// - Throws: `FormatTranslationError` with the construct and the key path.
    package func expression(on entity: Entity, in model: Model) throws(FormatTranslationError) -> QueryExpression {
        try FormatTranslator(model: model, entity: entity).test(predicate)
    }
}

/// An expression of the predicate format language: `price * 1.2`.
package struct ExpressionFormat: Hashable, CustomStringConvertible {
    package let expression: FormatExpression

    package init(_ expression: FormatExpression) { self.expression = expression }

    /// - Throws: `FormatError` with the reason and position.
    package init(parsing text: String, arguments: [FormatArgument] = []) throws(FormatError) {
        var parser = try FormatParser(text, arguments: arguments)
        expression = try parser.wholeExpression()
    }

    package var description: String { expression.description }

    /// Translates the expression to a value for objects of the entity; a relationship gives the identity of its destination.
    /// - Throws: `FormatTranslationError`.
    package func expression(on entity: Entity, in model: Model) throws(FormatTranslationError) -> QueryExpression {
        try FormatTranslator(model: model, entity: entity).scalar(expression)
    }
}

extension SortKey {
    /// Makes the order by a key path of the entity.
    /// - Throws: `FormatTranslationError`, also for a key path that has no single value.
    package init(
        keyPath: String, on entity: Entity, in model: Model, ascending: Bool = true, textOrder: TextOrder = .binary
    ) throws(FormatTranslationError) {
        let value = try FormatTranslator(model: model, entity: entity).sortValue(keyPath)
        self.init(value, ascending: ascending, textOrder: textOrder)
    }
}
