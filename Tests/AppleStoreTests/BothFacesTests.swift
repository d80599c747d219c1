import CoreData
import SwiftData
import Testing

/// Compiles only while what both faces show is one type.
@Suite("Files that import both faces")
struct BothFacesTests {
    @Test("contexts of either face take the same undo managers")
    func undoManager() {
        let objects: ReferenceWritableKeyPath<NSManagedObjectContext, UndoManager?> = \.undoManager
        let models: ReferenceWritableKeyPath<ModelContext, UndoManager?> = \.undoManager
        #expect(type(of: objects).valueType == type(of: models).valueType)
    }
}
