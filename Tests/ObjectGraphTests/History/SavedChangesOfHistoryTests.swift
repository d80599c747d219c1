import ObjectGraph
import Testing

@Suite("Sums of history")
struct SavedChangesOfHistoryTests {
    private let dogs = IDSpace.intern(storeIdentifier: "SavedChangesOfHistoryTests", entityName: "Dog")
    private let cats = IDSpace.intern(storeIdentifier: "SavedChangesOfHistoryTests", entityName: "Cat")

    @Test("a delete supersedes all earlier changes, also of short-lived rows; an insert supersedes updates")
    func summing() {
        var steps: [HistoryStep] = []
        let kindsByKey: [(Int64, [HistoryStep.Kind])] = [
            (9, [.insert]), (2, [.insert, .update, .update]), (3, [.insert, .update, .delete]),
            (4, [.update, .update]),
            (1, [.update, .delete]), (6, [.delete]), (7, [.delete, .insert]), (8, [.delete, .insert, .delete]),
        ]
        for (key, kinds) in kindsByKey { steps += kinds.map { HistoryStep($0, ObjectID(space: dogs, key: key)) } }
        steps.append(HistoryStep(.update, ObjectID(space: cats, key: 5)))
        let fleeting = IDSpace.intern(storeIdentifier: "SavedChangesOfHistoryTests", entityName: "Mayfly")
        steps.append(HistoryStep(.insert, ObjectID(space: fleeting, key: 1)))
        steps.append(HistoryStep(.delete, ObjectID(space: fleeting, key: 1)))
        let saved = SavedChanges(combining: steps)
        #expect(saved.inserted == [2, 9].map { ObjectID(space: dogs, key: $0) })
        #expect(saved.updatedIDs == [ObjectID(space: cats, key: 5)] + [4, 7].map { ObjectID(space: dogs, key: $0) })
        #expect(
            saved.deleted
                == [1, 3, 6, 8].map { ObjectID(space: dogs, key: $0) } + [ObjectID(space: fleeting, key: 1)])
        #expect(!saved.isOverflow && !saved.isEmpty && saved.updated.isEmpty)
    }

    @Test("no transactions give no changes")
    func empty() {
        #expect(SavedChanges(combining: [HistoryStep]()).isEmpty)
        #expect(!SavedChanges.overflow.isEmpty)
    }
}
