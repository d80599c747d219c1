extension Model {
    /// Refuses constraints on properties without a column. Ignoring such a property would treat objects as equal that
    /// differ only in it.
    /// - Throws: `ModelError.unsuitableConstraintProperty`.
    package func checkUniqueness() throws {
        for entity in entities {
            for path in entity.uniquenessConstraints.joined() where !entity.hasColumn(at: path) {
                throw ModelError.unsuitableConstraintProperty(entity: entity.name, property: path)
            }
        }
    }
}

extension Entity {
    fileprivate func hasColumn(at path: String) -> Bool {
        let names = path.split(separator: ".").map(String.init)
        guard let first = names.first else { return false }
        if let relationship = relationship(named: first) {
            return names.count == 1 && relationship.isToOne && !relationship.relationship.isTransient
        }
        guard let attribute = attribute(named: first)?.attribute, !attribute.isTransient else { return false }
        return attribute.leafPositions(at: names.dropFirst()) != nil
    }
}
