import Foundation
import enum FoundationPredicates.KeyPathText

/// A protocol of managed objects for members whose signatures need the object's own class, and for the initialiser that returns
/// an object of a subclass: Swift allows both only in protocol extensions.
public protocol SelfTypedManagedObject {}

extension SelfTypedManagedObject where Self: NSManagedObject {
    /// Creates an object of an entity and inserts it into a context. `NSManagedObject(entity:insertInto:)` returns an object of
    /// the entity's class.
    ///
    /// An initialiser of a subclass that calls `super.init(entity:insertInto:)` needs the initialiser with an optional context:
    /// it passes `context as NSManagedObjectContext?`.
    /// - Parameters:
    ///   - entity: an entity of the context's model that is not abstract.
    ///   - context: the context that the object is inserted into.
    public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext) {
        if Self.self == NSManagedObject.self,
            let object = context.table(of: entity).objectClass.init(entity: entity, insertInto: Optional(context))
                as? Self
        {
            self = object
        } else {
            self.init(entity: entity, insertInto: Optional(context))
        }
    }

    /// Begins a change by primitive setters. A key path other than that of a property is ignored and logged.
    /// - Parameter keyPath: the key path of the property.
    public func willChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
        if let key = Self.key(of: keyPath) { willChangeValue(forKey: key) }
    }

    /// Ends a change by primitive setters. A key path other than that of a property is ignored and logged.
    /// - Parameter keyPath: the key path of the property.
    public func didChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
        if let key = Self.key(of: keyPath) { didChangeValue(forKey: key) }
    }

    private static func key(of keyPath: AnyKeyPath) -> String? {
        let key = KeyPathText.text(of: keyPath)
        if key == nil { CoreDataLog.logger.error("\(keyPath) names no property of \(Self.self).") }
        return key
    }
}
