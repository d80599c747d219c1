import ArgumentParser
import Foundation
import Hummingbird
import NIOCore
import SwiftData

/// Keeps a collection of animals and shows it in the browser.
@main
struct AnimalsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "animals", abstract: "A collection of animals in the browser, kept with SwiftData.")

    @Option(help: "Port to listen on, 0 for any free one. The app answers on this machine only.")
    var port: UInt16 = 8421

    @Option(help: ArgumentHelp("File to keep the animals in.", valueName: "path"))
    var store: String?

    @Flag(help: "Keep the animals in memory only.")
    var inMemory = false

    @Option(help: ArgumentHelp("How many animals the big sample has.", valueName: "count"))
    var bigSample = 100_000

    @Option(help: ArgumentHelp("The most models that a long delete deletes in one step.", valueName: "count"))
    var step = 1_000

    func validate() throws {
        guard (1...1_000_000).contains(bigSample) else {
            throw ValidationError("--big-sample is a number from 1 to 1000000.")
        }
        guard step > 0 else { throw ValidationError("--step is at least 1.") }
        if inMemory, store != nil { throw ValidationError("--store and --in-memory exclude each other.") }
    }

    @MainActor
    func run() async throws {
        let location = try StoreLocation(path: store, isInMemory: inMemory)
        let container = try ModelContainer(
            for: Animal.self, AnimalCategory.self, configurations: location.configuration)
        if location.isNew {
            SampleData.insert(into: container.mainContext)
            try container.mainContext.save()
        }
        let zoo = Zoo(container: container)
        let work = LongWork(container: container, mostPerStep: step)
        try work.findUnfinished()
        work.discardOldDeletions()
        try await serve(zoo, work)
        await work.end()
        try saveAtExit(zoo)
    }

    @MainActor
    private func serve(_ zoo: Zoo, _ work: LongWork) async throws {
        let live = LiveUpdates()
        let site = Site(
            zoo: zoo, work: work, live: live, templates: try Templates(), bigSampleSize: bigSample)
        let updates = WindowUpdates(zoo: zoo, work: work, live: live)
        let router = AnimalsRouter.router(site: site, files: try StaticFiles())
        var app = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: Int(port)), serverName: "Animals"),
            services: [live, updates],
            onServerRunning: { channel in
                print("Animals is at http://127.0.0.1:\(channel.localAddress?.port ?? 0)/")
                // Standard output may be a pipe whose reader waits for this line.
                fflush(nil)
            })
        app.logger.logLevel = .warning
        do {
            try await app.runService()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw LaunchProblem.portIsTaken(port)
        }
    }

    @MainActor
    private func saveAtExit(_ zoo: Zoo) throws {
        guard zoo.hasUnsavedChanges else { return }
        if zoo.isAutosaving {
            try zoo.save()
        } else {
            let changes = Number.text(zoo.unsavedChangeCount, "unsaved change was", "unsaved changes were")
            print("Autosave was off: \(changes) not kept.")
        }
    }
}
