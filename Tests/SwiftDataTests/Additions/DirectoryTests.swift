import Foundation
import SwiftData
import Testing

@Suite("Names of Foundation that Linux lacks")
struct DirectoryTests {
    @Test("Folders of the user are those that the file manager names")
    func folders() {
        let folders: [(URL, FileManager.SearchPathDirectory)] = [
            (.documentsDirectory, .documentDirectory), (.applicationSupportDirectory, .applicationSupportDirectory),
            (.cachesDirectory, .cachesDirectory), (.downloadsDirectory, .downloadsDirectory),
            (.desktopDirectory, .desktopDirectory), (.picturesDirectory, .picturesDirectory),
            (.moviesDirectory, .moviesDirectory), (.musicDirectory, .musicDirectory),
            (.sharedPublicDirectory, .sharedPublicDirectory),
        ]
        for (url, directory) in folders {
            #expect(url == FileManager.default.urls(for: directory, in: .userDomainMask).first)
        }
        #expect(URL.libraryDirectory.isFileURL)
        let configuration = ModelConfiguration(url: URL.documentsDirectory.appending(path: "people.store"))
        #expect(configuration.url.lastPathComponent == "people.store")
    }

    @Test("A protection type is an object, as options of a store need it")
    func protection() {
        let object = FileProtectionType.complete as NSObject
        #expect(object as? NSString == FileProtectionType.complete.rawValue as NSString)
    }

    @Test("Notifications of saves are a sequence, which ends with its task")
    @MainActor func notifications() async throws {
        let container = try ModelContainer(
            for: Animal.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = container.mainContext
        let saves = NotificationCenter.default.notifications(named: ModelContext.didSave, object: context)
        for name in ["one", "two"] {
            context.insert(Animal(name: name))
            try context.save()
        }
        var count = 0
        for await save in saves {
            #expect(save.object as? ModelContext === context)
            #expect(save.userInfo?[ModelContext.NotificationKey.insertedIdentifiers.rawValue] is [PersistentIdentifier])
            count += 1
            if count == 2 { break }
        }
        #expect(count == 2)
    }
}
