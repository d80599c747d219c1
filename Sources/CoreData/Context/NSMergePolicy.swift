import Foundation
import ObjectGraph

/// Who wins when what is to be saved and what is stored do not agree.
public enum NSMergePolicyType: UInt, Sendable {
    /// Nobody: the save fails.
    case errorMergePolicyType = 0
    /// Property by property, the store.
    case mergeByPropertyStoreTrumpMergePolicyType = 1
    /// Property by property, unsaved changes.
    case mergeByPropertyObjectTrumpMergePolicyType = 2
    /// The whole object as it is in memory.
    case overwriteMergePolicyType = 3
    /// The row as it is stored.
    case rollbackMergePolicyType = 4
}

/// Resolves the conflicts of a save. A subclass may look at them, change objects, and leave the rest to `super`.
nonisolated open class NSMergePolicy: NSObject, @unchecked Sendable {
    // A constant; what subclasses add is theirs to guard.
    public let mergeType: NSMergePolicyType

    public init(merge ty: NSMergePolicyType) {
        mergeType = ty
    }

    public class var error: NSMergePolicy { NSErrorMergePolicy }
    public class var rollback: NSMergePolicy { NSRollbackMergePolicy }
    public class var overwrite: NSMergePolicy { NSOverwriteMergePolicy }
    public class var mergeByPropertyObjectTrump: NSMergePolicy { NSMergeByPropertyObjectTrumpMergePolicy }
    public class var mergeByPropertyStoreTrump: NSMergePolicy { NSMergeByPropertyStoreTrumpMergePolicy }

    /// Hands the conflicts to the method for their kind.
    open func resolve(mergeConflicts list: [Any]) throws {
        let versions = list.compactMap { $0 as? NSMergeConflict }
        if !versions.isEmpty { try resolve(optimisticLockingConflicts: versions) }
        let constraints = list.compactMap { $0 as? NSConstraintConflict }
        if !constraints.isEmpty { try resolve(constraintConflicts: constraints) }
    }

    /// Rows are not as unsaved work expected them.
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
        for conflict in list { conflict.settle(rule) }
    }

    /// Another object has what must be unique.
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
            for conflict in list { conflict.settle(.keepStored) }
        case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType:
            for conflict in list { conflict.settle(.updateStored) }
        }
    }

    /// What becomes of unique rows without anybody being asked.
    final var lastWordOnConstraints: ConstraintRule {
        guard type(of: self) == NSMergePolicy.self else { return .refuse }
        switch mergeType {
        case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType: return .updateExisting
        default: return .refuse
        }
    }
}

public let NSErrorMergePolicy = NSMergePolicy(merge: .errorMergePolicyType)
public let NSRollbackMergePolicy = NSMergePolicy(merge: .rollbackMergePolicyType)
public let NSOverwriteMergePolicy = NSMergePolicy(merge: .overwriteMergePolicyType)
public let NSMergeByPropertyObjectTrumpMergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
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
