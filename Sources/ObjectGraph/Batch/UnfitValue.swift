/// A computed value that an attribute cannot store. Nothing was written.
package struct UnfitValue: Error, Hashable, CustomStringConvertible {
    package let entity: String
    /// The property, or several if it is not known which one.
    package let properties: [String]

    package init(entity: String, properties: [String]) {
        self.entity = entity
        self.properties = properties
    }

    package var description: String {
        let names = properties.map { "'\(entity).\($0)'" }.joined(separator: " or ")
        return
            "A value computed for \(names) is not of the attribute's type, or out of its range; nothing was updated. "
            + "Compute others, or leave those rows out."
    }
}
