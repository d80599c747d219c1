import Foundation

/// Keys that name no property of the entity.
extension NSManagedObject {
    /// Looks up, in this order: properties of every managed object, the primitive value of a property (`primitiveName` for
    /// `name`), and `value(forUndefinedKey:)`.
    final func unmodeledValue(forKey key: String) -> Any? {
        if let recorder = table.recorder { return recorder.value(of: key, in: self) }
        if let common = commonValue(forKey: key) { return common }
        if let place = primitivePlace(key) { return primitiveValue(place.place) }
        return value(forUndefinedKey: key)
    }

    final func setUnmodeledValue(_ value: Any?, forKey key: String) {
        if table.recorder != nil { return }
        if let place = primitivePlace(key) { return setPrimitiveValue(value, place.place, place.key) }
        setValue(value, forUndefinedKey: key)
    }

    private func primitivePlace(_ key: String) -> (key: String, place: PropertyPlace)? {
        let prefix = "primitive"
        guard key.hasPrefix(prefix), let first = key.dropFirst(prefix.count).first, first.isUppercase else {
            return nil
        }
        let capitalized = String(key.dropFirst(prefix.count))
        let names = [first.lowercased() + capitalized.dropFirst(), capitalized]
        return names.lazy.compactMap { name in self.table[name].map { (name, $0) } }.first
    }
}
