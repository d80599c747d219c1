import Foundation

/// Where the value of one property of a migrated object comes from.
open class NSPropertyMapping: NSObject {
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

    public override init() {
        super.init()
    }

    /// Takes a property's value over as it is.
    convenience init(_ name: String, from sourceName: String) {
        self.init()
        self.name = name
        valueExpression = NSExpression(format: "$\(NSMigrationSourceObjectKey).%K", sourceName)
    }

    open override var description: String {
        "<\(type(of: self)): \(name ?? "") = \(valueExpression?.description ?? "nothing")>"
    }
}
