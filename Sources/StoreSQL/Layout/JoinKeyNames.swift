import ObjectGraph

/// Names of the key columns of join tables in a new file.
///
/// The column with an entity's key is named after the inverse relationship, so two relationships of one entity whose
/// inverses have equal names need the same column name. Apple's files make them unique per entity whose key they hold,
/// across tables: the relationship whose other entity comes first by name gets the plain name, the next one the number 1.
struct JoinKeyNames {
    private var names: [PropertyKey: String] = [:]

    init(_ model: Model, _ numbers: EntityNumbers) {
        for index in numbers.order {
            var naming = ColumnNaming(reserved: [])
            for relationship in Self.joined(of: model[index], in: model) {
                guard let inverse = model.inverse(of: relationship) else { continue }
                names[relationship.propertyKey] = naming.claim(
                    ColumnNaming.join(inverse.name, number: numbers[index]))
            }
        }
    }

    /// The many-to-many relationships that an entity declares, in the order in which their columns are named.
    private static func joined(of entity: Entity, in model: Model) -> [EntityRelationship] {
        func other(_ relationship: EntityRelationship) -> String {
            model.inverse(of: relationship).map { model[$0.declaringIndex].name } ?? ""
        }
        return entity.relationships.filter { relationship in
            relationship.declaringIndex == entity.index && !relationship.isToOne
                && !relationship.relationship.isTransient
                && model.inverse(of: relationship)?.isToOne == false
        }.sorted { left, right in
            let (first, second) = (other(left), other(right))
            return first == second ? left.name.precedesByBytes(right.name) : first.precedesByBytes(second)
        }
    }

    /// The column with the key of the relationship's owner.
    package func ownerColumn(of relationship: EntityRelationship) -> String { names[relationship.propertyKey] ?? "" }
}
