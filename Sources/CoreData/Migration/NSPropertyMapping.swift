import Foundation
import ObjectGraph
import PredicateFormat

/// Where the value of one property of a migrated object comes from.
nonisolated open class NSPropertyMapping: NSObject {
    /// The property of the destination.
    open var name: String?
    /// Gives the value, with `$source`, `$destination`, `$manager`, `$entityMapping`, `$propertyMapping` and `$entityPolicy`
    /// for what their names say. Of a relationship, source objects stand for what became of them.
    ///
    /// ```swift
    /// mapping.valueExpression = NSExpression(format: "uppercase:($source.name)")
    /// ```
    open var valueExpression: NSExpression?
    open var userInfo: [AnyHashable: Any]?
    /// Whether the expression stands for what a file leaves to models that were not found: it counts where the source has
    /// the property.
    final var isAssumed = false

    public override init() {
        super.init()
    }

    /// Takes a property's value over as it is.
    convenience init(_ name: String, from sourceName: String) {
        self.init()
        self.name = name
        valueExpression = NSExpression(format: "$\(NSMigrationSourceObjectKey).%K", sourceName)
    }

    /// The key path from the source object, where the value is nothing else.
    private var sourcePath: String? {
        guard let expression = valueExpression, expression.expressionType == .keyPath,
            expression.operand.expressionType == .variable, expression.operand.variable == NSMigrationSourceObjectKey
        else { return nil }
        return expression.keyPath
    }

    /// Whether the source has the property that the value comes from; of other expressions nothing is known.
    final func isReadable(from source: NSManagedObject) -> Bool {
        guard let first = sourcePath?.split(separator: ".").first.map({ String($0) }) else { return true }
        return source.table[first] != nil || source.commonValue(forKey: first) != nil
    }

    /// Without a value a property keeps the one that new objects have.
    final func isUsable(for source: NSManagedObject) -> Bool {
        valueExpression != nil && (!isAssumed || isReadable(from: source))
    }

    /// A method that neither the language nor a manager or policy can know. It would silently give nothing.
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

    /// The attributes at both ends, where one is taken over as it is by another that keeps the same; else `nil`.
    final func copied(
        from source: NSManagedObject, to destination: NSManagedObject
    ) -> (theirs: AttributePlace, own: AttributePlace)? {
        guard let name, let path = sourcePath, case .attribute(let theirs)? = source.table[path],
            case .attribute(let own)? = destination.table[name], theirs.isWritable, own.isWritable,
            !theirs.isLoose, !own.isLoose, theirs.attribute.attribute.keepsSame(as: own.attribute.attribute)
        else { return nil }
        return (theirs, own)
    }

    open override var description: String {
        "<\(type(of: self)): \(name ?? "") = \(valueExpression?.description ?? "nothing")>"
    }
}

extension Attribute {
    /// Whether what is kept for the one means the same for the other.
    fileprivate func keepsSame(as other: Attribute) -> Bool {
        type == other.type && transformerName == other.transformerName && elements.count == other.elements.count
            && zip(elements, other.elements).allSatisfy { $0.name == $1.name && $0.keepsSame(as: $1) }
    }
}
