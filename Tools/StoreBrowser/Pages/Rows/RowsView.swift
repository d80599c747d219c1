import ObjectGraph
import PredicateFormat
import SQLiteStore
import StoreInspection

/// Rows of an entity, one page at a time. `RowsView+Page.swift` renders it as HTML.
struct RowsView: View {
    let parameters: RowsParameters
    let place: Place
    let entity: Entity
    /// Names of properties, in order.
    let columns: [String]
    /// All columns that can be shown.
    let knownColumns: [String]
    let rows: [ListedRow]
    /// Exact values, for JSON only.
    private let exact: [[InspectedField]]
    let total: Int
    /// `nil` if the request is invalid.
    let page: RowsPage?
    /// Cursors for the next and the previous page; `nil` if the pages must be reached by offset.
    let cursors: (next: RowsCursor?, before: RowsCursor?)
    let sortable: Set<String>
    /// The object whose relationship refers to these rows.
    let from: ObjectID?
    let trouble: Trouble?
    let completions: FilterCompletions
    /// The column that identifies rows on its own.
    let identifyingColumn: String?
    /// A note about unreadable values on the page, which are marked.
    let marks: String?

    /// Why there are no rows, or rows other than those requested.
    struct Trouble: Sendable {
        let place: Place
        let text: String
        /// The position in the filter, in characters.
        var position: Int?

        enum Place: Sendable {
            /// An error in the filter. The page shows unfiltered rows.
            case filter
            case sort
            /// An error in the relationship that restricts the rows.
            case origin
        }
    }

    var title: String { entity.name }

    /// - Parameter reading: marks unreadable values.
    /// - Throws: `InspectionError`, and errors of reading. Errors in the request are shown on the page.
    init(_ parameters: RowsParameters, _ store: SQLiteStore, _ reading: StoreReading, forPrograms: Bool) throws {
        self.parameters = parameters
        let entity = try store.model.inspectedEntity(parameters.entity)
        self.entity = entity
        place = .rows(entity.name)
        completions = FilterCompletions(entity, store.model)
        let (query, trouble) = try Self.query(parameters, entity, store, reading)
        let all = try RowListing(query, in: store.model, style: .exact, detail: .addresses)
        let listing =
            parameters.columns.isEmpty
            ? all
            : try RowListing(query, in: store.model, columns: parameters.columns, style: .exact, detail: .addresses)
        let labels = RowLabels(store.model, reading)
        let identifyingColumn = try labels.identifyingAttribute(of: entity)?.name
        self.identifyingColumn = identifyingColumn
        knownColumns = Self.ordered(
            all.columns.filter { $0 != RowRendering.idField }, identifyingColumn ?? Self.first(of: entity))
        columns = parameters.columns.isEmpty ? knownColumns : parameters.columns
        sortable = Set(columns.filter { (try? PropertyPath.sortKeys($0, on: entity, in: store.model)) != nil })
        from = (parameters.target ?? parameters.owner).flatMap { try? RowsParameters.id($0, store, reading) }
        let isWhole = trouble == nil || trouble?.place == .filter && !forPrograms
        guard isWhole else {
            (rows, exact, total, page, cursors, self.trouble, marks) = ([], [], 0, nil, (nil, nil), trouble, nil)
            return
        }
        total = try reading.count(query)
        let page = try RowsPage(
            trouble == nil ? parameters : RowsParameters(parameters.entity), query, total: total, store, reading)
        self.page = page
        cursors = trouble == nil ? try Self.cursors(page, query, store, reading) : (nil, nil)
        self.trouble = trouble
        exact = forPrograms ? try listing.rows(page.rows, reading) : []
        rows =
            forPrograms
            ? [] : try ListedRow.rows(page.rows, columns, identifyingColumn: identifyingColumn, entity, reading, labels)
        marks = UnreadableCells.summary(of: [reading.unreadable].compactMap { $0 })
    }

    private static func first(of entity: Entity) -> String? { RowLabels.likelyAttribute(of: entity)?.name }

    /// Puts the identifying column first.
    private static func ordered(_ columns: [String], _ identifyingColumn: String?) -> [String] {
        columns.filter { $0 == identifyingColumn } + columns.filter { $0 != identifyingColumn }
    }

    private static func query(
        _ parameters: RowsParameters, _ entity: Entity, _ store: SQLiteStore, _ reading: StoreReading
    ) throws -> (Query, Trouble?) {
        var query = Query(entityIndex: entity.index)
        do {
            query.sort = try parameters.sort.map { try PropertyPath.sortKeys($0, on: entity, in: store.model) } ?? []
        } catch let error as InspectionError {
            return (query, Trouble(place: .sort, text: "The order cannot be used. \(Problem(error).text)"))
        }
        do {
            var found = try parameters.query(store, reading)
            found.sort = query.sort
            return (found, nil)
        } catch  where error is UnreadablePredicate || error is FormatTranslationError || error is InspectionError {
            let place = parameters.filter == nil ? Trouble.Place.origin : .filter
            let position = (error as? UnreadablePredicate)?.error.position
            return (query, Trouble(place: place, text: Problem(error).text, position: position))
        }
    }

    /// `nil` if the row at that end of the page has an unreadable value in a sorted column: its stored value decides
    /// the order, and an address cannot express it. Pages beyond are then reached by offset.
    private static func cursors(
        _ page: RowsPage, _ query: Query, _ store: SQLiteStore, _ reading: StoreReading
    ) throws -> (next: RowsCursor?, before: RowsCursor?) {
        let entity = store.model[query.entityIndex]
        guard RowsCursor.hasPlaces(query.sort, of: entity) else { return (nil, nil) }
        /// Returns a cursor only if the row is found by the values in it.
        func cursor(_ direction: RowsCursor.Direction, _ row: Snapshot?) throws -> RowsCursor? {
            guard let row, let cursor = RowsCursor(direction, row, query.sort) else { return nil }
            let own = cursor.ownRow(query) { store.objectID(entity: entity, key: $0) }
            return try own.map { try reading.count($0) == 1 } ?? true ? cursor : nil
        }
        return (try cursor(.after, page.rows.last), try cursor(.before, page.rows.first))
    }

    /// Counted from 1.
    var number: Int { page.map { $0.offset / parameters.size + 1 } ?? parameters.page }
    var hasNext: Bool { page?.hasNext ?? false }

    // MARK: JSON

    var value: InspectedValue {
        var fields = [
            InspectedField("entity", .text(entity.name)), InspectedField("filter", .optional(parameters.filter)),
            InspectedField("sort", .optional(parameters.sort)), InspectedField("page", .count(number)),
            InspectedField("size", .count(parameters.size)), InspectedField("total", .count(total)),
            // To read on, clients send `nextPage` as the field `page`, and `after` as the field `after` if it is not
            // nil.
            InspectedField("nextPage", hasNext ? .count(number + 1) : .none),
            InspectedField("after", .optional(hasNext ? cursors.next?.field.1 : nil)),
            InspectedField("rows", .list(exact.map(InspectedValue.fields))),
        ]
        if let trouble { fields.append(InspectedField("problem", .text(trouble.text))) }
        return .fields(fields)
    }

    var status: WebResponse.Status { trouble == nil ? .ok : .badRequest }
}
