extension NSPersistentStoreCoordinator {
    /// Returns `false`: stores are migrated completely when they are opened, even with
    /// `NSPersistentStoreDeferredLightweightMigrationOptionKey`, so that no work is left.
    /// - Returns: Whether there was work to do.
    @discardableResult
    public func finishDeferredLightweightMigration() -> Bool { false }

    /// Returns `false`: stores are migrated completely when they are opened, even with
    /// `NSPersistentStoreDeferredLightweightMigrationOptionKey`, so that no task is left.
    /// - Returns: Whether there was work to do.
    @discardableResult
    public func finishDeferredLightweightMigrationTask() -> Bool { false }
}
