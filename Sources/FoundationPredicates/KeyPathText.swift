/// A class whose computed properties have names that the run time does not know.
package protocol KeyPathNaming {
    /// `owner.name` for a key path that begins at the class; `nil` for one that is not known.
    static func name(of keyPath: AnyKeyPath) -> String?
}

/// Names of Swift key paths, as far as they can be found out.
package enum KeyPathText {
    /// `a.b` for a key path through stored properties of final classes, and where the class knows the names itself; `nil`
    /// elsewhere.
    package static func text(of keyPath: AnyKeyPath) -> String? {
        if let text = keyPath._kvcKeyPathString { return text }
        if let root = type(of: keyPath).rootType as? any KeyPathNaming.Type, let name = root.name(of: keyPath) {
            return name
        }
        // `\Person.owner?.name`: a class, then the properties' names.
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
