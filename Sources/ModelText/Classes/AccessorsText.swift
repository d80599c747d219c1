/// The functions that add members to a to-many relationship and remove them.
struct AccessorsText {
    let name: String
    let destination: String

    /// The name with an initial capital, as in `addToItems`.
    private var title: String { name.prefix(1).uppercased() + name.dropFirst() }

    var unordered: String { platforms(members) }
    var ordered: String { platforms(places + orderedMembers) }

    private struct Function {
        let selector: String
        let declaration: String
        /// The implementation for platforms without Objective-C.
        let body: String
    }

    private func platforms(_ functions: [Function]) -> String {
        let managed = functions.map { "@objc(\($0.selector))\n@NSManaged public func \($0.declaration)" }
        let plain = functions.map { "public func \($0.declaration) {\n    \($0.body)\n}" }
        return """
            #if canImport(ObjectiveC)
            \(managed.joined(separator: "\n\n"))
            #else
            \(plain.joined(separator: "\n\n"))
            #endif
            """
    }

    private var members: [Function] {
        let set = "mutableSetValue(forKey: \"\(name)\")"
        return [
            Function(
                selector: "add\(title)Object:", declaration: "addTo\(title)(_ value: \(destination))",
                body: "\(set).add(value)"),
            Function(
                selector: "remove\(title)Object:", declaration: "removeFrom\(title)(_ value: \(destination))",
                body: "\(set).remove(value)"),
            Function(
                selector: "add\(title):", declaration: "addTo\(title)(_ values: NSSet)",
                body: "let members = \(set)\n    for value in values { members.add(value) }"),
            Function(
                selector: "remove\(title):", declaration: "removeFrom\(title)(_ values: NSSet)",
                body: "let members = \(set)\n    for value in values { members.remove(value) }"),
        ]
    }

    private var list: String { "mutableOrderedSetValue(forKey: \"\(name)\")" }

    private var orderedMembers: [Function] {
        [
            Function(
                selector: "add\(title)Object:", declaration: "addTo\(title)(_ value: \(destination))",
                body: "\(list).add(value)"),
            Function(
                selector: "remove\(title)Object:", declaration: "removeFrom\(title)(_ value: \(destination))",
                body: "\(list).remove(value)"),
            Function(
                selector: "add\(title):", declaration: "addTo\(title)(_ values: NSOrderedSet)",
                body: "\(list).addObjects(from: values.array)"),
            Function(
                selector: "remove\(title):", declaration: "removeFrom\(title)(_ values: NSOrderedSet)",
                body: "\(list).removeObjects(in: values.array)"),
        ]
    }

    private var places: [Function] {
        [
            Function(
                selector: "insertObject:in\(title)AtIndex:",
                declaration: "insertInto\(title)(_ value: \(destination), at idx: Int)",
                body: "\(list).insert(value, at: idx)"),
            Function(
                selector: "removeObjectFrom\(title)AtIndex:", declaration: "removeFrom\(title)(at idx: Int)",
                body: "\(list).removeObject(at: idx)"),
            Function(
                selector: "insert\(title):atIndexes:",
                declaration: "insertInto\(title)(_ values: [\(destination)], at indexes: NSIndexSet)",
                body: "\(list).insert(values, at: IndexSet(indexes))"),
            Function(
                selector: "remove\(title)AtIndexes:", declaration: "removeFrom\(title)(at indexes: NSIndexSet)",
                body: "\(list).removeObjects(at: IndexSet(indexes))"),
            Function(
                selector: "replaceObjectIn\(title)AtIndex:withObject:",
                declaration: "replace\(title)(at idx: Int, with value: \(destination))",
                body: "\(list).replaceObject(at: idx, with: value)"),
            Function(
                selector: "replace\(title)AtIndexes:with\(title):",
                declaration: "replace\(title)(at indexes: NSIndexSet, with values: [\(destination)])",
                body: "\(list).replaceObjects(at: IndexSet(indexes), with: values)"),
        ]
    }
}
