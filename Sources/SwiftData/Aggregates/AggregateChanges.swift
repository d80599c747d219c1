/// The changes of live groups, from the time at which the sequence was asked for: ``AggregateObserver/changes``.
///
/// ```swift
/// let changes = observer.changes
/// var groups = changes.start
/// for await change in changes {
///     change.apply(to: &groups)
/// }
/// ```
///
/// Changes that are not taken yet are merged into one difference, so that a slow reader gets few large ones. The sequence
/// ends when the observer is released. Each value of `changes` is for one reader; several iterators of one value share its
/// differences. Once the value is released, it costs nothing.
///
/// This type is not part of Apple's SwiftData.
public struct AggregateChanges<Key: Sendable, Value: Sendable>: AsyncSequence, Sendable {
    /// The type of the differences.
    public typealias Element = AggregateDifference<Key, Value>
    /// The sequence never throws.
    public typealias Failure = Never

    /// The groups that the first difference is from.
    public let start: [AggregateGroup<Key, Value>]

    let mailbox: DifferenceMailbox<GroupListChange<Key, Value>>

    /// Creates the iterator.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(mailbox: mailbox) }

    /// Takes differences one after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let mailbox: DifferenceMailbox<GroupListChange<Key, Value>>

        /// Returns the next difference; `nil` at the end, and if the task is cancelled.
        public func next() async -> AggregateDifference<Key, Value>? { await mailbox.next()?.difference }

        /// Returns the next difference; `nil` at the end, and if the task is cancelled.
        /// - Parameter actor: The actor of the caller.
        public func next(isolation actor: isolated (any Actor)?) async -> AggregateDifference<Key, Value>? {
            await mailbox.next()?.difference
        }
    }
}
