import Foundation
import SwiftData

/// Records a context's notifications, on the thread that saves.
final class SaveObserver {
    private var tokens: [any NSObjectProtocol] = []

    init(_ context: ModelContext, _ name: Notification.Name, _ action: @escaping (Notification) -> Void) {
        let identity = ObjectIdentifier(context)
        nonisolated(unsafe) let action = action  // … Called during save(), by the thread that made the observer.
        tokens = [
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { note in
                guard let object = note.object as? ModelContext, ObjectIdentifier(object) == identity else { return }
                action(note)
            }
        ]
    }

    func stop() { tokens.forEach(NotificationCenter.default.removeObserver) }
}
