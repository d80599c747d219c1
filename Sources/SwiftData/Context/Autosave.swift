/// Decides when a context with `autosaveEnabled` saves.
protocol AutosaveSchedule {
    func schedule()
}

/// A context of unknown isolation cannot be saved from outside; its work is saved when it goes away.
struct NoAutosave: AutosaveSchedule {
    func schedule() {}
}

/// Saves the main context once the main actor has finished what it is doing.
final class MainActorAutosave: AutosaveSchedule, @unchecked Sendable {
    // Used on the main actor only: the main context's changes happen there, and so does the task.
    private weak var context: ModelContext?
    private var isScheduled = false

    init(_ context: ModelContext) {
        self.context = context
    }

    func schedule() {
        guard !isScheduled else { return }
        isScheduled = true
        Task { @MainActor in
            // Let everything that is already waiting for the main actor join this save.
            await Task.yield()
            self.isScheduled = false
            self.save()
        }
    }

    private func save() {
        guard let context, context.autosaveEnabled, context.hasChanges else { return }
        do {
            try context.save()
        } catch {
            context.graph.options.tellsOfNextEdit = true
            context.report(error)
        }
    }
}
