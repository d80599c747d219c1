import Foundation
import ObjectGraph
import PredicateFormat

/// A description of the value of one property of a migrated object.
nonisolated open class NSPropertyMapping: NSObject {
    /// The name of the destination's property.
    open var name: String?
    /// The expression that gives the value, with the variables `$source`, `$destination`, `$manager`, `$entityMapping`,
    /// `$propertyMapping` and `$entityPolicy`. In the value of a relationship, source objects stand for their new objects.
    ///
    /// ```swift
    /// mapping.valueExpression = NSExpression(format: "uppercase:($source.name)")
    /// ```
    open var valueExpression: NSExpression?
    /// Information for the program's own use.
    open var userInfo: [AnyHashable: Any]?
    /// Whether the expression was assumed because the models of a file were not found: it is used only if the source has the
    /// property.
    final var isAssumed = false

    /// Creates a mapping of no property.
    public override init() {
        super.init()
    }

    /// Creates a mapping that copies a property's value.
    convenience init(_ name: String, from sourceName: String) {
        self.init()
        self.name = name
        valueExpression = NSExpression(format: "$\(NSMigrationSourceObjectKey).%K", sourceName)
    }

    /// The key path from the source object, if the value is only that.
    private var sourcePath: String? {
        guard let expression = valueExpression, expression.expressionType == .keyPath,
            expression.operand.expressionType == .variable, expression.operand.variable == NSMigrationSourceObjectKey
        else { return nil }
        return expression.keyPath
    }

    /// Whether the source has the property that the value is read from; other expressions are not checked.
    final func isReadable(from source: NSManagedObject) -> Bool {
        guard let first = sourcePath?.split(separator: ".").first.map({ String($0) }) else { return true }
        return source.table[first] != nil || source.commonValue(forKey: first) != nil
    }

    /// Whether the mapping gives a value; otherwise the property keeps its default.
    final func isUsable(for source: NSManagedObject) -> Bool {
        valueExpression != nil && (!isAssumed || isReadable(from: source))
    }

    /// The name of a called method that neither the predicate language nor a manager or policy has. It would silently give nil.
    final var unknownMethod: String? {
        var found: String?
        valueExpression?.tree.forEachExpression { part in
            guard case .call(let target, let selector, let arguments) = part, !FormatCall.isKnown(selector, arguments)
            else { return }
            let owners = [NSMigrationManagerKey, NSMigrationEntityPolicyKey]
            if case .variable(let name) = target, owners.contains(name) { return }
            found = found ?? selector
        }
        return found
    }

    /// The attributes of both objects, if the stored value can be copied unconverted; otherwise `nil`.
    final func copied(
        from source: NSManagedObject, to destination: NSManagedObject
    ) -> (theirs: AttributePlace, own: AttributePlace)? {
        guard let name, let path = sourcePath, case .attribute(let theirs)? = source.table[path],
            case .attribute(let own)? = destination.table[name], theirs.isWritable, own.isWritable,
            !theirs.isOutsideSlot, !own.isOutsideSlot, theirs.attribute.attribute.keepsSame(as: own.attribute.attribute)
        else { return nil }
        return (theirs, own)
    }

    /// A text with the property and the expression.
    open override var description: String {
        "<\(type(of: self)): \(name ?? "") = \(valueExpression?.description ?? "nothing")>"
    }
}

extension Attribute {
    /// Whether stored values of one attribute have the same meaning for the other.
    fileprivate func keepsSame(as other: Attribute) -> Bool {
        type == other.type && transformerName == other.transformerName && elements.count == other.elements.count
            && zip(elements, other.elements).allSatisfy { $0.name == $1.name && $0.keepsSame(as: $1) }
    }
}
