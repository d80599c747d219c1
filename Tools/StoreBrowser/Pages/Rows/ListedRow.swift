import ObjectGraph
import SQLiteStore
import StoreInspection

/// A row of a listing, formatted for the page.
struct ListedRow: Sendable {
    let id: ObjectID
    /// A label made of several values and links, if no single column identifies rows.
    let label: String?
    /// In the order of the columns.
    private(set) var cells: [ListedCell]

    /// - Parameters:
    ///   - identifyingColumn: the column that identifies rows on its own.
    ///   - reading: the page's read session, which marks unreadable values.
    /// - Throws: errors of reading the linked rows.
    static func rows(
        _ page: [Snapshot], _ columns: [String], identifyingColumn: String?, _ entity: Entity, _ reading: StoreReading,
        _ labels: RowLabels
    ) throws -> [ListedRow] {
        let rendering = RowRendering(labels.model, .people).marking(reading)
        let references = page.flatMap { row in
            row.values.compactMap { value -> ObjectID? in
                if case .reference(let id) = value { id } else { nil }
            }
        }
        let ends = try Ends(references, reading, labels)
        let showsIdentifier = identifyingColumn.map { columns.contains($0) } ?? false
        let own = showsIdentifier ? [:] : try labels.labels(of: page)
        let rows = page.map { row in
            ListedRow(id: row.id, label: own[row.id], cells: columns.map { cell($0, of: row, ends, rendering) })
        }
        return withDays(rows, columns, entity)
    }

    /// The rows that a page links to.
    private struct Ends {
        /// By the object ID in the link.
        let rows: [ObjectID: Snapshot]
        let labels: [ObjectID: String]

        /// Unreadable values are omitted from the labels.
        init(_ ids: [ObjectID], _ reading: StoreReading, _ labels: RowLabels) throws {
            rows = try NamedRows.rows(ids, reading.markingUnreadable().limited(toFilesOf: []))
            self.labels = try labels.labels(of: Array(rows.values))
        }
    }

    private static func cell(
        _ name: String, of row: Snapshot, _ ends: Ends, _ rendering: RowRendering
    ) -> ListedCell {
        guard let slot = rendering.model.entity(named: row.id.entityName)?.relationship(named: name)?.slot,
            row.values.indices.contains(slot), case .reference(let id) = row.values[slot]
        else { return .value(Parts.cut(rendering.value(name, of: row) ?? .none)) }
        let end = ends.rows[id]
        return .object(end?.id ?? id, label: end.flatMap { ends.labels[$0.id] }, exists: end != nil)
    }

    /// Removes the time of day from columns in which every date is at midnight.
    private static func withDays(_ rows: [ListedRow], _ columns: [String], _ entity: Entity) -> [ListedRow] {
        let places = columns.indices.filter { place in
            entity.attribute(named: columns[place])?.attribute.type == .date
                && rows.allSatisfy { $0.cells.indices.contains(place) && $0.cells[place].isDay }
        }
        return rows.map { row in
            var row = row
            for place in places { row.cells[place] = row.cells[place].day }
            return row
        }
    }
}

enum ListedCell: Sendable {
    case value(InspectedValue)
    case object(ObjectID, label: String?, exists: Bool)

    /// Whether the cell shows a text to press and is not a link itself.
    var isPressable: Bool {
        switch self {
        case .value(.none), .object: false
        case .value(.text(let text)): !text.isBlank
        case .value: true
        }
    }

    private static let midnight = " 00:00:00"

    /// Whether a date has no time of day. True also for nil and for the mark of an unreadable date.
    fileprivate var isDay: Bool {
        switch self {
        case .value(.none): true
        case .value(let value) where value.lostMark != nil: true
        case .value(.text(let text)): text.hasSuffix(Self.midnight)
        default: false
        }
    }

    /// The cell without the midnight suffix.
    fileprivate var day: ListedCell {
        guard case .value(.text(let text)) = self, isDay else { return self }
        return .value(.text(String(text.dropLast(Self.midnight.count))))
    }
}
