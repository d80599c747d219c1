import Foundation

/// A description of a computed column of a fetch that returns dictionaries. It belongs to no entity and is never stored.
nonisolated open class NSExpressionDescription: NSPropertyDescription {
    /// The expression that is computed from each object, or from each group. The evaluated object gives its identifier.
    open var expression: NSExpression? { didSet { if refuses("expression") { expression = oldValue } } }

    /// The type of the computed values.
    open var expressionResultType = NSAttributeType.undefinedAttributeType {
        didSet { if refuses("expressionResultType") { expressionResultType = oldValue } }
    }

    /// The type of the computed values, as a value with short names.
    public var resultType: NSAttributeDescription.AttributeType {
        get { NSAttributeDescription.AttributeType(expressionResultType) }
        set { expressionResultType = newValue.attributeType }
    }

    override func emptyCopy() -> NSPropertyDescription { NSExpressionDescription() }

    override func copyProperties(from other: NSPropertyDescription) {
        super.copyProperties(from: other)
        guard let other = other as? NSExpressionDescription else { return }
        expression = other.expression
        expressionResultType = other.expressionResultType
    }

    override func hasContent(of other: NSPropertyDescription) -> Bool {
        guard super.hasContent(of: other), let other = other as? NSExpressionDescription else { return false }
        return expression?.tree == other.expression?.tree && expressionResultType == other.expressionResultType
    }
}
