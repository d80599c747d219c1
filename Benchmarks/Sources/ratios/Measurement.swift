import BenchmarkModels
import BenchmarkSupport
import Foundation
import HandWritten

/// One variant of one workload, run once.
struct Measurement: Codable {
    let workload: Workload
    let variant: Variant
    let count: Int
    let rows: Int
    let checksum: Double
    let cost: Cost
    /// The final contents of the store, in numbers; empty if the work only reads.
    let digest: [Double]
}

/// Runs variants of a workload, each on a file of its own, in this process.
struct Measuring {
    let workload: Workload
    let count: Int
    let directory: String

    func run(_ variant: Variant) throws -> Measurement {
        let path = try workingFile()
        hw_release_free_pages()
        let (rows, checksum, cost) = try measure(variant, path)
        let digest = workload.writes ? Self.digest(path) : []
        if workload.writes { StoreFile.remove(path) }
        return Measurement(
            workload: workload, variant: variant, count: count, rows: rows, checksum: checksum, cost: cost,
            digest: digest)
    }

    /// A fresh copy for work that writes; the fixture itself for work that reads.
    private func workingFile() throws -> String {
        guard let fixture = workload.fixture else { return "" }
        let source = fixture.path(count, in: directory)
        guard workload.writes else { return source }
        let copy = "\(directory)/working-\(ProcessInfo.processInfo.processIdentifier).store"
        try StoreFile.copy(source, to: copy)
        return copy
    }

    private func measure(_ variant: Variant, _ path: String) throws -> (Int, Double, Cost) {
        switch variant {
        case .byHand: byHand(path, workload.byHand, HW_WITHOUT_HISTORY)
        case .byHandWithHistory: byHand(path, workload.byHand, HW_WITH_HISTORY)
        case .byHandAsSet: byHand(path, HW_UPDATE_SET, HW_WITHOUT_HISTORY)
        case .plainClass: plainClass()
        case .library: try library(path, HW_WITHOUT_HISTORY)
        case .libraryWithHistory: try library(path, HW_WITH_HISTORY)
        }
    }

    private func byHand(_ path: String, _ work: hw_work, _ history: hw_history) -> (Int, Double, Cost) {
        let store = hw_open(path)
        defer { hw_close(store) }
        var animals: [hw_animal] = []
        if work == HW_INSERT { animals = handWrittenAnimals() }
        let (result, cost) = Cost.measure { hw_run(store, work, Int64(count), animals, history) }
        hw_let_go()
        return (Int(result.rows), result.checksum, cost)
    }

    private func handWrittenAnimals() -> [hw_animal] {
        (1...count).map { number in
            var animal = hw_animal()
            hw_animal_values(&animal, Int64(number), Int64(count))
            return animal
        }
    }

    private func library(_ path: String, _ history: hw_history) throws -> (Int, Double, Cost) {
        if workload.writes, history == HW_WITHOUT_HISTORY { hw_forget_history(path) }
        let work = try LibraryWork(workload: workload, count: count, path: path).prepared()
        let (outcome, cost) = try Cost.measure(work)
        return withExtendedLifetime(outcome.kept) { (outcome.rows, outcome.checksum, cost) }
    }

    private func plainClass() -> (Int, Double, Cost) {
        let values = AnimalValues.all(count)
        let (animals, cost) = Cost.measure {
            var animals: [PlainAnimal] = []
            animals.reserveCapacity(values.count)
            for value in values {
                animals.append(
                    PlainAnimal(
                        name: value.name, diet: value.diet, age: value.age, weight: value.weight, born: value.born))
            }
            return animals
        }
        return (animals.count, 0, cost)
    }

    private static func digest(_ path: String) -> [Double] {
        let digest = hw_digest_of(path)
        let numbers = [
            digest.categories, digest.category_keys, digest.animals, digest.animal_keys, digest.visits,
            digest.visit_keys, digest.join_rows, digest.linked_animals, digest.linked_animal_keys,
            digest.version_sum, digest.age_sum,
        ]
        return numbers.map(Double.init) + [digest.weight_sum.rounded()]
    }
}
