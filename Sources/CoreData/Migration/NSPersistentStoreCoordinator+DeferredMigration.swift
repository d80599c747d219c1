extension NSPersistentStoreCoordinator {
    /// Ends migrations that were put off by `NSPersistentStoreDeferredLightweightMigrationOptionKey`. Stores are always
    /// migrated as a whole when they are opened, so that there is nothing left to do.
    /// - Returns: whether there was something to do.
    @discardableResult
    public func finishDeferredLightweightMigration() -> Bool { false }

    /// The same, piece by piece.
    /// - Returns: whether there was something to do.
    @discardableResult
    public func finishDeferredLightweightMigrationTask() -> Bool { false }
}
