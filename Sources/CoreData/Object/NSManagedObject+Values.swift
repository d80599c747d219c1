import Foundation
import ObjectGraph

/// Values by name.
extension NSManagedObject {
    // MARK: Reading

    /// Returns the value for a key path, which follows to-one relationships, and to-many relationships to the values of all
    /// members.
    /// - Parameter keyPath: names separated by dots, which may contain an operator (`lines.@count`).
    public func value(forKeyPath keyPath: String) -> Any? {
        KeyPathReading.value(of: self, keyPath)
    }

    /// Returns the value of a property without notifying the object of the access. A fault fires first.
    /// - Parameter key: the name of the property.
    public func primitiveValue(forKey key: String) -> Any? {
        guard let place = table[key] else { return unmodeledValue(forKey: key) }
        return primitiveValue(place)
    }

    final func primitiveValue(_ place: PropertyPlace) -> Any? {
        if record.isFault { willRead(place) }
        return currentValue(place)
    }

    /// The properties of every managed object, beside those of its entity.
    /// - Returns: `nil` for any other key; the found value may be nil itself.
    final func commonValue(forKey key: String) -> Any?? {
        switch key {
        case "self": self
        case "objectID": objectID
        case "entity": entity
        case "managedObjectContext": .some(managedObjectContext)
        case "isInserted": NSNumber(value: isInserted)
        case "isUpdated": NSNumber(value: isUpdated)
        case "isDeleted": NSNumber(value: isDeleted)
        case "isFault": NSNumber(value: isFault)
        case "hasChanges": NSNumber(value: hasChanges)
        case "hasPersistentChangedValues": NSNumber(value: hasPersistentChangedValues)
        default: nil
        }
    }

    final func currentValue(_ place: PropertyPlace) -> Any? {
        switch place {
        case .attribute(let place): attributeValue(place)
        case .toOne(let relationship): destination(relationship)
        case .toMany(let relationship): members(relationship)
        case .fetched(let property): managedObjectContext?.fetchedValue(of: property, source: self)
        }
    }

    final func attributeValue(_ place: AttributePlace) -> Any? {
        if place.isPlain { return AttributeCoding.any(record.value(place.slot), place.type) }
        let mark = record.value(place.slot)
        if let loose = valuesOutsideSlots[place.slot], loose.mark == mark { return loose.object }
        if place.isOutsideSlot { return nil }
        let value = AttributeCoding.any(record.values(place.attribute.slots), of: place.attribute.attribute)
        if place.type == .transformable, let value {
            valuesOutsideSlots[place.slot] = ValueOutsideSlot(object: value, mark: mark)
        }
        return value
    }

    // MARK: Writing

    /// Sets the value for a key path: the last name is that of a property of the object that the rest refers to.
    /// - Parameters:
    ///   - value: the value.
    ///   - keyPath: names separated by dots. If the rest refers to no object, nothing is set.
    public func setValue(_ value: Any?, forKeyPath keyPath: String) {
        var parts = keyPath.split(separator: ".").map(String.init)
        guard let last = parts.popLast() else { return }
        let owner = parts.isEmpty ? self : self.value(forKeyPath: parts.joined(separator: ".")) as? NSManagedObject
        owner?.setValue(value, forKey: last)
    }

    /// Sets the value of a property without notifying the object: it is no change, is not saved for itself, and the other end of a
    /// relationship stays unchanged.
    ///
    /// Between `willChangeValue(forKey:)` and `didChangeValue(forKey:)` it is an ordinary edit.
    /// - Parameters:
    ///   - value: the value.
    ///   - key: the name of the property.
    public func setPrimitiveValue(_ value: Any?, forKey key: String) {
        guard let place = table[key] else { return setUnmodeledValue(value, forKey: key) }
        setPrimitiveValue(value, place, key)
    }

    final func setPrimitiveValue(_ value: Any?, _ place: PropertyPlace, _ key: String) {
        if record.isFault { willRead() }
        setUnnoticed(value, place, key)
    }

    /// Sets properties to the values of a dictionary.
    /// - Parameter keyedValues: the values by name.
    public func setValuesForKeys(_ keyedValues: [String: Any]) {
        for (key, value) in keyedValues { setValue(value, forKey: key) }
    }

