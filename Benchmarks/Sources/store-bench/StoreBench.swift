import BenchmarkSupport
import Foundation
import HandWritten

/// One workload on one file, with a result of one line of JSON: the common protocol of the compared programs.
@main
struct StoreBench {
    static func main() throws {
        let arguments: Arguments
        do {
            arguments = try Arguments(CommandLine.arguments)
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(2)
        }
        let work: any PreparedWork =
            arguments.isManaged ? ManagedWork(arguments: arguments) : Work(arguments: arguments)
        try work.adopt()
        let before = hw_digest_of(arguments.path)
        let run = try work.prepared()
        let (kept, cost) = try Cost.measure(run)
        let touched = Touched(arguments.workload, before, hw_digest_of(arguments.path))
        print(line(arguments, cost, touched))
        fflush(nil)
        withExtendedLifetime(kept) {}
        // Like in the other programs: closing the store, and its checkpoint, are not measured.
        _exit(0)
    }

    private static func line(_ arguments: Arguments, _ cost: Cost, _ touched: Touched) -> String {
        "{\"impl\":\"openswiftdata\",\"workload\":\"\(arguments.workload.rawValue)\",\"n\":\(arguments.count),"
            + "\"seconds\":\(cost.seconds),\"user_s\":\(cost.userSeconds),\"sys_s\":\(cost.systemSeconds),"
            + "\"rows\":\(touched.rows),\"idsum\":\(touched.keySum),"
            + "\"rss0_kb\":\(cost.startKB),\"peak_kb\":\(cost.peakKB)}"
    }
}

/// A workload, apart from its preparation.
protocol PreparedWork {
    /// Makes a file with rows of other programs a file of the library.
    func adopt() throws
    /// The measured work.
    func prepared() throws -> () throws -> Any
}

/// The number of affected rows, and the sum of their keys. The library's identifiers do not contain keys, so both are read from the
/// file before and after.
struct Touched {
    let rows: Int64
    let keySum: Int64

    init(_ workload: Workload, _ before: hw_digest, _ after: hw_digest) {
        switch workload {
        case .fetchRows, .fetchObjects: (rows, keySum) = (before.animals, 0)
        case .fetchByIdentifier: (rows, keySum) = (1000, 0)
        case .updateHalf:
            (rows, keySum) = (after.version_sum - before.version_sum, after.aged_animal_keys)
        case .nullify:
            rows = before.categories - after.categories + before.linked_animals - after.linked_animals
            keySum = before.category_keys - after.category_keys + before.linked_animal_keys - after.linked_animal_keys
        case .insert, .deleteAll, .deleteHalf, .cascade, .objectDelete:
            rows =
                abs(before.categories - after.categories) + abs(before.animals - after.animals)
                + abs(before.visits - after.visits) + abs(before.join_rows - after.join_rows)
            keySum =
                abs(before.category_keys - after.category_keys) + abs(before.animal_keys - after.animal_keys)
                + abs(before.visit_keys - after.visit_keys)
        }
    }
}
