import ObjectGraph

extension SaveRun: InsertionWriting {
    func row(with key: UniqueKey<UniqueConstraint>) throws -> ObjectID? {
        let equal = rows.rows(with: key.values.map(ValueKey.init), of: key.constraint)
        return equal.first { $0.row.entityIndex == key.entityIndex }.map { rows.id($0.row, $0.name) }
    }
}

extension SaveRun: InverseMaintenance {
    var model: Model { rows.model }

    func rows(
        referencing destination: ObjectID, along relationship: EntityRelationship, declaredIn entityIndex: Int,
        except kept: ObjectID?
    ) throws -> [ObjectID] {
        let (wanted, kept) = (rows.name(of: destination), kept.flatMap(rows.name))
        return rows.referencingRows(of: relationship) { $0 == wanted }.filter { $0 != kept }.compactMap(rows.id)
    }

    func rows(
        _ keys: KeySet, notReferencedBackAlong relationship: EntityRelationship, _ entityIndex: Int
    ) throws -> [Int64] {
        guard let inverse = model.inverse(of: relationship) else { return [] }
        return keys.keys.filter { key in
            let name = RowName(rootIndex: model[entityIndex].rootIndex, key: key)
            guard let destination = rows[name].flatMap({ rows.target(relationship, of: $0) }) else { return false }
            return rows[destination].flatMap { rows.target(inverse, of: $0) } != name
        }
    }

    var lateReading: Rows { rows }

    mutating func setLink(
        _ relationship: EntityRelationship, of id: ObjectID, to destination: ObjectID?
    ) throws -> Bool {
        guard let name = rows.name(of: id), let row = rows[name] else { return false }
        let version = RowVersion.next(after: row.version)
        rows.setReference(relationship, of: name, to: destination)
        rows[name]?.version = version
        saved.adjusted.append(
            .init(id: id, relationshipIndex: relationship.index, destination: destination, version: version))
        // The history of a new row needs no changes besides its insertion.
        if !isNew(id), let slot = relationship.slot {
            rows.history.noteUpdate(of: id, model[row.entityIndex], slots: [slot])
        }
        return true
    }
}