    /// Returns the values of properties as a dictionary, with `NSNull` for nil.
    /// - Parameter keys: the names of the properties.
    public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
        Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }) { first, _ in first }
    }

    final func set(_ value: Any?, _ place: PropertyPlace, _ key: String) {
        if isAwakening { return setUnnoticed(value, place, key) }
        if givenSlots != nil, !place.isAttribute {
            return refuse(value, key, "nothing, as a batch insert sets attributes only")
        }
        switch place {
        case .attribute(let place): setAttribute(value, place)
        case .toOne(let relationship): setDestination(value, relationship)
        case .toMany(let relationship): setMembers(value, relationship)
        case .fetched: refuse(value, key, "nothing, as it is fetched")
        }
    }

    private func setAttribute(_ value: Any?, _ place: AttributePlace) {
        guard let values = values(for: value, place) else { return refuse(value, place.name, place.description.wanted) }
        noteAccepted(place)
        for (slot, value) in zip(place.attribute.slots, values) { record.setValue(value, at: slot) }
        if place.isOutsideSlot { noteValueOutsideSlot(at: place.slot) }
        storeOutsideSlot(value, place)
    }

    /// Sets an attribute to a value in the engine's form.
    @inline(__always)
    final func setPlain(_ value: Value, _ place: AttributePlace) {
        noteAccepted(place)
        record.setValue(value, at: place.slot)
    }

    /// Records that the attribute accepts a value of its type.
    @inline(__always)
    private func noteAccepted(_ place: AttributePlace) {
        if !refusedValues.isEmpty { refusedValues[place.name] = nil }
        givenSlots?.append(contentsOf: place.attribute.slots)
    }

    private func setUnnoticed(_ value: Any?, _ place: PropertyPlace, _ key: String) {
        switch place {
        case .attribute(let place):
            guard let values = values(for: value, place) else {
                return refuse(value, place.name, place.description.wanted)
            }
            noteAccepted(place)
            for (slot, value) in zip(place.attribute.slots, values) { record.setUnnoticed(value, at: slot) }
            storeOutsideSlot(value, place)
        case .toOne(let relationship):
            guard let slot = relationship.slot else { return }
            let destination = (value as? NSManagedObject)?.record.id
            record.setUnnoticed(destination.map(Value.reference) ?? .null, at: slot)
        case .toMany(let relationship): isAwakening ? wake(relationship, with: value) : setMembers(value, relationship)
        case .fetched: refuse(value, key, "nothing, as it is fetched")
        }
    }

    /// Copies an attribute in its stored form, whether or not this program can convert it. Both attributes have the same type.
    final func copyValues(of theirs: AttributePlace, from other: NSManagedObject, _ own: AttributePlace) {
        if other.record.isFault { other.willRead() }
        for (from, to) in zip(theirs.attribute.slots, own.attribute.slots) {
            record.setUnnoticed(other.record.value(from), at: to)
        }
        valuesOutsideSlots[own.slot] = nil
    }

    final func values(for value: Any?, _ place: AttributePlace) -> [Value]? {
        guard place.isOutsideSlot else { return AttributeCoding.values(value, of: place.attribute.attribute) }
        guard value != nil, !(value is NSNull) else { return [.null] }
        // A new mark each time, so that the change is detected.
        return [.integer(Int64(bitPattern: UInt64.random(in: .min ... .max)))]
    }

    private func storeOutsideSlot(_ value: Any?, _ place: AttributePlace) {
        guard place.isOutsideSlot || place.type == .transformable else { return }
        if let value, !(value is NSNull) {
            valuesOutsideSlots[place.slot] = ValueOutsideSlot(object: value, mark: record.value(place.slot))
        } else {
            valuesOutsideSlots[place.slot] = nil
        }
    }

    /// The message does not contain the value, which may be personal data.
    final func refuse(_ value: Any?, _ key: String, _ wanted: String) {
        let given = value.map { String(describing: type(of: $0)) } ?? "nil"
        let text =
            "Unacceptable type of value for '\(entity.name ?? "").\(key)'; desired type = \(wanted); given type = \(given)."
        refuse(key, text)
    }

    /// Refuses to assign an object with a permanent identifier to another store.
    final func refuseStore() {
        refuse("objectID", "An object that is in a store cannot be assigned to another one; insert a copy of it there.")
    }

    private func refuse(_ key: String, _ text: String) {
        refusedValues[key] = text
        CoreDataLog.logger.error("\(text)")
        // An empty edit, so that the next save reports the refusal.
        if !record.isInserted { record.beginEdit() }
    }
}

extension NSAttributeDescription {
    /// The kind of value, for messages.
    var wanted: String { attributeValueClassName ?? "\(attributeType)" }
}
