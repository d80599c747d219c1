import CoreData
import StoreTestSupport
import Testing

@testable import SQLiteStore

/// Final states of random runs, as recorded in `Digests/`: a change of the engine that is to change no behaviour changes none
/// of these.
@Suite("Random runs of Core Data end as recorded")
struct DigestTests {
    @Test("steps, rows, versions, history and contexts are as recorded", arguments: DigestedRun.coreData)
    func recorded(run: DigestedRun) throws { try run.checkOrRecord() }
}

extension DigestedRun {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Digests")

    private init(_ name: String, _ run: @escaping @Sendable (Int, inout BehaviourDigest) throws -> Void) {
        self.init(name, in: Self.folder) { seed, digest in try run(Int(seed), &digest) }
    }

    static let coreData = [
        DigestedRun("RandomMerge") { try RandomMergeTests().run($0, options: options($0), &$1) },
        DigestedRun("RandomUndo") { try RandomUndoTests().run($0, options: options($0), &$1) },
        DigestedRun("RandomChild") { try RandomChildTests().run($0, rounds: 3, options: options($0), &$1) },
    ]

    /// Two of three seeds keep history.
    private static func options(_ seed: Int) -> [String: Any] { [NSPersistentHistoryTrackingKey: seed % 3 > 0] }
}

extension BehaviourDigest {
    /// The rows of the first store, and the results of fetches in the contexts.
    mutating func add(_ stack: TestStack, seenBy contexts: [NSManagedObjectContext]) {
        for (place, context) in contexts.enumerated() {
            do { add("seen by \(place)", try Self.everything(context)) } catch { addFailure(error) }
        }
        add("stored", tablesOf: stack.coordinator.persistentStores.first?.sqlite)
    }

    private static func everything(_ context: NSManagedObjectContext) throws -> [String] {
        try ["Animal", "Category", "Person", "Tag"].flatMap { entity in
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity)).map {
                "\($0.objectID.uriRepresentation().path): \($0.contents)"
            }.sorted()
        }
    }
}
