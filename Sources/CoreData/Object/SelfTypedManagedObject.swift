import Foundation
import enum FoundationPredicates.KeyPathText

/// Members of managed objects whose signatures need the object's own class, and the initialiser that returns an object of a
/// subclass: Swift allows both in protocol extensions only.
public protocol SelfTypedManagedObject {}

extension SelfTypedManagedObject where Self: NSManagedObject {
    /// A new object in a context. `NSManagedObject(entity:insertInto:)` gives an object of the entity's class.
    ///
    /// An initialiser of a subclass that calls `super.init(entity:insertInto:)` needs the other one, whose context may be
    /// `nil`: it passes `context as NSManagedObjectContext?`.
    /// - Parameter entity: one of the context's model, and not abstract.
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

    /// To be called before a primitive value is set as a change. A key path that names no property is ignored and logged.
    public func willChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
        if let key = Self.key(of: keyPath) { willChangeValue(forKey: key) }
    }

    /// To be called after it.
    public func didChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
        if let key = Self.key(of: keyPath) { didChangeValue(forKey: key) }
    }

    private static func key(of keyPath: AnyKeyPath) -> String? {
        let key = KeyPathText.text(of: keyPath)
        if key == nil { CoreDataLog.logger.error("\(keyPath) names no property of \(Self.self).") }
        return key
    }
}
