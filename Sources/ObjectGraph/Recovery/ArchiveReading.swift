/// Archived deletions that are restored together, and the store's present rows, as far as `RestoreCheck` needs them.
package protocol ArchiveReading {
    /// A relationship whose links are references of archived rows.
    associatedtype Reference: Hashable
    /// Survivors that lost links along one relationship.
    associatedtype Links

    typealias Obstacle = (reason: RestoreConflict.Reason, rows: RowSet)
    /// Survivors, and the reason why they do not regain their links; `nil` if they do.
    typealias Survivors = (reason: RestoreConflict.Reason?, rows: RowSet)

    var references: [Reference] { get }
    var links: [Links] { get }

    func name(of reference: Reference) -> String
    func isMandatory(_ reference: Reference) -> Bool
    /// The relationship; `nil` if it is none of the survivors' own.
    func name(of links: Links) -> String?
    /// Whether the survivors lost members, instead of references.
    func isList(_ links: Links) -> Bool

    /// Returns the archived rows whose keys, values or files cannot be restored.
    func obstaclesToRows() throws -> [Obstacle]

    /// Returns the archived rows whose reference cannot be restored, unless it was inconsistent before the deletion.
    func obstacles(
        to reference: Reference, _ need: RestoreConflict.Need, without out: RowSet
    ) throws -> [Obstacle]

    func conflictsOfJoins(without out: RowSet) throws -> [RestoreConflict]

    func survivors(of links: Links, without out: RowSet) throws -> [Survivors]

    /// Returns the rows that regain members, among them those of a list.
    /// - Parameter check: Complete, except for lists.
    func owners(regaining list: Links, _ check: RestoreCheck<Self>) throws -> RowSet
}
