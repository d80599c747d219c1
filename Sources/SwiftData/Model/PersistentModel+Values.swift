import ObjectGraph

// Reading and writing by key path, for code that does not use generated accessors.

extension PersistentModel {
    /// Returns new backing data for a model of a class.
    public static func createBackingData<P>() -> some BackingData<P> where P: PersistentModel {
        DefaultBackingData<P>(for: P.self)
    }

    private var backing: DefaultBackingData<Self> { DefaultBackingData(record: record) }

    /// Returns the value of an attribute.
    /// - Parameter keyPath: The attribute.
    public func getValue<Value>(forKey keyPath: KeyPath<Self, Value>) -> Value where Value: Decodable {
        backing.getValue(forKey: keyPath)
    }

    /// Returns the model of a to-one relationship; if there is none, a model with empty values and without a context.
    /// - Parameter keyPath: The relationship.
    public func getValue<Value>(forKey keyPath: KeyPath<Self, Value>) -> Value where Value: PersistentModel {
        backing.getValue(forKey: keyPath)
    }

    /// Returns the model of an optional to-one relationship.
    /// - Parameter keyPath: The relationship.
    public func getValue<Value>(forKey keyPath: KeyPath<Self, Value?>) -> Value? where Value: PersistentModel {
        backing.getValue(forKey: keyPath)
    }

    /// Returns the models of a to-many relationship.
    /// - Parameter keyPath: The relationship.
    public func getValue<Value, OtherModel>(forKey keyPath: KeyPath<Self, Value>) -> Value
    where Value: RelationshipCollection, OtherModel == Value.PersistentElement {
        backing.getValue(forKey: keyPath)
    }

    /// Returns the models of a to-many relationship whose type is also decodable.
    /// - Parameter keyPath: The relationship.
    public func getValue<Value, OtherModel>(forKey keyPath: KeyPath<Self, Value>) -> Value
    where Value: Decodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement {
        backing.getValue(forKey: keyPath)
    }

    /// Returns the value of an attribute of any storable type, such as one with a value transformer. Ends the process if
    /// the key path is not a stored property.
    /// - Parameter keyPath: The attribute.
    public func getTransformableValue<Value>(forKey keyPath: KeyPath<Self, Value>) -> Value {
        backing.getTransformableValue(forKey: keyPath)
    }

    /// Sets the value of an attribute.
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - newValue: The new value.
    public func setValue<Value>(forKey keyPath: KeyPath<Self, Value>, to newValue: Value) where Value: Encodable {
        _$modelStorage.withMutation(self, keyPath) { backing.setValue(forKey: keyPath, to: newValue) }
    }

    /// Sets the model of a to-one relationship.
    /// - Parameters:
    ///   - keyPath: The relationship.
    ///   - newValue: The new model.
    public func setValue<Value>(forKey keyPath: KeyPath<Self, Value>, to newValue: Value) where Value: PersistentModel {
        adoptForLinking()
        backing.setValue(forKey: keyPath, to: newValue)
    }

    /// Sets the model of an optional to-one relationship.
    /// - Parameters:
    ///   - keyPath: The relationship.
    ///   - newValue: The new model; `nil` for none.
    public func setValue<Value>(forKey keyPath: KeyPath<Self, Value?>, to newValue: Value?)
    where Value: PersistentModel {
        adoptForLinking()
        backing.setValue(forKey: keyPath, to: newValue)
    }

    /// Sets the models of a to-many relationship.
    /// - Parameters:
    ///   - keyPath: The relationship.
    ///   - newValue: The new models.
    public func setValue<Value, OtherModel>(forKey keyPath: KeyPath<Self, Value>, to newValue: Value)
    where Value: RelationshipCollection, OtherModel == Value.PersistentElement {
        adoptForLinking()
        backing.setValue(forKey: keyPath, to: newValue)
    }

    /// Sets the models of a to-many relationship whose type is also encodable.
    /// - Parameters:
    ///   - keyPath: The relationship.
    ///   - newValue: The new models.
    public func setValue<Value, OtherModel>(forKey keyPath: KeyPath<Self, Value>, to newValue: Value)
    where Value: Encodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement {
        adoptForLinking()
        backing.setValue(forKey: keyPath, to: newValue)
    }

    /// Sets the value of an attribute of any storable type, such as one with a value transformer.
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - newValue: The new value.
    public func setTransformableValue<Value>(forKey keyPath: KeyPath<Self, Value>, to newValue: Value) {
        _$modelStorage.withMutation(self, keyPath) { backing.setTransformableValue(forKey: keyPath, to: newValue) }
    }

    private func adoptForLinking() {
        _$modelStorage.borrowed.adopt(self)
    }
}
