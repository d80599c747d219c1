import ObjectGraph

/// The minimum that a graph needs above it: an object per record, and a list of reported changes.
final class TestFace: GraphFace {
    final class Object {}

    private(set) var reports: [any Error] = []

    func makeObject(for record: Record) -> AnyObject? { Object() }
    func graphDidChange() {}
    func redirect(_ object: AnyObject, to record: Record) {}
    func report(_ error: any Error) { reports.append(error) }
}

/// A new record with its object, ready for `Graph.insert` and `Graph.link`.
func newMember(_ entity: Entity) -> Graph.Member { (Record(newObjectOf: entity), TestFace.Object()) }

extension Graph {
    /// A registered record as an end of a link.
    func member(_ record: Record) -> Member { (record, object(of: record) ?? TestFace.Object()) }

    /// Deletes like a face that cannot throw.
    func deleteAll(_ records: [Record]) {
        do {
            try delete(records)
        } catch {
            face?.report(error)
        }
    }
}
