import CoreData
import Foundation

#if canImport(TimestampsData)
import TimestampsData
#endif

#if canImport(SwiftUI)
import SwiftUI

@main
struct TimestampsApp: App {
    let persistenceController = PersistenceController.shared

    var body: some Scene {
        WindowGroup {
            ContentView().environment(\.managedObjectContext, persistenceController.container.viewContext)
        }
    }
}

struct ContentView: View {
    @Environment(\.managedObjectContext) private var viewContext
    @FetchRequest(sortDescriptors: [NSSortDescriptor(keyPath: \Moment.timestamp, ascending: false)])
    private var items: FetchedResults<Moment>
    @State private var failure: String?

    var body: some View {
        List {
            ForEach(items) { item in Text(item.line) }.onDelete(perform: delete)
        }
        .toolbar { Button("Add Moment", systemImage: "plus", action: add) }
        .alert(failure ?? "", isPresented: .constant(failure != nil)) { Button("OK") { failure = nil } }
    }

    private func add() {
        Moment(context: viewContext).timestamp = Date()
        save()
    }

    private func delete(offsets: IndexSet) {
        offsets.map { items[$0] }.forEach(viewContext.delete)
        save()
    }

    private func save() {
        do {
            try viewContext.save()
        } catch {
            viewContext.rollback()
            failure = error.localizedDescription
        }
    }
}
#else
/// The app for a terminal: `list`, `add NOTE`, `delete NUMBER…`, `search TEXT`, `fill COUNT`, `clear`.
@main
@MainActor
struct TimestampsApp {
    static func main() async {
        do {
            let controller = PersistenceController.shared
            if let error = controller.loadingError { throw error }
            try await run(Array(CommandLine.arguments.dropFirst()), controller)
        } catch {
            print(error.localizedDescription)
            exit(1)
        }
    }

    static func run(_ arguments: [String], _ controller: PersistenceController) async throws {
        let list = try MomentList(context: controller.container.viewContext)
        let tasks = MomentTasks(controller: controller)
        let words = arguments.dropFirst()
        switch arguments.first ?? "list" {
        case "list": break
        case "add": try list.addItem(note: words.isEmpty ? nil : words.joined(separator: " "))
        case "delete":
            let numbers = words.compactMap(Int.init).filter { $0 > 0 }
            try list.deleteItems(offsets: IndexSet(numbers.map { $0 - 1 }))
        case "search": try list.search(words.joined(separator: " "))
        case "fill":
            let now = Date()
            let count = max(0, words.first.flatMap(Int.init) ?? 10)
            try await tasks.insert((0..<count).map { MomentTasks.Draft(timestamp: now - Double($0)) })
        case "clear": try await tasks.deleteItems(before: .distantFuture)
        default:
            print("Timestamps: list, add NOTE, delete NUMBER…, search TEXT, fill COUNT, clear")
            return
        }
        for (number, item) in list.items.enumerated() { print("\(number + 1)  \(item.line)") }
    }
}
#endif

extension Moment {
    /// Date and note in one line.
    var line: String {
        [timestamp?.formatted(.iso8601), note].compactMap(\.self).joined(separator: "  ")
    }
}
