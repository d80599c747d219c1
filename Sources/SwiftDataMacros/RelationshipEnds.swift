import SwiftSyntax

/// The relationship ends that one class declares, judging by syntax. If a relationship's destination is the class
/// itself, both ends may be among them; other classes are not visible.
///
/// An inverse that is not a plain key path, an end that other builds may lack, and an end that is declared twice are
/// ignored.
struct RelationshipEnds {
    let model: ModelClass
    let all: [RelationshipEnd]

    init(of model: ModelClass) {
        self.model = model
        let found = model.certainMembers.compactMap { ModelProperty($0) }.filter { $0.kind == .persisted }
            .map(RelationshipEnd.init)
        let byName = Dictionary(grouping: found, by: \.name)
        all = found.filter { byName[$0.name]?.count == 1 }
    }

    func end(named name: String) -> RelationshipEnd? { all.first { $0.name == name } }

    /// The property that `inverse: \ThisClass.property` names.
    func inverseName(of end: RelationshipEnd) -> String? {
        guard let keyPath = end.annotation?.argument(labeled: "inverse")?.as(KeyPathExprSyntax.self),
            let root = keyPath.root?.as(IdentifierTypeSyntax.self), isThisClass(root),
            keyPath.components.count == 1,
            let component = keyPath.components.first?.component.as(KeyPathPropertyComponentSyntax.self)
        else { return nil }
        let name = component.declName.baseName
        return name.identifier?.name ?? name.text
    }

    func isThisClass(_ type: IdentifierTypeSyntax) -> Bool {
        type.name.text == model.name && type.genericArgumentClause == nil && !hasNestedType(named: model.name)
    }

    private func hasNestedType(named name: String) -> Bool {
        model.possibleMembers.map(\.declaration).contains {
            $0.asProtocol((any NamedDeclSyntax).self)?.name.text == name && !$0.is(FunctionDeclSyntax.self)
        }
    }
}

/// One end of a relationship, judging by syntax; any persisted property may be one.
struct RelationshipEnd {
    let property: ModelProperty
    let annotation: AttributeSyntax?

    init(_ property: ModelProperty) {
        self.property = property
        annotation = property.declaration.attributes.attribute(named: "Relationship")
    }

    var name: String { property.name }

    var isWrittenCollection: Bool {
        guard let type = property.annotatedType else { return false }
        return (type.as(OptionalTypeSyntax.self)?.wrappedType ?? type).is(ArrayTypeSyntax.self)
    }
}
