import ObjectGraph

extension SaveRun: InverseMaintenance {
    var model: Model { rows.model }

    func rows(
        referencing destination: ObjectID, along relationship: EntityRelationship, declaredIn entityIndex: Int,
        except kept: Value
    ) throws -> [ObjectID] {
        let (wanted, kept) = (rows.name(of: destination), rows.name(kept))
        return rows.referencingRows(of: relationship) { $0 == wanted }.filter { $0 != kept }.compactMap(rows.id)
    }

    func rows(
        _ keys: KeySet, notReferencedBackAlong relationship: EntityRelationship, _ entityIndex: Int
    ) throws -> [Int64] {
        guard let slot = relationship.slot, let back = model.inverse(of: relationship)?.slot else { return [] }
        return keys.keys.filter { key in
            let name = RowName(rootIndex: model[entityIndex].rootIndex, key: key)
            guard let destination = rows[name].flatMap({ rows.name($0.values[slot]) }) else { return false }
            return rows[destination].flatMap { rows.name($0.values[back]) } != name
        }
    }

    var lateReading: Rows { rows }

    mutating func setLink(
        _ relationship: EntityRelationship, of id: ObjectID, to destination: ObjectID?
    ) throws -> Bool {
        guard let name = rows.name(of: id), let row = rows[name], let slot = relationship.slot else { return false }
        let version = RowVersion.next(after: row.version)
        rows.setReference(relationship, of: name, to: destination)
        rows[name]?.version = version
        saved.adjusted.append(
            .init(id: id, relationshipIndex: relationship.index, destination: destination, version: version))
        // The history of a new row needs no changes besides its insertion.
        if !isNew(id) { rows.history.noteUpdate(of: id, model[row.entityIndex], slots: [slot]) }
        return true
    }
}
