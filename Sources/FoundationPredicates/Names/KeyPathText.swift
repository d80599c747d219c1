/// A class that provides names of its computed properties, which Swift's runtime does not.
package protocol KeyPathNaming {
    /// The name for a key path that starts at the class, such as `owner.name`; `nil` for an unknown one.
    static func name(of keyPath: AnyKeyPath) -> String?
}

/// Determines the names of Swift key paths, where possible.
package enum KeyPathText {
    /// Returns `a.b` for a key path through stored properties of final classes, or through properties that their class
    /// names; otherwise `nil`.
    package static func text(of keyPath: AnyKeyPath) -> String? {
        if let text = keyPath._kvcKeyPathString { return text }
        if let root = type(of: keyPath).rootType as? any KeyPathNaming.Type, let name = root.name(of: keyPath) {
            return name
        }
        // `\Person.owner?.name`: the class, then the names of the properties.
        let description = keyPath.debugDescription
        guard description.hasPrefix("\\") else { return nil }
        let names = description.dropFirst().split(separator: ".").dropFirst()
            .map { String($0.filter { $0 != "?" && $0 != "!" }) }
        return !names.isEmpty && names.allSatisfy(isName) ? names.joined(separator: ".") : nil
    }

    private static func isName(_ text: String) -> Bool {
        guard let first = text.first, first.isLetter || first == "_" else { return false }
        return text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
}
