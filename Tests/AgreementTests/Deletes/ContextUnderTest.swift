import ObjectGraph

@testable import SQLiteStore

/// One graph of a pair with equal states: objects are named by their label, which is never edited.
final class ContextUnderTest {
    let store: SQLiteStore
    let graph: Graph
    let face = TestFace()
    private let recorder = Recorder()
    /// The error of the last refused save.
    var refusal: String { refusals.last.map { "\($0)" } ?? "" }
    /// The errors of refused saves.
    private(set) var refusals: [any Error] = []
    /// Unsaved objects, by label.
    private var inserted: [String: Record] = [:]
    /// Rows, by label.
    private var ids: [String: ObjectID] = [:]
    /// Objects stay as long as the run, as a user's would.
    private var objects: [AnyObject] = []

    /// - Parameter neighbour: the context whose store to use instead of a new one.
    convenience init(_ world: DeleteWorld, beside neighbour: ContextUnderTest? = nil) throws {
        try self.init(world, on: try neighbour?.store ?? world.makeStore())
    }

    init(_ world: DeleteWorld, on store: SQLiteStore, events: ObjectEvents = .asTheyHappen) throws {
        self.store = store
        graph = Graph(model: world.model, store: store, face: face, events: events)
        graph.undoRecorder = recorder
        try learnIDs()
    }

    private final class Recorder: UndoRecorder {
        var groups: [[UndoStep]] = []
        var isOff = false

        func note(_ step: UndoStep) {
            if !isOff, !groups.isEmpty { groups[groups.count - 1].append(step) }
        }
    }

    /// Reads labels directly from the store, so that looking up an object does not change the graph.
    func learnIDs() throws {
        for entity in store.model.entities where entity.isRoot {
            for snapshot in try store.fetch(Query(entityIndex: entity.index)) {
                if case .text(let label) = snapshot.values[1] { ids[label] = snapshot.id }
            }
        }
    }

    func record(_ label: String) -> Record? { inserted[label] ?? ids[label].flatMap { graph.record(for: $0) } }

    func label(_ record: Record) -> String {
        if case .text(let label) = record.value(1) { return label }
        return "?\(record.id)"
    }

    // MARK: Work

    /// Makes the changes of the body one undo group.
    func undoably(_ body: () throws -> Void) rethrows {
        recorder.groups.append([])
        try body()
    }

    func insert(_ label: String, _ entity: Entity, number: Int64) {
        let member = newMember(entity)
        member.record.initializeValue(.integer(number), at: 0)
        member.record.initializeValue(.text(label), at: 1)
        inserted[label] = member.record
        objects.append(member.object)
        graph.insert(member)
    }

    func link(_ label: String, _ relationship: EntityRelationship, to destinations: [String]) {
        guard let record = record(label) else { return }
        Graph.link(
            graph.member(record), relationship, to: destinations.compactMap(self.record).map(graph.member))
    }

    func setNumber(_ label: String, _ number: Int64) { record(label)?.setValue(.integer(number), at: 0) }

    func delete(_ labels: [String]) throws { try graph.delete(labels.compactMap(record)) }

    func reinsert(_ label: String) {
        if let record = record(label) { graph.insert(graph.member(record)) }
    }

    func rollback() {
        recorder.groups = []
        graph.rollback()
        inserted = [:]
    }

    func undo() {
        recorder.isOff = true
        defer { recorder.isOff = false }
        for step in (recorder.groups.popLast() ?? []).reversed() { graph.revert(step) }
    }

    var canUndo: Bool { !recorder.groups.isEmpty }

    /// - Returns: the saved changes, or `nil` if the save was refused.
    func save() throws -> SavedChanges? {
        recorder.groups = []
        do {
            let saved = try graph.save(author: "test")
            inserted = [:]
            try learnIDs()
            return saved
        } catch let error where error is ValidationError || error is DeleteError {
            refusals.append(error)
            return nil
        }
    }

    // MARK: State visible to a user

    /// Whether the object exists, as far as this graph knows.
    func isLive(_ label: String) -> Bool {
        guard let record = record(label) else { return false }
        graph.fire(record)
        return record.graph === graph && !record.isDeleted && !record.isGone
    }

    func links(_ label: String, _ relationship: EntityRelationship) throws -> [String] {
        guard let record = record(label) else { return [] }
        let destinations = graph.destinations(of: record, relationship)
        try graph.fire(destinations)
        let labels = destinations.filter { !$0.isGone && !$0.isDeleted }.map(self.label)
        return relationship.relationship.isOrdered ? labels : labels.sorted()
    }

    /// All objects with their values and links, as text.
    func everything() throws -> [String] {
        var lines: [String] = []
        for entity in store.model.entities where entity.isRoot {
            for record in try graph.fetch(Query(entityIndex: entity.index)) {
                let label = label(record)
                let ends = try record.entity.relationships.map { "\($0.name)=\(try links(label, $0))" }
                lines.append("\(label): \(record.entity.name) \(record.value(0)) \(ends.joined(separator: " "))")
            }
        }
        return lines.sorted()
    }

    /// Each registered record has its row's version.
    func checkVersions() throws {
        graph.mergeWaitingChanges()
        let stored = try store.model.entities.filter(\.isRoot).flatMap { try store.fetch(Query(entityIndex: $0.index)) }
        for snapshot in stored {
            guard let record = graph.registeredRecord(for: snapshot.id), !record.isFault, !record.hasChanges,
                record.version != snapshot.version
            else { continue }
            throw Difference(
                text: "\(label(record)) is at version \(record.version), its row at \(snapshot.version)")
        }
    }
}
