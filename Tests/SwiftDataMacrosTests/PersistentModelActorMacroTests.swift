import Testing

@testable import SwiftDataMacros

/// The additions of `@ModelActor` to an actor.
@Suite struct PersistentModelActorMacroTests {
    @Test("an actor gets executor, container, initializer and conformance")
    func members() {
        expectExpansion(
            of: """
                @ModelActor
                public actor Importer {
                }
                """,
            is: """
                public actor Importer {

                    public nonisolated let modelExecutor: any SwiftData.ModelExecutor

                    public nonisolated let modelContainer: SwiftData.ModelContainer

                    public init(modelContainer: SwiftData.ModelContainer) {
                        let modelContext = SwiftData.ModelContext(modelContainer)
                        self.modelExecutor = SwiftData.DefaultSerialModelExecutor(modelContext: modelContext)
                        self.modelContainer = modelContainer
                    }
                }

                extension Importer: SwiftData.ModelActor {
                }
                """,
            Macros.modelActor)
    }

    @Test("only an actor can have it", arguments: ["class", "struct"])
    func kinds(keyword: String) {
        #expect(problems(in: "@ModelActor \(keyword) A {}", Macros.modelActor) == ["1:1 error notAnActor"])
    }
}
