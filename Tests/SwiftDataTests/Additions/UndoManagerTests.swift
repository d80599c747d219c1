import Foundation
import SwiftData
import Testing

#if !canImport(Darwin)
@Suite("Undo manager")
struct UndoManagerTests {
    private final class Counter {
        var count = 0

        func add(_ amount: Int, undo: UndoManager) {
            count += amount
            undo.registerUndo(withTarget: self) { $0.add(-amount, undo: undo) }
        }
    }

    @Test("Undo reverts one outermost group, redo applies it again")
    func groups() {
        let undo = UndoManager()
        let counter = Counter()
        undo.groupsByEvent = false
        counter.add(1, undo: undo)
        undo.beginUndoGrouping()
        counter.add(2, undo: undo)
        undo.beginUndoGrouping()
        counter.add(3, undo: undo)
        undo.endUndoGrouping()
        undo.setActionName("Add")
        undo.endUndoGrouping()
        #expect(undo.undoMenuItemTitle == "Undo Add")
        undo.undo()
        #expect(counter.count == 1)
        #expect(undo.redoActionName == "Add")
        undo.redo()
        #expect(counter.count == 6)
        undo.undo()
        undo.undo()
        #expect(counter.count == 0)
        #expect(!undo.canUndo && undo.canRedo)
        counter.add(9, undo: undo)
        #expect(!undo.canRedo, "a new change ends what could be done again")
    }

    @Test("The number of levels is limited, and nothing is recorded while registration is disabled")
    func limits() {
        let undo = UndoManager()
        let counter = Counter()
        undo.groupsByEvent = false
        undo.levelsOfUndo = 2
        for _ in 0..<5 { counter.add(1, undo: undo) }
        undo.undo()
        undo.undo()
        undo.undo()
        #expect(counter.count == 3)
        undo.removeAllActions()
        undo.disableUndoRegistration()
        counter.add(1, undo: undo)
        undo.enableUndoRegistration()
        #expect(!undo.canUndo && !undo.canRedo)
    }

    @Test("Without an event loop, actions outside a group form one until undo")
    func implicitGroup() {
        let undo = UndoManager()
        let counter = Counter()
        counter.add(1, undo: undo)
        counter.add(2, undo: undo)
        #expect(undo.groupingLevel == 1)
        undo.undo()
        #expect(counter.count == 0)
        undo.removeAllActions(withTarget: counter)
        #expect(!undo.canRedo)
    }
}
#endif
