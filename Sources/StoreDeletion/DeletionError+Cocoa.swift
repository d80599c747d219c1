import Foundation

extension DeletionError: CustomNSError {
    /// Cocoa's.
    public static var errorDomain: String { NSCocoaErrorDomain }

    /// Apple's code; the cases have the numbers.
    public var errorCode: Int {
        switch self {
        case .refused(let obstacles): Self.code(of: obstacles)
        case .tooManyRows, .storeChanged, .severalStores, .unknownDeletion, .alreadyRunning, .damaged, .otherModel,
            .unknownToken, .conflicts:
            Code.storeOperation
        case .cannotBePlanned: Code.coreData
        case .notSupported: Code.unsupportedRequest
        case .readOnly: CocoaError.Code.fileWriteNoPermission.rawValue
        case .notEnoughDisk: CocoaError.Code.fileWriteOutOfSpace.rawValue
        }
    }

    private static func code(of obstacles: [DeletionPlan.Obstacle]) -> Int {
        guard let obstacle = obstacles.first else { return Code.storeOperation }
        if obstacles.count > 1 { return Code.severalValidationErrors }
        switch obstacle.reason {
        case .denied: return Code.deniedDelete
        case .mandatoryRelationshipLeftEmpty: return Code.missingMandatoryProperty
        case .tooFewMembers: return Code.tooFewMembers
        }
    }

    /// The description. For a refusal also the name of the relationship (`NSValidationErrorKey`), at most five rows that stay
    /// (`NSAffectedObjectsErrorKey`, as `RowIdentifier`) and the text of Core Data's log; for several, the single errors
    /// (`NSDetailedErrors`).
    public var errorUserInfo: [String: Any] {
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: description]
        guard case .refused(let obstacles) = self, let obstacle = obstacles.first else { return userInfo }
        if obstacles.count > 1 {
            userInfo["NSDetailedErrors"] = obstacles.map { DeletionError.refused([$0]) }
        } else {
            userInfo["NSValidationErrorKey"] = obstacle.property
            userInfo["NSAffectedObjectsErrorKey"] = obstacle.examples
            userInfo[NSLocalizedFailureReasonErrorKey] = obstacle.failureReason
        }
        return userInfo
    }

    /// Of `CocoaError.Code`, those that Foundation lacks.
    private enum Code {
        static let severalValidationErrors = 1560
        static let missingMandatoryProperty = 1570
        static let tooFewMembers = 1580
        static let deniedDelete = 1600
        static let coreData = 134060
        static let storeOperation = 134070
        static let unsupportedRequest = 134091
    }
}
