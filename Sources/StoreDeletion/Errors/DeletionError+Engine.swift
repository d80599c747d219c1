import ObjectGraph

extension DeletionError {
    /// Maps an error of the engine or a store.
    /// - Returns: `nil` for an error that is not about a deletion.
    package init?(_ error: any Error) {
        switch error {
        case let error as DeletionError: self = error
        case let error as DeleteError: self.init(error)
        case let error as DeleteJobError: self.init(error)
        case let error as RecoveryError:
            guard let known = DeletionError(error) else { return nil }
            self = known
        case let error as UntranslatableExpression: self = .cannotBePlanned(error.description)
        case StoreGroupError.readOnly, StoreAccessError.readOnly: self = .readOnly
        case is StoreCapabilityError: self = .notSupported
        default: return nil
        }
    }

    private init(_ error: DeleteError) {
        switch error {
        case .refused(let refusals): self = .refused(refusals.map(DeletionPlan.Obstacle.init))
        case .tooManyRows(let count, let limit): self = .tooManyRows(count: count, limit: limit)
        case .storeMoved: self = .storeChanged
        case .unsavedChanges: self = .cannotBePlanned("the rows to delete may depend on unsaved changes; save first.")
        }
    }

    private init(_ error: DeleteJobError) {
        switch error {
        case .notEnoughDisk(let needed, let available): self = .notEnoughDisk(needed: needed, available: available)
        case .unknownJob(let id): self = .unknownDeletion(id)
        case .otherModel: self = .otherModel
        case .damagedRecord(let id): self = .damaged(id)
        case .busy(let id): self = .alreadyRunning(id)
        }
    }

    /// - Returns: `nil` where two deletions have one token, which random tokens rule out.
    private init?(_ error: RecoveryError) {
        switch error {
        case .unknownToken: self = .unknownToken
        case .otherModel: self = .otherModel
        case .conflicts(let conflicts): self = .conflicts(conflicts.map(\.description))
        case .tokenInUse: return nil
        }
    }
}
