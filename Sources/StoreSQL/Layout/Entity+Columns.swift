import ObjectGraph

extension Entity {
    /// The columns of the path `attribute`, `composite`, `composite.part` or `toOne`.
    package func columns(ofPath path: String, in columns: [TableColumn.Role: String]) -> [String] {
        let parts = path.split(separator: ".").map(String.init)
        guard let first = parts.first else { return [] }
        if let relationship = relationship(named: first) {
            return [columns[.key(relationship.propertyKey)]].compactMap { relationship.isToOne ? $0 : nil }
        }
        guard let attribute = attribute(named: first),
            let positions = attribute.attribute.leafPositions(at: parts.dropFirst())
        else { return [] }
        let key = PropertyKey(entityIndex: attribute.declaringIndex, name: attribute.name)
        return positions.compactMap { columns[.leaf(key, $0)] }
    }
}
