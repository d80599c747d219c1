extension Graph {
    /// Returns all violations of the model's rules by the changes to save: missing values, minimum counts and others.
    /// - Throws: Errors of reading members to count them.
    package func validationErrors() throws -> [ValidationError] {
        var errors = try deniedDeletes()
        for record in unsaved.inserted where !record.isDeleted { try append(errorsOf: record, to: &errors) }
        for record in unsaved.updated { try append(errorsOf: record, to: &errors) }
        return errors
    }

    private func append(errorsOf record: Record, to errors: inout [ValidationError]) throws {
        let entity = record.entity
        let refused = record.refusedProperties
        for property in refused.sorted() { errors.append(.unwritableValue(record.id, property: property)) }
        for (position, slots) in entity.mandatorySlots.enumerated() where record.isNull(slots) {
            let name = entity.mandatoryAttributes[position].name
            if !refused.contains(name) { errors.append(.missingValue(record.id, property: name)) }
        }
        for relationship in entity.countedRelationships {
            if let error = try error(of: relationship, in: record) { errors.append(error) }
        }
    }

    private func error(of relationship: EntityRelationship, in record: Record) throws -> ValidationError? {
        if let slot = relationship.slot {
            return record.value(slot).isNull ? .missingValue(record.id, property: relationship.name) : nil
        }
        guard let index = relationship.toManyIndex, record.isInserted || record.members(index).isEdited else {
            return nil
        }
        try readMembers(of: relationship, owners: [record])
        let count = memberIDs(of: record, relationship).count
        return switch relationship.relationship.fault(ofCount: count) {
        case .tooFew(let minimum):
            .tooFew(record.id, relationship: relationship.name, count: count, minimum: minimum)
        case .tooMany(let maximum):
            .tooMany(record.id, relationship: relationship.name, count: count, maximum: maximum)
        case nil: nil
        }
    }
}

extension Attribute {
    /// Whether a save refuses nil. All leaves of a composite may be nil.
    var requiresValue: Bool { !isOptional && !isTransient && !isDerived && type != .composite }
}
