/// An element of a model file: its name, its attributes, its children, and where it begins.
package struct MarkupElement: Sendable {
    package var name: String
    package var attributes: [String: String]
    package var children: [MarkupElement]
    /// What stands between the element's tags, where the reader was told to keep it; of elements with others in them it is
    /// nothing.
    package var text = ""
    /// Counted from 1; 0 for elements that come from no file.
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

/// Where an element stands in a file is no part of what it says.
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
