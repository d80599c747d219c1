import ObjectGraph

/// An actor with a context of its own. The `@ModelActor` macro writes the requirements.
public protocol ModelActor: Actor {
    nonisolated var modelContainer: ModelContainer { get }
    nonisolated var modelExecutor: any ModelExecutor { get }
}

extension ModelActor {
    nonisolated public var unownedExecutor: UnownedSerialExecutor {
        guard let executor = modelExecutor as? any SerialModelExecutor else {
            // The actor's own code chose the executor.
            fatalError("The executor of '\(Self.self)' must be a SerialModelExecutor.")
        }
        return executor.asUnownedSerialExecutor()
    }

    public var modelContext: ModelContext { modelExecutor.modelContext }

    /// The model of an identifier in the actor's context; `nil` when its row is gone or it is of another type.
    public subscript<T>(id: PersistentIdentifier, as as: T.Type) -> T? where T: PersistentModel {
        let context = modelContext
        context.graph.sweepIfNeeded()
        context.graph.mergeWaitingChanges()
        guard let record = context.graph.record(for: id.objectID) else { return nil }
        context.graph.fire(record)
        return record.isGone ? nil : context.model(of: record, as: T.self)
    }
}

/// Runs work for a context.
public protocol ModelExecutor: Executor {
    var modelContext: ModelContext { get }
}

public protocol SerialModelExecutor: ModelExecutor, SerialExecutor {}
