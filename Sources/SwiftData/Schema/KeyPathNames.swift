extension ModelType {
    /// The name of the property at a key path: `name`, or `name.part` for a part of a composite; `nil` if it cannot be
    /// determined.
    ///
    /// If the runtime does not identify an inherited property written with a subclass as root, its value type does,
    /// provided that no other inherited property has the same type.
    func propertyName(of keyPath: AnyKeyPath) -> String? {
        if let property = anyProperty(at: keyPath) { return property.name }
        if let path = compositePath(of: keyPath) { return path }
        guard let superType, keyPath.rootMatches(type) else { return nil }
        let valueType = Swift.type(of: keyPath).valueType
        let candidates = superType.allProperties.filter { $0.valueType == valueType }
        return candidates.count == 1 ? candidates.first?.name : nil
    }

    /// A longer key path is printed as the shorter one that it begins with, a dot, and the names of the stored fields.
    private func compositePath(of keyPath: AnyKeyPath) -> String? {
        let text = keyPath.debugDescription
        for property in allProperties {
            let head = property.keyPath.debugDescription
            for link in [".", "?.", "!."] where text.hasPrefix(head + link) {
                let tail = text.dropFirst(head.count + link.count)
                let parts = tail.split(separator: ".").map { $0.filter { $0 != "?" && $0 != "!" } }
                guard parts.allSatisfy({ !$0.contains("<") && !$0.isEmpty }) else { continue }
                return ([property.name] + parts).joined(separator: ".")
            }
        }
        return nil
    }
}

extension AnyKeyPath {
    fileprivate func rootMatches(_ modelType: any PersistentModel.Type) -> Bool {
        ObjectIdentifier(type(of: self).rootType) == ObjectIdentifier(modelType)
    }
}
