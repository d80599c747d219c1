/// Records with unsaved work, in the order it began. Lists may hold records whose status has moved on; reading filters
/// them, so that a change of mind costs nothing.
struct PendingChanges {
    private var insertedList: [Record] = []
    private var updatedList: [Record] = []
    private var deletedList: [Record] = []

    var inserted: [Record] { insertedList.keeping { $0.isInserted } }
    var updated: [Record] { updatedList.keeping { $0.isUpdated && !$0.isDeleted && !$0.isInserted } }
    var deleted: [Record] { deletedList.keeping { $0.isDeleted } }

    var isEmpty: Bool {
        !insertedList.contains { $0.isInserted } && !updatedList.contains { $0.isUpdated && !$0.isDeleted }
            && !deletedList.contains { $0.isDeleted }
    }

    mutating func noteInserted(_ record: Record) {
        guard !record.isInserted else { return }
        record.status.insert(.inserted)
        insertedList.append(record)
    }

    mutating func noteUpdated(_ record: Record) {
        guard !record.isUpdated else { return }
        record.status.insert(.updated)
        updatedList.append(record)
    }

    mutating func noteDeleted(_ record: Record) {
        guard !record.isDeleted else { return }
        record.status.insert(.deleted)
        deletedList.append(record)
    }

    /// An inserted object was deleted, or rolled back, before it was ever saved.
    var hasDroppedInsertions: Bool { insertedList.contains { !$0.isInserted } }

    /// The object comes back as new, or is not edited or deleted after all: its former entry must not come to life again.
    mutating func forgetInserted(_ record: Record) { insertedList.removeAll { $0 === record } }
    mutating func forgetUpdated(_ record: Record) { updatedList.removeAll { $0 === record } }
    mutating func forgetDeleted(_ record: Record) { deletedList.removeAll { $0 === record } }
    mutating func forgetDeleted(_ ids: Set<ObjectID>) { deletedList.removeAll { ids.contains($0.id) } }

    /// Every record touched, whatever became of it.
    var touched: [Record] { insertedList + updatedList + deletedList }

    mutating func removeAll() {
        self = PendingChanges()
    }
}

extension Array {
    /// As `filter`, without a copy where nothing is left out.
    func keeping(_ isKept: (Element) throws -> Bool) rethrows -> [Element] {
        try allSatisfy(isKept) ? self : filter(isKept)
    }
}
