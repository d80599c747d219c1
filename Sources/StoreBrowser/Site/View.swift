import StoreInspection

/// One view: a page for people, and the same as a value for programs.
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

/// Where a view is found in the navigation.
enum Place: Sendable, Hashable {
    case entities, model, history, kept, work, search, sql
    /// Rows of an entity.
    case rows(String)
}
