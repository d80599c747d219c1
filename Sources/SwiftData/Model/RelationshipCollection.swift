/// A collection of models that can be the type of a to-many relationship.
public protocol RelationshipCollection {
    /// The class of the models.
    associatedtype PersistentElement: PersistentModel
}

extension Array: RelationshipCollection where Element: PersistentModel {
    /// The class of the models.
    public typealias PersistentElement = Element
}

extension Optional: RelationshipCollection where Wrapped: Sequence, Wrapped.Element: PersistentModel {
    /// The class of the models.
    public typealias PersistentElement = Wrapped.Element
}
