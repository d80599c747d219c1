import Foundation
import ObjectGraph

extension StoreChecker {
    /// A cell that says its value is in a file.
    struct FileReference {
        let row: ObjectID
        /// `nil` where the cell names no file properly.
        let name: String?
    }

    /// The cells of one attribute whose values are in files.
    struct FileColumn {
        let entity: Entity
        let property: String
        let references: [FileReference]
    }

    /// Values whose file is not there, and files that belong to no row.
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
            .subtracting(try KeptFile.allNames(connection))
        if !orphans.isEmpty {
            findings.append(StoreFinding(.orphanFile, .warning, entity: nil, count: orphans.count))
        }
        return findings
    }

    /// Every reference to a file, whatever entity the row says it is of: a file is somebody's until nobody refers to it.
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

    /// The length is looked at first: of a long cell SQLite then reads nothing more.
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
