import CoreData

/// A class written by hand, as the model specifies; its properties are generated.
public final class Tag: NSManagedObject {
    var initial: Character? { label?.first }
}
