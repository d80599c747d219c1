import Foundation
import SwiftData
import Testing

@Suite("Life times of containers")
struct ContainerLifetimeTests {
    @Test("An unreferenced container is released, whether or not its main context was used; unsaved changes are saved")
    @MainActor
    func containerGoes() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lifetime-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = ModelConfiguration(url: folder.appending(path: "zoo.store"))
        weak var gone: ModelContainer?
        weak var goneContext: ModelContext?
        do {
            let container = try ModelContainer(for: Animal.self, configurations: file)
            container.mainContext.insert(Animal(name: "Fox"))
            #expect(container.mainContext.container === container)
            gone = container
            goneContext = container.mainContext
        }
        #expect(gone == nil)
        #expect(goneContext == nil)
        let again = try ModelContainer(for: Animal.self, configurations: file)
        #expect(try again.mainContext.fetch(FetchDescriptor<Animal>()).map(\.name) == ["Fox"])
    }
}
