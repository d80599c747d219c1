import Foundation
import ObjectGraph

/// Backing data over the engine's record. Each call looks up its key path; generated accessors do not use it.
struct DefaultBackingData<Model: PersistentModel>: RecordBackingData {
    let record: Record

    init(record: Record) {
        self.record = record
    }

    init(for modelType: Model.Type) {
        record = _ModelStorage(for: _ModelClass(modelType)).record
    }

    var persistentModelID: PersistentIdentifier? {
        get { PersistentIdentifier(record.id) }
        // Only the engine assigns identifiers.
        set { _ = newValue }
    }

    var metadata: Any { ModelType.of(Model.self).properties.map(\.name) }

    /// A property of the class, or of the object's own class if that is a subclass.
    private func slot(_ keyPath: AnyKeyPath) -> _ModelSlot? {
        slot(keyPath, in: ModelType.of(Model.self))
            ?? (record.object as? any PersistentModel).flatMap { slot(keyPath, in: ModelType.of(type(of: $0))) }
    }

    private func slot(_ keyPath: AnyKeyPath, in type: ModelType) -> _ModelSlot? {
        type.anyProperty(at: keyPath).flatMap { type.slot(named: $0.name) }
    }

    private var storage: _ModelStorage { _ModelStorage(record: record) }

    var _$storage: _ModelStorage? { storage }

    // MARK: Reading

    func getValue<Value>(forKey keyPath: KeyPath<Model, Value>) -> Value where Value: Decodable {
        getTransformableValue(forKey: keyPath)
    }

    func getValue<Value>(forKey keyPath: KeyPath<Model, Value>) -> Value where Value: PersistentModel {
        slot(keyPath).map { storage.borrowed.get($0) } ?? Value.makeDetached()
    }

    func getValue<Value>(forKey keyPath: KeyPath<Model, Value?>) -> Value? where Value: PersistentModel {
        slot(keyPath).flatMap { storage.borrowed.get($0) }
    }

    func getValue<Value, OtherModel>(forKey keyPath: KeyPath<Model, Value>) -> Value
    where Value: RelationshipCollection, OtherModel == Value.PersistentElement {
        members(keyPath, of: OtherModel.self)
    }

    func getValue<Value, OtherModel>(forKey keyPath: KeyPath<Model, Value>) -> Value
    where Value: Decodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement {
        members(keyPath, of: OtherModel.self)
    }

    private func members<Value, Element: PersistentModel>(_ keyPath: KeyPath<Model, Value>, of: Element.Type) -> Value {
        let elements: [Element] = slot(keyPath).map { storage.borrowed.get($0) } ?? []
        if let members = elements as? Value { return members }
        // A class that conforms its own collection to RelationshipCollection, of which no instance can be made.
        fatalError("'\(Model.self)' keeps a to-many relationship in a '\(Value.self)'; use an array of models.")
    }

    func getTransformableValue<Value>(forKey keyPath: KeyPath<Model, Value>) -> Value {
        guard let slot = slot(keyPath) else {
            // A conformance written by hand uses a property that its own metadata lacks.
            fatalError("'\(Model.self)' has no stored property at \(keyPath).")
        }
        return storage.borrowed.getTransformable(slot)
    }

    // MARK: Writing

    func setValue<Value>(forKey keyPath: KeyPath<Model, Value>, to newValue: Value) where Value: Encodable {
        setTransformableValue(forKey: keyPath, to: newValue)
    }

    func setValue<Value>(forKey keyPath: KeyPath<Model, Value>, to newValue: Value) where Value: PersistentModel {
        link(keyPath, [newValue])
    }

    func setValue<Value>(forKey keyPath: KeyPath<Model, Value?>, to newValue: Value?) where Value: PersistentModel {
        link(keyPath, newValue.map { [$0] } ?? [])
    }

    func setValue<Value, OtherModel>(forKey keyPath: KeyPath<Model, Value>, to newValue: Value)
    where Value: RelationshipCollection, OtherModel == Value.PersistentElement {
        link(keyPath, newValue as? [OtherModel] ?? [])
    }

    func setValue<Value, OtherModel>(forKey keyPath: KeyPath<Model, Value>, to newValue: Value)
    where Value: Encodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement {
        link(keyPath, newValue as? [OtherModel] ?? [])
    }

    func setTransformableValue<Value>(forKey keyPath: KeyPath<Model, Value>, to newValue: Value) {
        guard let slot = slot(keyPath), let codec = slot.property.codec else { return }
        guard let leaves = record.leaves(of: newValue, codec, slot) else { return }
        for (offset, leaf) in leaves.enumerated() { record.setValue(leaf, at: slot.first + offset) }
    }

    private func link<D: PersistentModel>(_ keyPath: AnyKeyPath, _ destinations: [D]) {
        guard let slot = slot(keyPath), let relationship = slot.relationship(of: record) else { return }
        let members = destinations.map { Graph.Member($0.record, $0) }
        if let object = record.object {
            Graph.link((record, object), relationship, to: members)
        } else {
            record.deferLink(to: members, relationship.index)
        }
    }
}
