import Foundation
import ObjectGraph

/// An object whose row is not as it was when the object was read.
nonisolated open class NSMergeConflict: NSObject {
    public let sourceObject: NSManagedObject
    /// Values as the object has them: attributes, and identifiers of to-one relationships.
    public let objectSnapshot: [String: Any]?
    /// Values as the context read them.
    public let cachedSnapshot: [String: Any]?
    /// Values as they are stored now; `nil` when the row is gone.
    public let persistedSnapshot: [String: Any]?
    /// Version the object was read at.
    public let oldVersionNumber: Int
    /// Version of the row now; 0 when it is gone.
    public let newVersionNumber: Int
    /// What is done about it; `nil` for a conflict that no save found.
    private let settling: ((ConflictRule) -> Void)?
    final private(set) var isSettled = false

    public init(
        source srcObject: NSManagedObject, newVersion newvers: Int, oldVersion oldvers: Int,
        cachedSnapshot cachesnap: [String: Any]?, persistedSnapshot persnap: [String: Any]?
    ) {
        sourceObject = srcObject
        objectSnapshot = srcObject.snapshotValues(srcObject.record.values)
        cachedSnapshot = cachesnap
        persistedSnapshot = persnap
        oldVersionNumber = oldvers
        newVersionNumber = newvers
        settling = nil
    }

    init(_ object: NSManagedObject, _ conflict: Conflict, _ settling: @escaping (ConflictRule) -> Void) {
        sourceObject = object
        objectSnapshot = object.snapshotValues(object.record.values)
        cachedSnapshot = object.snapshotValues(object.record.committed ?? object.record.values)
        persistedSnapshot = conflict.stored.map { object.snapshotValues($0.values) }
        oldVersionNumber = Int(conflict.expectedVersion)
        newVersionNumber = Int(conflict.stored?.version ?? 0)
        self.settling = settling
    }

    final func settle(_ rule: ConflictRule) {
        guard !isSettled else { return }
        isSettled = true
        settling?(rule)
    }

    open override var description: String {
        let new = newVersionNumber == 0 ? "<deleted>" : "\(newVersionNumber)"
        return "NSMergeConflict for \(sourceObject.record.id.uriText) with objectID \(sourceObject.objectID) with "
            + "oldVersion = \(oldVersionNumber) and newVersion = \(new)"
    }
}

/// Objects that have the same values where these must be unique.
nonisolated open class NSConstraintConflict: NSObject {
    /// Names of the properties.
    public let constraint: [String]
    public let constraintValues: [String: Any]
    /// The object of the row that is there; `nil` when the unsaved objects are in each other's way only.
    public let databaseObject: NSManagedObject?
    public let databaseSnapshot: [String: Any]?
    /// Unsaved objects.
    public let conflictingObjects: [NSManagedObject]
    public let conflictingSnapshots: [[String: Any]]
    private let settling: ((Settlement) -> Void)?
    final private(set) var isSettled = false

    enum Settlement {
        /// The unsaved objects give way.
        case keepStored
        /// Their values go into the row that is there.
        case updateStored
    }

    public init(
        constraint contraint: [String], database databaseObject: NSManagedObject?, databaseSnapshot: [String: Any]?,
        conflicting conflictingObjects: [NSManagedObject], conflictingSnapshots: [Any]
    ) {
        constraint = contraint
        self.databaseObject = databaseObject
        self.databaseSnapshot = databaseSnapshot
        self.conflictingObjects = conflictingObjects
        self.conflictingSnapshots = conflictingSnapshots.compactMap { $0 as? [String: Any] }
        constraintValues = Self.values(contraint, conflictingObjects.first)
        settling = nil
    }

    /// A conflict of nothing, for programs that make one to hand it to a merge policy.
    public override convenience init() {
        self.init(constraint: [], database: nil, databaseSnapshot: nil, conflicting: [], conflictingSnapshots: [])
    }

    init(
        _ constraint: [String], _ databaseObject: NSManagedObject?, _ objects: [NSManagedObject],
        _ settling: @escaping (Settlement) -> Void
    ) {
        self.constraint = constraint
        self.databaseObject = databaseObject
        databaseSnapshot = databaseObject.map { $0.snapshotValues($0.record.committed ?? $0.record.values) }
        conflictingObjects = objects
        conflictingSnapshots = objects.map { $0.snapshotValues($0.record.values) }
        constraintValues = Self.values(constraint, objects.first)
        self.settling = settling
    }

    private static func values(_ keys: [String], _ object: NSManagedObject?) -> [String: Any] {
        object?.dictionaryWithValues(forKeys: keys) ?? [:]
    }

    final func settle(_ settlement: Settlement) {
        guard !isSettled else { return }
        isSettled = true
        settling?(settlement)
    }

    open override var description: String {
        "NSConstraintConflict for constraint \(constraint): database: \(databaseObject?.record.id.uriText ?? "none"), "
            + "conflicted objects: \(conflictingObjects.map(\.record.id.uriText).joined(separator: ", "))"
    }
}

extension NSManagedObject {
    /// Attributes, and identifiers of to-one relationships, by name.
    final func snapshotValues(_ values: SlotValues) -> [String: Any] {
        var snapshot: [String: Any] = [:]
        for place in table.attributes where place.attribute.slots.upperBound <= values.count && !place.isLoose {
            snapshot[place.name] =
                AttributeCoding.any(values[place.attribute.slots], of: place.attribute.attribute) ?? NSNull()
        }
        for relationship in record.entity.toOneRelationships {
            guard let slot = relationship.slot, slot < values.count else { continue }
            if case .reference(let id) = values[slot] {
                snapshot[relationship.name] = NSManagedObjectID(id, managedObjectContext?.core)
            } else {
                snapshot[relationship.name] = NSNull()
            }
        }
        return snapshot
    }
}
