@testable import CoreData
import Foundation
import TestSupport
import Testing

@Suite struct SectionRunsTests {
    private func names(_ runs: SectionRuns) -> [String] {
        runs.runs.flatMap { Array(repeating: $0.name, count: $0.count) }
    }

    @Test("Sections after a change are those of the changed names", arguments: 0..<40)
    func changes(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var all = (0..<Int(random.next() % 20)).map { _ in "ABC".randomElement(using: &random).map(String.init) ?? "" }
        var runs = SectionRuns(names: all) { $0.lowercased() }
        for _ in 0..<20 {
            let removed = all.indices.filter { _ in random.next() % 4 == 0 }
            var new = all.indices.filter { !removed.contains($0) }.map { all[$0] }
            var inserted: [(position: Int, name: String)] = []
            var position = 0
            while position <= new.count, inserted.count < 8 {
                if random.next() % 4 == 0 {
                    let name = ["A", "B", "C", "D"][Int(random.next() % 4)]
                    new.insert(name, at: position)
                    inserted.append((position, name))
                }
                position += 1
            }
            let changed = runs.changed(removing: removed, inserting: inserted) { $0.lowercased() }
            let fresh = SectionRuns(names: new) { $0.lowercased() }
            #expect(names(changed.runs) == new, "seed \(seed)")
            #expect(changed.runs.runs.map(\.count) == fresh.runs.map(\.count), "seed \(seed)")
            #expect(changed.runs.runs.allSatisfy { $0.title == $0.name.lowercased() })
            #expect(new.indices.allSatisfy { changed.runs.indexPath(at: $0) == fresh.indexPath(at: $0) })
            #expect(changed.runs.scatteredIndex == fresh.scatteredIndex)
            (all, runs) = (new, changed.runs)
        }
    }

    @Test("Sections with results that stay are kept, others as far as they keep their order; scattered ones are not")
    func keeping() {
        let old = SectionRuns(names: ["A", "A", "B", "C", "D", "D"]) { _ in nil }
        let new = SectionRuns(names: ["B", "C", "A", "D", "E"]) { _ in nil }
        #expect(new.kept(from: old, staying: [2, 0, 0, 2]) == [2: 0, 3: 3])
        #expect(new.kept(from: old, staying: [0, 1, 1, 1]) == [0: 1, 1: 2, 3: 3])
        let scattered = SectionRuns(names: ["A", "B", "A", "C"]) { _ in nil }
        #expect(scattered.kept(from: old, staying: [1, 1, 1, 0]) == [1: 1, 3: 2])
        #expect(SectionRuns(count: 2).kept(from: SectionRuns(count: 0), staying: [0]) == [0: 0])
    }
}
