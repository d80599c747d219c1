import ObjectGraph

/// A to-many relationship while its value is changed in place, as by `owner.parts.append(part)`. Made by generated
/// accessors.
///
/// If models were only appended, which `ListTrace` records, nothing is compared. The list is retained for the next edit.
public struct _ListEdit<Owner: PersistentModel, Member: PersistentModel, List> {
    /// The list being changed.
    public var value: List
    private let start: EditedList<Owner, Member>

    fileprivate init(_ start: EditedList<Owner, Member>, _ value: List) {
        self.start = start
        self.value = value
    }
}

extension _ListEdit where List == [Member] {
    /// Ends the edit and writes the changes of the list.
    public func end() { start.end(with: value) }
}

extension _ListEdit where List == [Member]? {
    /// Ends the edit and writes the changes of the list; nil is an empty list.
    public func end() { start.end(with: value ?? []) }
}

/// An attribute while its value is changed in place; it is set as a whole. Made by generated accessors.
public struct _ValueEdit<Owner: PersistentModel, Value> {
    /// The value being changed.
    public var value: Value
    fileprivate let set: (Value) -> Void

    /// Ends the edit and sets the attribute.
    public func end() { set(value) }
}

extension _BorrowedStorage {
    /// Begins a change in place of a to-many relationship. For generated accessors.
    /// - Parameters:
    ///   - slot: The relationship.
    ///   - model: The owner.
    ///   - keyPath: The relationship, for observation.
    public func beginEdit<M: PersistentModel, D: PersistentModel>(
        _ slot: _ModelSlot, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, [D]>
    ) -> _ListEdit<M, D, [D]> {
        let (start, members) = EditedList<M, D>.begin(self, slot, model)
        return _ListEdit(start, members)
    }

    /// Begins a change in place of an optional to-many relationship. For generated accessors.
    /// - Parameters:
    ///   - slot: The relationship.
    ///   - model: The owner.
    ///   - keyPath: The relationship, for observation.
    public func beginEdit<M: PersistentModel, D: PersistentModel>(
        _ slot: _ModelSlot, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, [D]?>
    ) -> _ListEdit<M, D, [D]?> {
        let (start, members) = EditedList<M, D>.begin(self, slot, model)
        return _ListEdit(start, members)
    }

    /// Begins a change in place of an attribute. For generated accessors.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - model: The model.
    ///   - keyPath: The attribute, for observation.
    @_disfavoredOverload
    public func beginEdit<M: PersistentModel, V>(
        _ slot: _ModelSlot, of model: M, _ keyPath: @escaping @autoclosure () -> KeyPath<M, V>
    ) -> _ValueEdit<M, V> {
        _ValueEdit(value: getTransformable(slot)) {
            // Read again: code that ran meanwhile may have replaced the record.
            model._$modelStorage.borrowed.setTransformable(slot, $0, of: model, keyPath())
        }
    }
}

/// A list of models that is being edited: its relationship and its initial members.
private struct EditedList<Owner: PersistentModel, Member: PersistentModel> {
    let slot: _ModelSlot
    let owner: Owner
    let record: Record
    /// `nil` if the list must be set as a whole.
    let trace: ListTrace<Member>?
    /// Identifies the members at the beginning of the edit.
    let mark: UInt64

    static func begin(_ storage: _BorrowedStorage, _ slot: _ModelSlot, _ owner: Owner) -> (Self, [Member]) {
        let record = storage.record
        let untraced = Self(slot: slot, owner: owner, record: record, trace: nil, mark: 0)
        guard let graph = Graph.owner(of: record), let relationship = slot.relationship(of: record),
            !relationship.isToOne, !record.isDeleted
        else { return (untraced, storage.get(slot)) }
        let members: [Member] = cachedMembers(graph, record, relationship) ?? allMembers(storage, slot)
        guard members.count == graph.memberCount(of: record, relationship),
            let mark = graph.markMembers(of: record, relationship)
        else { return (untraced, members) }
        return (Self(slot: slot, owner: owner, record: record, trace: ListTrace(members), mark: mark), members)
    }

    private static func allMembers(_ storage: _BorrowedStorage, _ slot: _ModelSlot) -> [Member] { storage.get(slot) }

    private static func cachedMembers(
        _ graph: Graph, _ record: Record, _ relationship: EntityRelationship
    ) -> [Member]? {
        guard let (kept, added) = graph.takeCachedList(of: record, relationship) else { return nil }
        guard let kept = kept as? CachedMembers<Member> else { return nil }
        var members = kept.take()
        for record in added {
            guard let model = graph.model(of: record, as: Member.self) else { return nil }
            members.append(model)
        }
        return members
    }

    func end(with list: [Member]) {
        guard let trace else { return set(list) }
        trace.end()
        defer { trace.releaseBuffer() }
        // Code that ran meanwhile may have replaced the record.
        guard owner.record === record else { return set(list) }
        if let added = trace.added(in: list) {
            append(added, list)
        } else if let (removed, inserted) = trace.difference(to: list) {
            exchange(removed, for: inserted, list)
        } else {
            set(list)
        }
    }

    private func set(_ list: [Member]) { owner._$modelStorage.borrowed.link(slot, list, of: owner) }

    /// Some of the new members may have been linked from their own end meanwhile.
    private func append(_ added: ArraySlice<Member>, _ list: [Member]) {
        guard let relationship = slot.relationship(of: record), let graph = Graph.owner(of: record),
            let linked = graph.added(since: mark, to: relationship, of: record),
            added.lazy.prefix(linked.count).map(\.record.id).elementsEqual(linked)
        else { return set(list) }
        let others = added.dropFirst(linked.count).map(\.member)
        guard Graph.append(others, to: relationship, of: (record, owner)),
            // A member that had been removed is back at its former position, not at the end.
            graph.added(since: mark, to: relationship, of: record)?.count == added.count
        else { return }
        cache(list, graph, record, relationship)
    }

    private func exchange(
        _ removed: ArraySlice<Member>, for inserted: ArraySlice<Member>, _ list: [Member]
    ) {
        guard let relationship = slot.relationship(of: record), let graph = Graph.owner(of: record),
            !relationship.relationship.isOrdered,
            graph.added(since: mark, to: relationship, of: record)?.isEmpty == true
        else { return set(list) }
        // First, because it may move the owner, with all models linked with it, to another graph.
        _ = Graph.append(inserted.map(\.member), to: relationship, of: (record, owner))
        let staying = Set(inserted.map { ObjectIdentifier($0) })
        for member in removed where !staying.contains(ObjectIdentifier(member)) {
            Graph.owner(of: record)?.remove(member.record, from: relationship, of: record)
        }
        if inserted.isEmpty { cache(list, graph, record, relationship) }
    }

    private func cache(
        _ list: [Member], _ graph: Graph, _ record: Record, _ relationship: EntityRelationship
    ) {
        guard Graph.owner(of: record) === graph, graph.memberCount(of: record, relationship) == list.count else {
            return
        }
        graph.cache(CachedMembers(list), count: list.count, of: record, relationship)
    }
}

/// A list that the graph retains without knowing its type.
private final class CachedMembers<Member: PersistentModel> {
    private var list: [Member]

    init(_ list: [Member]) { self.list = list }

    /// The list, of which the caller then has the only reference.
    func take() -> [Member] {
        defer { list = [] }
        return list
    }
}
