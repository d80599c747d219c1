import ObjectGraph

/// The values of a model, separate from the model object. Code written for Apple's SwiftData may use it; generated
/// accessors do not.
public protocol BackingData<Model> {
    /// The class of the model.
    associatedtype Model: PersistentModel
    /// Creates backing data for a new model.
    /// - Parameter modelType: The class of the model.
    init(for modelType: Model.Type)
    /// The identifier of the model. The library's own backing data ignores a new value.
    var persistentModelID: PersistentIdentifier? { get set }
    /// The names of the class's stored properties, in the library's own backing data.
    var metadata: Any { get }
    /// Returns the value of an attribute.
    /// - Parameter forKey: The attribute.
    func getValue<Value>(forKey: KeyPath<Model, Value>) -> Value where Value: Decodable
    /// Returns the model of a to-one relationship; if there is none, a model with empty values and without a context.
    /// - Parameter forKey: The relationship.
    func getValue<Value>(forKey: KeyPath<Model, Value>) -> Value where Value: PersistentModel
    /// Returns the model of an optional to-one relationship.
    /// - Parameter forKey: The relationship.
    func getValue<Value>(forKey: KeyPath<Model, Value?>) -> Value? where Value: PersistentModel
    /// Returns the models of a to-many relationship.
    /// - Parameter forKey: The relationship.
    func getValue<Value, OtherModel>(forKey: KeyPath<Model, Value>) -> Value
    where Value: RelationshipCollection, OtherModel == Value.PersistentElement
    /// Returns the models of a to-many relationship whose type is also decodable.
    /// - Parameter forKey: The relationship.
    func getValue<Value, OtherModel>(forKey: KeyPath<Model, Value>) -> Value
    where Value: Decodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement
    /// Returns the value of an attribute of any storable type, such as one with a value transformer.
    /// - Parameter forKey: The attribute.
    func getTransformableValue<Value>(forKey: KeyPath<Model, Value>) -> Value
    /// Sets the value of an attribute.
    /// - Parameters:
    ///   - forKey: The attribute.
    ///   - newValue: The new value.
    func setValue<Value>(forKey: KeyPath<Model, Value>, to newValue: Value) where Value: Encodable
    /// Sets the model of a to-one relationship.
    /// - Parameters:
    ///   - forKey: The relationship.
    ///   - newValue: The new model.
    func setValue<Value>(forKey: KeyPath<Model, Value>, to newValue: Value) where Value: PersistentModel
    /// Sets the model of an optional to-one relationship.
    /// - Parameters:
    ///   - forKey: The relationship.
    ///   - newValue: The new model; `nil` for none.
    func setValue<Value>(forKey: KeyPath<Model, Value?>, to newValue: Value?) where Value: PersistentModel
    /// Sets the models of a to-many relationship.
    /// - Parameters:
    ///   - forKey: The relationship.
    ///   - newValue: The new models.
    func setValue<Value, OtherModel>(forKey: KeyPath<Model, Value>, to newValue: Value)
    where Value: RelationshipCollection, OtherModel == Value.PersistentElement
    /// Sets the models of a to-many relationship whose type is also encodable.
    /// - Parameters:
    ///   - forKey: The relationship.
    ///   - newValue: The new models.
    func setValue<Value, OtherModel>(forKey: KeyPath<Model, Value>, to newValue: Value)
    where Value: Encodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement
    /// Sets the value of an attribute of any storable type, such as one with a value transformer.
    /// - Parameters:
    ///   - forKey: The attribute.
    ///   - newValue: The new value.
    func setTransformableValue<Value>(forKey: KeyPath<Model, Value>, to newValue: Value)

    /// The storage, if the backing data is the library's own; `nil` otherwise.
    var _$storage: _ModelStorage? { get }
}

extension BackingData {
    /// No storage: backing data of another kind cannot be stored.
    public var _$storage: _ModelStorage? { nil }
}
