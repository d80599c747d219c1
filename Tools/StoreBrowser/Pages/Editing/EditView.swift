import ObjectGraph
import SQLiteStore
import StoreInspection

/// A row as an edit form.
struct EditView: View {
    let title: String
    let place: Place
    let status: WebResponse.Status
    private let form: EditForm
    private let entity: String

    /// - Throws: `Problem`, `InspectionError`, and errors of reading.
    init(
        _ id: ObjectID, only: String?, _ store: SQLiteStore, _ reading: StoreReading, draft: RowEdit? = nil,
        problems: [EditProblem] = []
    ) throws {
        form = try EditForm(id, only: only, store, reading, draft: draft, problems: problems)
        entity = form.id.entityName
        title = "Edit \(form.label ?? form.id.address)"
        place = .rows(entity)
        status = problems.isEmpty ? .ok : .badRequest
    }

    var value: InspectedValue {
        .fields([
            InspectedField("object", .text(form.id.address)), InspectedField("version", .integer(form.version)),
            InspectedField("problems", .texts(form.problemTexts)),
        ])
    }

    func body(_ addresses: Addresses) -> Markup {
        """
        <nav class="crumbs" aria-label="Where this is"><a href="\(addresses.rows(entity))"><bdi>\(entity)</bdi></a>\
        <a href="\(addresses.object(form.id))">p\(form.id.key)</a><span>Edit</span></nav>
        <h1><bdi>\(title)</bdi></h1>
        \(form.markup(addresses))
        """
    }
}

extension EditForm {
    var problemTexts: [String] { problems.map(\.text) }
}
