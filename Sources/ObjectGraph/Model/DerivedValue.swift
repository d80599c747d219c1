/// The computation of one derived attribute: its expression with all names resolved in the model.
package struct DerivedValue: Sendable {
    package enum Kind: Sendable, Hashable {
        case now
        case value(ScalarFunction?)
        case count
        case sum
    }

    package let kind: Kind
    /// The relationships of the path from the attribute's entity, in order. Only those of counts and sums may be
    /// to-many.
    package let hops: [EntityRelationship]
    /// The value read at the end of the path; `nil` for the time and for counts.
    package let source: Source?
    /// The length of the longest chain of derived attributes that this one depends on. Attributes with a smaller depth
    /// are computed first.
    package let depth: Int

    package struct Source: Sendable {
        package let attribute: EntityAttribute
        /// The attribute itself, or a part of a composite one.
        package let leaf: Attribute
        /// The position of the leaf in the attribute.
        package let position: Int
    }
}

extension Model {
    /// - Parameter attribute: A derived attribute of the entity.
    /// - Throws: `DerivationError` for an expression that no store can compute.
    package func derivedValue(
        of attribute: EntityAttribute, _ entity: Entity
    ) throws(DerivationError) -> DerivedValue {
        try DerivationResolver(model: self, entity: entity, attribute: attribute, users: []).value()
    }
}

/// Resolves the names of one expression.
private struct DerivationResolver {
    let model: Model
    let entity: Entity
    let attribute: EntityAttribute
    /// The derived attributes that depend on this one, the nearest last.
    let users: [Declared]

    struct Declared: Hashable {
        let entityIndex: Int
        let name: String

        init(_ attribute: EntityAttribute) {
            entityIndex = attribute.declaringIndex
            name = attribute.name
        }
    }

    func value() throws(DerivationError) -> DerivedValue {
        guard attribute.attribute.derivationFilter == nil else { throw error(.filtered) }
        guard attribute.attribute.type != .composite, !attribute.attribute.allowsExternalStorage else {
            throw error(.unsuitableType)
        }
        switch attribute.attribute.derivation.flatMap(Derivation.init) {
        case .now?: return try now()
        case .value(let path, let change)?: return try value(path, change)
        case .count(let path)?: return try count(path)
        case .sum(let path)?: return try sum(path)
        case nil: throw error(.notUnderstood)
        }
    }

    // MARK: Kinds

    private func now() throws(DerivationError) -> DerivedValue {
        guard type == .date else { throw error(.unsuitableType) }
        return DerivedValue(kind: .now, hops: [], source: nil, depth: 0)
    }

    private func value(_ path: [String], _ change: ScalarFunction?) throws(DerivationError) -> DerivedValue {
        let (hops, rest) = try hops(path)
        if let many = hops.first(where: { !$0.isToOne }) { throw error(.crossesToMany(many.name)) }
        let source = try source(rest, of: hops)
        let fits = change == nil ? type.holds(source.leaf.type) : type == .string && source.leaf.type == .string
        guard fits else { throw error(.unsuitableType) }
        return DerivedValue(kind: .value(change), hops: hops, source: source, depth: try depth(source, hops))
    }

    private func count(_ path: [String]) throws(DerivationError) -> DerivedValue {
        let (hops, rest) = try hops(path)
        if let property = rest.first { throw error(.unknownRelationship(property)) }
        try checkMembers(hops)
        guard type.isNumber else { throw error(.unsuitableType) }
        return DerivedValue(kind: .count, hops: hops, source: nil, depth: 0)
    }

    private func sum(_ path: [String]) throws(DerivationError) -> DerivedValue {
        let (hops, rest) = try hops(path)
        try checkMembers(hops)
        let source = try source(rest, of: hops)
        guard type.isNumber, source.leaf.type.isNumber || source.leaf.type == .boolean else {
            throw error(.unsuitableType)
        }
        return DerivedValue(kind: .sum, hops: hops, source: source, depth: try depth(source, hops))
    }

    private func checkMembers(_ hops: [EntityRelationship]) throws(DerivationError) {
        guard hops.contains(where: { !$0.isToOne }) else { throw error(.lacksToMany) }
    }

    // MARK: Paths

    /// Returns the relationships at the beginning of a path, and the remaining names.
    private func hops(_ path: [String]) throws(DerivationError) -> ([EntityRelationship], ArraySlice<String>) {
        var (owner, hops, rest) = (entity, [EntityRelationship](), path[...])
        while let name = rest.first, let relationship = owner.relationship(named: name) {
            guard !relationship.relationship.isTransient else { throw error(.notStored(name)) }
            hops.append(relationship)
            owner = model.destination(of: relationship)
            rest = rest.dropFirst()
        }
        return (hops, rest)
    }

    private func source(
        _ path: ArraySlice<String>, of hops: [EntityRelationship]
    ) throws(DerivationError) -> DerivedValue.Source {
        guard let name = path.first else { throw error(.endsAtRelationship) }
        guard let found = owner(after: hops).attribute(named: name),
            let positions = found.attribute.leafPositions(at: path.dropFirst())
        else { throw error(.unknownAttribute(path.joined(separator: "."))) }
        guard positions.count == 1, let leaf = found.attribute.leaves.dropFirst(positions.lowerBound).first else {
            throw error(.unsuitableType)
        }
        guard !found.attribute.isTransient, !leaf.isTransient else { throw error(.notStored(name)) }
        // A value in an external file is not in the row.
        guard !leaf.allowsExternalStorage else { throw error(.unsuitableType) }
        return DerivedValue.Source(attribute: found, leaf: leaf, position: positions.lowerBound)
    }

    private func owner(after hops: [EntityRelationship]) -> Entity { hops.last.map(model.destination) ?? entity }

    /// Returns one more than the depth of the source if that is derived, otherwise 0. Refuses cycles.
    private func depth(_ source: DerivedValue.Source, _ hops: [EntityRelationship]) throws(DerivationError) -> Int {
        guard source.attribute.attribute.isDerived else { return 0 }
        let users = users + [Declared(attribute)]
        guard !users.contains(Declared(source.attribute)) else { throw error(.circular) }
        let resolver = DerivationResolver(
            model: model, entity: owner(after: hops), attribute: source.attribute, users: users)
        return try resolver.value().depth + 1
    }

    private var type: AttributeType { attribute.attribute.type }

    private func error(_ problem: DerivationError.Problem) -> DerivationError {
        DerivationError(
            entity: entity.name, attribute: attribute.name, expression: attribute.attribute.derivation ?? "",
            problem: problem)
    }
}

extension AttributeType {
    fileprivate var isWhole: Bool { self == .integer16 || self == .integer32 || self == .integer64 }

    fileprivate var isNumber: Bool { isWhole || self == .double || self == .float || self == .decimal }

    /// Whether a value stored for the other type is also one of this type.
    fileprivate func holds(_ other: AttributeType) -> Bool {
        self == other || isWhole && other.isWhole || isNumber && !isWhole && other.isNumber
    }
}
