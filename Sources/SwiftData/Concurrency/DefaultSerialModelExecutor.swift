import Dispatch

/// An executor that runs the jobs of a model actor one after the other, on a dispatch queue of its own.
///
/// The queue is used wherever the actor was created: an actor created on the main thread does not run there.
public class DefaultSerialModelExecutor: @unchecked Sendable, SerialModelExecutor {
    // Only jobs use the context, and the queue keeps them from overlapping.
    /// The context that the actor's jobs work with.
    public final let modelContext: ModelContext
    private let queue = DispatchQueue(label: "SwiftData.ModelActor")

    /// Creates an executor for a context.
    /// - Parameter modelContext: The context that the actor's jobs work with. Nothing else may use it.
    public init(modelContext: ModelContext) {
        self.modelContext = modelContext
    }

    /// Runs a job of the actor on the executor's queue.
    /// - Parameter job: The job to run.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }

    /// Returns a reference to the executor in the form that the Swift runtime uses.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }
}
