import ObjectGraph

// Reading and writing by key path, for code that does not go through generated accessors.

extension PersistentModel {
    public static func createBackingData<P>() -> some BackingData<P> where P: PersistentModel {
        DefaultBackingData<P>(for: P.self)
    }

    private var backing: DefaultBackingData<Self> { DefaultBackingData(record: record) }

    public func getValue<Value>(forKey keyPath: KeyPath<Self, Value>) -> Value where Value: Decodable {
        backing.getValue(forKey: keyPath)
    }

    public func getValue<Value>(forKey keyPath: KeyPath<Self, Value>) -> Value where Value: PersistentModel {
        backing.getValue(forKey: keyPath)
    }

    public func getValue<Value>(forKey keyPath: KeyPath<Self, Value?>) -> Value? where Value: PersistentModel {
        backing.getValue(forKey: keyPath)
    }

    public func getValue<Value, OtherModel>(forKey keyPath: KeyPath<Self, Value>) -> Value
    where Value: RelationshipCollection, OtherModel == Value.PersistentElement {
        backing.getValue(forKey: keyPath)
    }

    public func getValue<Value, OtherModel>(forKey keyPath: KeyPath<Self, Value>) -> Value
    where Value: Decodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement {
        backing.getValue(forKey: keyPath)
    }

    public func getTransformableValue<Value>(forKey keyPath: KeyPath<Self, Value>) -> Value {
        backing.getTransformableValue(forKey: keyPath)
    }

    public func setValue<Value>(forKey keyPath: KeyPath<Self, Value>, to newValue: Value) where Value: Encodable {
        _$modelStorage.withMutation(self, keyPath) { backing.setValue(forKey: keyPath, to: newValue) }
    }

    public func setValue<Value>(forKey keyPath: KeyPath<Self, Value>, to newValue: Value) where Value: PersistentModel {
        adoptForLinking()
        backing.setValue(forKey: keyPath, to: newValue)
    }

    public func setValue<Value>(forKey keyPath: KeyPath<Self, Value?>, to newValue: Value?)
    where Value: PersistentModel {
        adoptForLinking()
        backing.setValue(forKey: keyPath, to: newValue)
    }

    public func setValue<Value, OtherModel>(forKey keyPath: KeyPath<Self, Value>, to newValue: Value)
    where Value: RelationshipCollection, OtherModel == Value.PersistentElement {
        adoptForLinking()
        backing.setValue(forKey: keyPath, to: newValue)
    }

    public func setValue<Value, OtherModel>(forKey keyPath: KeyPath<Self, Value>, to newValue: Value)
    where Value: Encodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement {
        adoptForLinking()
        backing.setValue(forKey: keyPath, to: newValue)
    }

    public func setTransformableValue<Value>(forKey keyPath: KeyPath<Self, Value>, to newValue: Value) {
        _$modelStorage.withMutation(self, keyPath) { backing.setTransformableValue(forKey: keyPath, to: newValue) }
    }

    private func adoptForLinking() {
        _$modelStorage.borrowed.adopt(self)
    }
}
