import Foundation
import ObjectGraph

/// The ways of resolving conflicts between unsaved changes and stored rows.
public enum NSMergePolicyType: UInt, Sendable {
    /// Conflicts are not resolved: the save fails.
    case errorMergePolicyType = 0
    /// Property by property, the stored value wins.
    case mergeByPropertyStoreTrumpMergePolicyType = 1
    /// Property by property, the unsaved value wins.
    case mergeByPropertyObjectTrumpMergePolicyType = 2
    /// The object in memory overwrites the whole row.
    case overwriteMergePolicyType = 3
    /// The stored row replaces the object's values.
    case rollbackMergePolicyType = 4
}

/// A policy that resolves the conflicts of a save. A subclass may examine them, change objects, and leave the rest to `super`.
nonisolated open class NSMergePolicy: NSObject, @unchecked Sendable {
    // A constant; subclasses guard their own state.
    /// The way of resolving conflicts.
    public let mergeType: NSMergePolicyType

    /// Creates a policy of a type.
    /// - Parameter ty: the way of resolving conflicts.
    public init(merge ty: NSMergePolicyType) {
        mergeType = ty
    }

    /// The policy that resolves no conflict, so that the save fails.
    public class var error: NSMergePolicy { NSErrorMergePolicy }
    /// The policy by which the stored row replaces the object's values.
    public class var rollback: NSMergePolicy { NSRollbackMergePolicy }
    /// The policy by which the object in memory overwrites the whole row.
    public class var overwrite: NSMergePolicy { NSOverwriteMergePolicy }
    /// The policy by which, property by property, the unsaved value wins.
    public class var mergeByPropertyObjectTrump: NSMergePolicy { NSMergeByPropertyObjectTrumpMergePolicy }
    /// The policy by which, property by property, the stored value wins.
    public class var mergeByPropertyStoreTrump: NSMergePolicy { NSMergeByPropertyStoreTrumpMergePolicy }

    /// Resolves the conflicts of a save: passes them to the method for their kind.
    /// - Parameter list: `NSMergeConflict` or `NSConstraintConflict` objects.
    /// - Throws: `CocoaError` 133020 or 133021 under the error policy. The save throws the error of an override unchanged.
    open func resolve(mergeConflicts list: [Any]) throws {
        let versions = list.compactMap { $0 as? NSMergeConflict }
        if !versions.isEmpty { try resolve(optimisticLockingConflicts: versions) }
        let constraints = list.compactMap { $0 as? NSConstraintConflict }
        if !constraints.isEmpty { try resolve(constraintConflicts: constraints) }
    }

    /// Resolves conflicts with rows that have changed since they were read.
    /// - Parameter list: the conflicts.
    /// - Throws: `CocoaError` 133020 under the error policy.
    open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        guard let rule = mergeType.conflictRule else {
            throw CocoaError(
                .managedObjectMerge,
                text:
                    "Could not merge changes: \(list.count) object\(list.count == 1 ? " was" : "s were") changed by others. "
                    + "Set a merge policy, or refresh the objects and save again.",
                userInfo: [NSPersistentStoreSaveConflictsErrorKey: list])
        }
        for conflict in list { conflict.resolve(rule) }
    }

    /// Resolves conflicts of uniqueness constraints.
    /// - Parameter list: the conflicts.
    /// - Throws: `CocoaError` 133021 under the error policy.
    open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        switch mergeType {
        case .errorMergePolicyType:
            let names = list.first.map { $0.constraint.joined(separator: ", ") } ?? ""
            throw CocoaError(
                .managedObjectConstraintMerge,
                text:
                    "Could not merge changes: another object has the same \(names), which must be unique. Change one of "
                    + "them, or set a merge policy.",
                userInfo: [NSPersistentStoreSaveConflictsErrorKey: list])
        case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType:
            for conflict in list { conflict.resolve(.keepStored) }
        case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType:
            for conflict in list { conflict.resolve(.updateStored) }
        }
    }

    /// The rule for existing rows with the same unique values that applies without calling the policy.
    final var lastWordOnConstraints: ConstraintRule {
        guard type(of: self) == NSMergePolicy.self else { return .refuse }
        switch mergeType {
        case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType: return .updateExisting
        default: return .refuse
        }
    }
}

/// The policy that resolves no conflict, so that the save fails.
public let NSErrorMergePolicy = NSMergePolicy(merge: .errorMergePolicyType)
/// The policy by which the stored row replaces the object's values.
public let NSRollbackMergePolicy = NSMergePolicy(merge: .rollbackMergePolicyType)
/// The policy by which the object in memory overwrites the whole row.
public let NSOverwriteMergePolicy = NSMergePolicy(merge: .overwriteMergePolicyType)
/// The policy by which, property by property, the unsaved value wins.
public let NSMergeByPropertyObjectTrumpMergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
/// The policy by which, property by property, the stored value wins.
public let NSMergeByPropertyStoreTrumpMergePolicy = NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType)

extension NSMergePolicyType {
    /// `nil` for the error policy.
    var conflictRule: ConflictRule? {
        switch self {
        case .errorMergePolicyType: nil
        case .mergeByPropertyStoreTrumpMergePolicyType: .storeWinsByProperty
        case .mergeByPropertyObjectTrumpMergePolicyType: .memoryWinsByProperty
        case .overwriteMergePolicyType: .memoryOverwrites
        case .rollbackMergePolicyType: .storeOverwrites
        }
    }
}
