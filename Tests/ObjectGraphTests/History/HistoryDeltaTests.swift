import ObjectGraph
import Testing

@Suite("Sums of history")
struct HistoryDeltaTests {
    private let dogs = IDSpace.intern(storeIdentifier: "HistoryDeltaTests", entityName: "Dog")
    private let cats = IDSpace.intern(storeIdentifier: "HistoryDeltaTests", entityName: "Cat")

    private enum Step: CaseIterable { case insert, update, delete }

    private func add(_ step: Step, _ id: ObjectID, to builder: inout HistoryDeltaBuilder) {
        switch step {
        case .insert: builder.inserted(id)
        case .update: builder.updated(id)
        case .delete: builder.deleted(id)
        }
    }

    @Test("what came and went is told as gone, deleted wins over updated, inserted over updated")
    func cancelling() throws {
        var builder = HistoryDeltaBuilder()
        let steps: [(Int64, [Step])] = [
            (9, [.insert]), (2, [.insert, .update, .update]), (3, [.insert, .update, .delete]),
            (4, [.update, .update]),
            (1, [.update, .delete]), (6, [.delete]), (7, [.delete, .insert]), (8, [.delete, .insert, .delete]),
        ]
        for (key, kinds) in steps { for kind in kinds { add(kind, ObjectID(space: dogs, key: key), to: &builder) } }
        builder.updated(ObjectID(space: cats, key: 5))
        let fleeting = IDSpace.intern(storeIdentifier: "HistoryDeltaTests", entityName: "Mayfly")
        builder.inserted(ObjectID(space: fleeting, key: 1))
        builder.deleted(ObjectID(space: fleeting, key: 1))
        let delta = builder.delta()
        #expect(delta.entities.map(\.space) == [cats, dogs, fleeting])
        let keys = delta.entities[1]
        #expect(keys.inserted == [2, 9])
        #expect(keys.updated == [4, 7])
        #expect(keys.deleted == [1, 6, 8])
        #expect(delta.entities.map(\.fleeting) == [[], [3], [1]])
        let saved = SavedChanges(delta)
        #expect(saved.inserted == [2, 9].map { ObjectID(space: dogs, key: $0) })
        #expect(saved.updatedIDs == [ObjectID(space: cats, key: 5)] + [4, 7].map { ObjectID(space: dogs, key: $0) })
        #expect(
            saved.deleted == [1, 6, 8, 3].map { ObjectID(space: dogs, key: $0) } + [ObjectID(space: fleeting, key: 1)])
        #expect(!saved.isOverflow && !saved.isEmpty && saved.updated.isEmpty)
    }

    @Test("nothing told is nothing changed")
    func empty() {
        #expect(HistoryDeltaBuilder().delta().isEmpty)
        #expect(SavedChanges(HistoryDeltaBuilder().delta()).isEmpty)
        #expect(!SavedChanges.overflow.isEmpty)
    }
}
