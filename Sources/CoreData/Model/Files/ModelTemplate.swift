import Foundation

/// A request that a model keeps, under a name or for a fetched property. A request of its own is made of it each time
/// one is asked for.
struct ModelTemplate {
    var entityName: String
    var predicate: NSPredicate?
    var sort: [(keyPath: String, isAscending: Bool)] = []
}
