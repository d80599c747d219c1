/// The changes of live results, from the time at which the sequence was asked for: ``ResultsObserver/changes``.
///
/// ```swift
/// let changes = observer.changes
/// var ids = changes.start.elements
/// for await change in changes {
///     change.elements.apply(to: &ids)
/// }
/// ```
///
/// Changes that are not taken yet are merged into one difference, so that a slow reader gets few large ones. The sequence
/// ends when the observer is released. Each value of `changes` is for one reader; several iterators of one value share its
/// differences. Once the value is released, it costs nothing.
///
/// This type is not part of Apple's SwiftData.
public struct ResultsChanges: AsyncSequence, Sendable {
    /// The type of the differences.
    public typealias Element = ResultsDifference
    /// The sequence never throws.
    public typealias Failure = Never

    /// The identifiers that the first difference is from.
    public let start: ResultsIdentifiers

    let mailbox: DifferenceMailbox<ResultsDifference>

    /// Creates the iterator.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(mailbox: mailbox) }

    /// Takes differences one after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let mailbox: DifferenceMailbox<ResultsDifference>

        /// Returns the next difference; `nil` at the end, and if the task is cancelled.
        public func next() async -> ResultsDifference? { await mailbox.next() }

        /// Returns the next difference; `nil` at the end, and if the task is cancelled.
        /// - Parameter actor: The actor of the caller.
        public func next(isolation actor: isolated (any Actor)?) async -> ResultsDifference? { await mailbox.next() }
    }
}
