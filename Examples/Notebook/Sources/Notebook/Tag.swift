import CoreData

/// Written by hand: the model says so of this class, and its properties are made.
public final class Tag: NSManagedObject {
    var initial: Character? { label?.first }
}
