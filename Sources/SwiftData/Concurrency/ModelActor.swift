import ObjectGraph

/// An actor with a model context of its own. The `@ModelActor` macro writes the requirements.
public protocol ModelActor: Actor {
    /// The container whose stores the actor works with.
    nonisolated var modelContainer: ModelContainer { get }
    /// The executor that runs the actor and has its context.
    nonisolated var modelExecutor: any ModelExecutor { get }
}

extension ModelActor {
    /// The executor that the actor runs on. Ends the process if `modelExecutor` is not a `SerialModelExecutor`.
    nonisolated public var unownedExecutor: UnownedSerialExecutor {
        guard let executor = modelExecutor as? any SerialModelExecutor else {
            // The executor was chosen by the actor's own code.
            fatalError("The executor of '\(Self.self)' must be a SerialModelExecutor.")
        }
        return executor.asUnownedSerialExecutor()
    }

    /// The actor's own context.
    public var modelContext: ModelContext { modelExecutor.modelContext }

    /// The model with an identifier, in the actor's context; `nil` if its row does not exist or it is of another type.
    /// - Parameters:
    ///   - id: The identifier of the model.
    ///   - as: The type of the model.
    /// - Complexity: At most one statement, if the context has not read the model yet.
    public subscript<T>(id: PersistentIdentifier, as as: T.Type) -> T? where T: PersistentModel {
        let context = modelContext
        context.graph.sweepIfNeeded()
        context.graph.mergeWaitingChanges()
        guard let record = context.graph.record(for: id.objectID) else { return nil }
        context.graph.fire(record)
        return record.isGone ? nil : context.model(of: record, as: T.self)
    }
}

/// An executor with a model context.
public protocol ModelExecutor: Executor {
    /// The context that the executor's jobs work with.
    var modelContext: ModelContext { get }
}

/// An executor with a model context that runs one job at a time.
public protocol SerialModelExecutor: ModelExecutor, SerialExecutor {}
