import CoreData
import Foundation
import Testing
import TimestampsData

@Suite("The README's example with Core Data")
@MainActor
struct ReadmeTests {
    // `scripts/check` compares this with the README.
    @Test("A note is found by a part of its text")
    func note() throws {
        var notes: [String] = []
        func print(_ text: String) { notes.append(text) }
        let container = NSPersistentContainer(name: "Timestamps")  // Finds the model among the target's resources.
        container.persistentStoreDescriptions.first?.url = URL(fileURLWithPath: "/dev/null")
        container.loadPersistentStores { _, error in
            if let error { print("No store: \(error)") }
        }
        let item = Moment(context: container.viewContext)
        item.timestamp = Date()
        item.note = "Breakfast"
        try container.viewContext.save()
        let request = Moment.fetchRequest()
        request.predicate = NSPredicate(format: "%K CONTAINS[cd] %@", "note", "break")
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Moment.timestamp, ascending: false)]
        for item in try container.viewContext.fetch(request) { print(item.note ?? "") }
        #expect(notes == ["Breakfast"])
    }
}
