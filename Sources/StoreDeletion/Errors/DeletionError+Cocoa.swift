import Foundation

extension DeletionError: CustomNSError {
    /// The domain of Cocoa's errors, `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }

    /// Apple's code for the error, as the documentation of each case states it.
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

    /// The values of the error as an `NSError`: the description, and details of a refusal.
    ///
    /// A refusal by one obstacle also has the name of the relationship (`NSValidationErrorKey`), at most five surviving rows
    /// (`NSAffectedObjectsErrorKey`, as ``RowIdentifier``) and, for a mandatory inverse, the text of Core Data's log
    /// (`NSLocalizedFailureReasonErrorKey`). A refusal by several obstacles has one error for each (`NSDetailedErrors`).
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

    /// Codes that Foundation's `CocoaError.Code` lacks.
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
