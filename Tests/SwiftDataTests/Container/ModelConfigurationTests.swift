import Foundation
import SwiftData
import Testing

@Suite("Model configuration")
struct ModelConfigurationTests {
    @Test("The file is named after the configuration")
    func defaultPlace() throws {
        #expect(ModelConfiguration().url.lastPathComponent == "default.store")
        #expect(ModelConfiguration("trips").url.lastPathComponent == "trips.store")
        #expect(ModelConfiguration(url: URL(fileURLWithPath: "/tmp/people.store")).name == "people")
        #expect(ModelConfiguration(isStoredInMemoryOnly: true).url.path == "/dev/null")
        #expect(ModelConfiguration("a", groupContainer: .identifier("shared")).url.path.contains("/shared/"))
        try ModelConfiguration().validate()
    }

    @Test("Names that cannot be files are refused", arguments: ["a/b", "a\u{0}b", "a\nb"])
    func invalidNames(name: String) {
        #expect(throws: SwiftDataError.configurationFileNameContainsInvalidCharacters) {
            try ModelConfiguration(name).validate()
        }
    }

    @Test("A file name must leave room for the suffixes of the accompanying files")
    func longNames() throws {
        #expect(throws: SwiftDataError.configurationFileNameTooLong) {
            try ModelConfiguration(String(repeating: "n", count: 242)).validate()
        }
        try ModelConfiguration(String(repeating: "n", count: 241)).validate()
    }

    @Test("Errors are caught by kind")
    func errors() {
        #expect(SwiftDataError.unsupportedPredicate ~= (SwiftDataError.unsupportedPredicate as any Error))
        #expect(!(SwiftDataError.unsupportedPredicate ~= (CancellationError() as any Error)))
        #expect(SwiftDataError.duplicateConfiguration != .unknownSchema)
    }
}
