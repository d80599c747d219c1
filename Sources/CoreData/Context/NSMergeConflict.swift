import Foundation
import ObjectGraph

/// A conflict between an object and its row, which has changed since the object was read.
nonisolated open class NSMergeConflict: NSObject {
    /// The object in conflict.
    public let sourceObject: NSManagedObject
    /// The object's values: attributes, and identifiers of to-one relationships, by name.
    public let objectSnapshot: [String: Any]?
    /// The values that the context read before.
    public let cachedSnapshot: [String: Any]?
    /// The stored values; `nil` if the row is gone.
    public let persistedSnapshot: [String: Any]?
    /// The row version that the object was read at.
    public let oldVersionNumber: Int
    /// The stored row version; 0 if the row is gone.
    public let newVersionNumber: Int
    /// Resolves the conflict; `nil` for a conflict that no save detected.
    private let settling: ((ConflictRule) -> Void)?
    final private(set) var isResolved = false

    /// Creates a conflict, for programs that pass one to a merge policy.
    /// - Parameters:
    ///   - srcObject: the object in conflict.
    ///   - newvers: the stored row version; 0 if the row is gone.
    ///   - oldvers: the row version that the object was read at.
    ///   - cachesnap: the values that the context read before.
    ///   - persnap: the stored values; `nil` if the row is gone.
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

    final func resolve(_ rule: ConflictRule) {
        guard !isResolved else { return }
        isResolved = true
        settling?(rule)
    }

    /// A text with the object's identifier and both versions.
    open override var description: String {
        let new = newVersionNumber == 0 ? "<deleted>" : "\(newVersionNumber)"
        return "NSMergeConflict for \(sourceObject.record.id.uriText) with objectID \(sourceObject.objectID) with "
            + "oldVersion = \(oldVersionNumber) and newVersion = \(new)"
    }
}

/// A conflict between objects with the same values where these must be unique.
nonisolated open class NSConstraintConflict: NSObject {
    /// The names of the properties of the uniqueness constraint.
    public let constraint: [String]
    /// The values of these properties, by name.
    public let constraintValues: [String: Any]
    /// The object of the stored row with the values; `nil` if only unsaved objects conflict with each other.
    public let databaseObject: NSManagedObject?
    /// The values of the stored row; `nil` without such a row.
    public let databaseSnapshot: [String: Any]?
    /// The unsaved objects with the values.
    public let conflictingObjects: [NSManagedObject]
    /// The values of the unsaved objects, in the order of `conflictingObjects`.
    public let conflictingSnapshots: [[String: Any]]
    private let settling: ((Resolution) -> Void)?
    final private(set) var isResolved = false

    enum Resolution {
        /// The unsaved objects yield to the stored row.
        case keepStored
        /// The unsaved values replace those of the stored row.
        case updateStored
    }

    /// Creates a conflict, for programs that pass one to a merge policy.
    /// - Parameters:
    ///   - contraint: the names of the properties.
    ///   - databaseObject: the object of the stored row with the values.
    ///   - databaseSnapshot: the values of the stored row.
    ///   - conflictingObjects: the unsaved objects with the values.
    ///   - conflictingSnapshots: the values of the unsaved objects, as dictionaries.
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

    /// Creates an empty conflict.
    public override convenience init() {
        self.init(constraint: [], database: nil, databaseSnapshot: nil, conflicting: [], conflictingSnapshots: [])
    }

    init(
        _ constraint: [String], _ databaseObject: NSManagedObject?, _ objects: [NSManagedObject],
        _ settling: @escaping (Resolution) -> Void
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

    final func resolve(_ resolution: Resolution) {
        guard !isResolved else { return }
        isResolved = true
        settling?(resolution)
    }

    /// A text with the constraint and the identifiers of the objects.
    open override var description: String {
        "NSConstraintConflict for constraint \(constraint): database: \(databaseObject?.record.id.uriText ?? "none"), "
            + "conflicted objects: \(conflictingObjects.map(\.record.id.uriText).joined(separator: ", "))"
    }
}

extension NSManagedObject {
    /// Attributes, and identifiers of to-one relationships, by name.
    final func snapshotValues(_ values: SlotValues) -> [String: Any] {
        var snapshot: [String: Any] = [:]
        for place in table.attributes where place.attribute.slots.upperBound <= values.count && !place.isOutsideSlot {
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
