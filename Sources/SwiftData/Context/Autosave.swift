/// Decides when a context with `autosaveEnabled` saves.
protocol AutosaveSchedule {
    func schedule()
}

/// The schedule of a context with unknown isolation, which cannot be saved from outside; its changes are saved when it is
/// released.
struct NoAutosave: AutosaveSchedule {
    func schedule() {}
}

/// Saves the main context once the main actor has finished its current work.
final class MainActorAutosave: AutosaveSchedule, @unchecked Sendable {
    // Used on the main actor only: the main context's changes happen there, and the task runs there.
    private weak var context: ModelContext?
    private var isScheduled = false

    init(_ context: ModelContext) {
        self.context = context
    }

    func schedule() {
        guard !isScheduled else { return }
        isScheduled = true
        Task { @MainActor in
            // Work that already waits for the main actor is part of the same save.
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
            context.graph.options.notifiesOfNextEdit = true
            context.report(error)
        }
    }
}
