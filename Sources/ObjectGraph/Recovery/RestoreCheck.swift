/// Determines what of archived deletions can be restored, before anything is written:
///
/// 1. A row is left out if its key or its unique values are in use, or one of its files is missing.
/// 2. So is a reference whose destination neither exists nor is restored, or refers to another row by now. If it is
///    mandatory, its row is left out, and then every row that requires that one.
/// 3. A link of a many-to-many relationship is restored if both rows exist or are restored.
/// 4. A survivor regains a reference unless it was deleted or refers to another row by now. It regains members if their
///    references are restored.
package struct RestoreCheck<Archive: ArchiveReading> {
    package let archive: Archive
    /// Rows that are not restored.
    package private(set) var out = RowSet()
    /// Rows that are restored without a reference.
    package private(set) var without: [Archive.Reference: RowSet] = [:]
    /// The survivors that regain each of the archive's `links`.
    package private(set) var relinked: [RowSet] = []
    package private(set) var conflicts: [RestoreConflict] = []

    package init(_ archive: Archive) throws {
        self.archive = archive
        for (reason, rows) in try archive.obstaclesToRows() { leaveOut(rows, reason, nil) }
        let fixed = conflicts
        var formerCount = -1
        while formerCount != out.count {
            formerCount = out.count
            (conflicts, without) = (fixed, [:])
            for reference in archive.references { try check(reference) }
        }
        conflicts += try archive.conflictsOfJoins(without: out)
        try checkLinks()
    }

    private mutating func leaveOut(_ rows: RowSet, _ reason: RestoreConflict.Reason, _ relationship: String?) {
        out.formUnion(rows)
        conflicts += RestoreConflict.all(reason, relationship, rows)
    }

    private mutating func check(_ reference: Archive.Reference) throws {
        let (name, isMandatory) = (archive.name(of: reference), archive.isMandatory(reference))
        for (reason, rows) in try archive.obstacles(
            to: reference, isMandatory ? .mandatory : .optional, without: out)
        {
            if isMandatory {
                leaveOut(rows, reason, name)
            } else {
                let rows = rows.subtracting(out)
                if rows.isEmpty { continue }
                without[reference, default: RowSet()].formUnion(rows)
                conflicts += RestoreConflict.all(reason, name, rows)
            }
        }
    }

    private mutating func checkLinks() throws {
        // Several deletions may have removed a link of one survivor.
        var lost: [(relationship: String?, obstacle: Archive.Obstacle)] = []
        for links in archive.links {
            let survivors = try archive.survivors(of: links, without: out)
            relinked.append(survivors.reduce(into: RowSet()) { if $1.reason == nil { $0.formUnion($1.rows) } })
            // The references of the members are judged instead of a list.
            if archive.isList(links) { continue }
            let name = archive.name(of: links)
            for case (let reason?, let rows) in survivors {
                if let place = lost.firstIndex(where: { $0.relationship == name && $0.obstacle.reason == reason }) {
                    lost[place].obstacle.rows.formUnion(rows)
                } else {
                    lost.append((name, (reason, rows)))
                }
            }
        }
        conflicts += lost.flatMap { RestoreConflict.all($0.obstacle.reason, $0.relationship, $0.obstacle.rows) }
        for (place, links) in archive.links.enumerated() where archive.isList(links) {
            relinked[place] = relinked[place].intersection(try archive.owners(regaining: links, self))
        }
    }
}

extension RestoreConflict {
    /// Returns one conflict for each entity of the rows.
    fileprivate static func all(_ reason: Reason, _ relationship: String?, _ rows: RowSet) -> [RestoreConflict] {
        rows.keysBySpace.sorted { $0.key.number < $1.key.number }.map { space, keys in
            RestoreConflict(
                reason: reason, entity: space.entityName, relationship: relationship, count: keys.count,
                examples: keys.prefix(exampleCount).keys.map { ObjectID(space: space, key: $0) })
        }
    }
}
