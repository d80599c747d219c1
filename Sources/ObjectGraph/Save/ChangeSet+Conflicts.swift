extension ChangeSet {
    /// Returns the rows without the version that the change set expects.
    /// - Parameter snapshots: Reads rows; leaves out those that do not exist.
    package func conflicts(reading snapshots: ([ObjectID]) throws -> [Snapshot]) rethrows -> [Conflict] {
        let expected =
            updates.map { ($0.id, $0.expectedVersion) } + deletions.map { ($0.id, $0.expectedVersion) }
            + watched.map { ($0.id, $0.expectedVersion) }
        let stored = Dictionary(
            try snapshots(expected.map(\.0)).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return expected.compactMap { id, version in
            stored[id]?.version == version ? nil : Conflict(id: id, expectedVersion: version, stored: stored[id])
        }
    }
}
