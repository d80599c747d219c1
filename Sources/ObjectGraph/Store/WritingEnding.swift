/// A store that can be replaced with another one while other threads save to it.
package protocol WritingEnding: AnyObject, Sendable {
    /// Runs a body while no thread writes to the store. If the body succeeds, the store accepts no writes afterwards:
    /// saves that waited meanwhile throw a `StoreError` whose `isMoved` is true, so that they can go to another store.
    /// - Throws: `StoreAccessError`, and the errors of the body; then the store is written to as before.
    func endWriting<Result>(after body: () throws -> Result) throws -> Result
}
