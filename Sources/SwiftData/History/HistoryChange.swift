/// What one save did to one model. The value inside is of a type that names the model's class:
///
/// ```swift
/// switch change {
/// case .insert(let insert as DefaultHistoryInsert<Trip>): added.append(insert.changedPersistentIdentifier)
/// case .delete(let delete as DefaultHistoryDelete<Trip>): names.append(delete.tombstone[\.name])
/// default: break
/// }
/// ```
public enum HistoryChange: Sendable {
    case insert(any HistoryInsert)
    case update(any HistoryUpdate)
    case delete(any HistoryDelete)

    public var changedPersistentIdentifier: PersistentIdentifier {
        switch self {
        case .insert(let insert): insert.changedPersistentIdentifier
        case .update(let update): update.changedPersistentIdentifier
        case .delete(let delete): delete.changedPersistentIdentifier
        }
    }
}
