import StoreInspection

/// One view, rendered as an HTML page or as JSON.
protocol View: Sendable {
    var title: String { get }
    var place: Place { get }
    var value: InspectedValue { get }
    var status: WebResponse.Status { get }
    func body(_ addresses: Addresses) -> Markup
}

extension View {
    var status: WebResponse.Status { .ok }
}

/// The navigation entry of a view.
enum Place: Sendable, Hashable {
    case entities, model, history, kept, operation, search, sql
    /// Rows of an entity.
    case rows(String)
}
