/// Consumes the attributes and children of an element; those not consumed remain as the rest.
struct ElementFields {
    let element: MarkupElement
    private var rest: DocumentRest

    init(_ element: MarkupElement) {
        self.element = element
        rest = DocumentRest()
        rest.attributes = element.attributes
        rest.children = element.children
    }

    var others: DocumentRest { rest }

    mutating func text(_ key: String) -> String? {
        rest.attributes.removeValue(forKey: key)
    }

    mutating func required(_ key: String) throws(DocumentError) -> String {
        guard let value = text(key) else {
            throw .missingAttribute(key, element: element.name, line: element.line)
        }
        return value
    }

    /// `nil` if the attribute is missing.
    mutating func optionalFlag(_ key: String) throws(DocumentError) -> Bool? {
        guard let value = text(key) else { return nil }
        switch value {
        case "YES": return true
        case "NO": return false
        default: throw unknown(value, key)
        }
    }

    mutating func flag(_ key: String) throws(DocumentError) -> Bool {
        try optionalFlag(key) ?? false
    }

    mutating func count(_ key: String) throws(DocumentError) -> Int? {
        guard let value = text(key) else { return nil }
        guard let number = Int32(value) else { throw unknown(value, key) }
        return Int(number)
    }

    mutating func seconds(_ key: String) throws(DocumentError) -> Double? {
        guard let value = text(key) else { return nil }
        guard let number = Double(value), number.isFinite else { throw unknown(value, key) }
        return number
    }

    func unknown(_ value: String, _ key: String) -> DocumentError {
        .unknownValue(value, attribute: key, element: element.name, line: element.line)
    }

    mutating func children(_ name: String) -> [MarkupElement] {
        let found = rest.children.filter { $0.name == name }
        if !found.isEmpty { rest.children.removeAll { $0.name == name } }
        return found
    }

    /// Names in nested children: `<outer><inner><leaf key="…"/></inner></outer>`.
    mutating func nameLists(_ outer: String, _ inner: String, _ leaf: String) throws(DocumentError) -> [[String]] {
        var lists: [[String]] = []
        for group in children(outer) {
            for list in group.children(named: inner) {
                var names: [String] = []
                for element in list.children(named: leaf) {
                    var fields = ElementFields(element)
                    names.append(try fields.required("value"))
                }
                lists.append(names)
            }
        }
        return lists
    }

    mutating func userInfo() throws(DocumentError) -> [DocumentUserInfo] {
        var entries: [DocumentUserInfo] = []
        for group in children("userInfo") {
            for element in group.children(named: "entry") {
                var fields = ElementFields(element)
                let key = try fields.required("key")
                entries.append(DocumentUserInfo(key: key, value: fields.text("value") ?? ""))
            }
        }
        return entries
    }
}
