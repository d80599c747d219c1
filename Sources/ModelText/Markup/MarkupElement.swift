/// An XML element: its name, attributes, children, and line.
package struct MarkupElement: Sendable {
    package var name: String
    package var attributes: [String: String]
    package var children: [MarkupElement]
    /// The text between the element's tags, if the reader keeps texts; empty for elements with children.
    package var text = ""
    /// Counted from 1; 0 for elements that do not come from a file.
    package var line: Int

    package init(_ name: String, _ attributes: [String: String] = [:], children: [MarkupElement] = [], line: Int = 0) {
        self.name = name
        self.attributes = attributes
        self.children = children
        self.line = line
    }

    package func children(named name: String) -> [MarkupElement] {
        children.filter { $0.name == name }
    }
}

/// The line does not count for equality.
extension MarkupElement: Hashable {
    package static func == (lhs: MarkupElement, rhs: MarkupElement) -> Bool {
        lhs.name == rhs.name && lhs.attributes == rhs.attributes && lhs.children == rhs.children
            && lhs.text == rhs.text
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(attributes)
        hasher.combine(children)
        hasher.combine(text)
    }
}
