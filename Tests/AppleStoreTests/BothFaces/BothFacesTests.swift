import CoreData
import SwiftData
import Testing

/// Compiles only if the common types of both faces are the same.
@Suite("Files that import both faces")
struct BothFacesTests {
    @Test("contexts of either face accept the same undo managers")
    func undoManager() {
        let objects: ReferenceWritableKeyPath<NSManagedObjectContext, UndoManager?> = \.undoManager
        let models: ReferenceWritableKeyPath<ModelContext, UndoManager?> = \.undoManager
        #expect(type(of: objects).valueType == type(of: models).valueType)
    }
}
