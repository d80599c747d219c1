import Foundation
import ObjectGraph
import StoreSQL

extension StoreChecker {
    /// A cell that refers to an external file.
    struct FileReference {
        let row: ObjectID
        /// `nil` if the cell contains no valid file name.
        let name: String?
    }

    /// The column of one attribute whose values may be in files.
    struct FileColumn {
        let entity: Entity
        let property: String
        let references: [FileReference]
    }

    /// Finds references to missing files, and files that no row refers to.
    func fileFaults() throws -> [StoreFinding] {
        let present = try externalData?.storedFileNames() ?? []
        let columns = try fileColumns()
        var findings = columns.compactMap { column -> StoreFinding? in
            let lost = column.references.filter { reference in !(reference.name.map(present.contains) ?? false) }
            if lost.isEmpty { return nil }
            return StoreFinding(
                .missingFile, .error, entity: column.entity.name, property: column.property, count: lost.count,
                examples: lost.map(\.row))
        }
        let orphans = present.subtracting(columns.flatMap { $0.references.compactMap(\.name) })
            .subtracting(try ArchivedFile.allNames(connection))
        if !orphans.isEmpty {
            findings.append(StoreFinding(.orphanFile, .warning, entity: nil, count: orphans.count))
        }
        return findings
    }

    /// Returns every column with file references, whatever entity the row claims: a file is in use as long as any cell
    /// refers to it.
    func fileColumns() throws -> [FileColumn] {
        try layout.entities.flatMap { entity in
            try entity.attributes.filter { $0.declaringIndex == entity.index }.flatMap { attribute in
                try attribute.slots.compactMap { slot -> FileColumn? in
                    guard let column = map.entities[entity.index].columns[slot], column.isExternal else { return nil }
                    return FileColumn(
                        entity: entity, property: entity.propertyName(ofSlot: slot),
                        references: try references(map.entities[entity.index].table, column.name, entity))
                }
            }
        }
    }

    /// Tests the length first, so that SQLite does not read the rest of a long cell.
    private func references(_ table: String, _ column: String, _ entity: Entity) throws -> [FileReference] {
        let sql =
            "SELECT r.\(SystemTables.keyColumn), r.\(SystemTables.entityColumn), r.\(column) FROM \(table) r "
            + "WHERE length(r.\(column)) <= \(ExternalData.longestFileCell) "
            + "AND substr(r.\(column), 1, 1) = \(ExternalData.fileTagLiteral) ORDER BY r.\(SystemTables.keyColumn)"
        return try connection.withStatement(sql) { statement in
            var references: [FileReference] = []
            while try statement.step() {
                references.append(
                    FileReference(
                        row: id(key: statement.integer(at: 0), number: statement.integer(at: 1), entity),
                        name: ExternalData.fileName(in: statement.bytes(at: 2))))
            }
            return references
        }
    }
}
