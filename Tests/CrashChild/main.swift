import CFaultVFS
import Foundation
import SQLiteStore

// Run by the tests as separate processes: it is killed, it makes SQLite's file system fail for the whole process, and some
// tests are about several processes:
//
//     CrashChild make FOLDER SHELVES BOXES     a store to work on
//     CrashChild run FOLDER N                  deletes in chunks; killed at the nth call; prints the number of calls
//     CrashChild verify TEMPLATE FOLDER...     resumes killed work; prints the errors
//     CrashChild keep FOLDER N                 like `run`, with an archive
//     CrashChild restore FOLDER N              restores the archive; killed at the nth call; prints the number of calls
//     CrashChild kept TEMPLATE FOLDER...       resumes either and restores the rest; prints the errors
//     CrashChild fault ACT TEMPLATE SCRATCH DISTANCE OFFSET
//                                              faults during one transaction (`Faults.Name`), at calls this far apart
//                                              (`Faults.Places`); prints the errors
//     CrashChild chunked TEMPLATE SCRATCH DISTANCE OFFSET
//                                              faults during a delete in chunks
//     CrashChild migrate FOLDER N              migrates; killed at the nth call; prints the number of calls
//     CrashChild migrated TEMPLATE FOLDER...   resumes killed work; prints the errors
//     CrashChild migration TEMPLATE SCRATCH DISTANCE OFFSET
//                                              faults during a migration; prints the errors
//     CrashChild farm FOLDER JOURNAL           a store of Core Data; its models are beside the program, as in the next two
//     CrashChild map WAY JOURNAL FOLDER N      migrates it by objects (`MappedFarm.Way`); killed at the nth call; prints their number
//     CrashChild mapped WAY JOURNAL FOLDER...  resumes killed work; prints the errors
//     CrashChild delete FOLDER WAIT            deletes in chunks, beside other processes; prints the number of rows
//     CrashChild work FOLDER WAIT              reads and writes until the folder has a file `stop`
//     CrashChild insert FOLDER COUNT AUTHOR    saves a number of labels, one by one, as this author
//
// WAIT is how long a call may wait for a lock, in seconds. The last line is the number of calls or cases.

func faults(_ arguments: [String]) throws -> Faults {
    let template = CrashWorld(folder: arguments[1])
    let after = try template.copy(to: arguments[2])
    let store = try after.open()
    _ = try store.delete(try CrashWorld.request(store))
    return try Faults(template, folder: arguments[2], after: try after.contents())
}

func migration(_ arguments: [String]) throws -> Faults {
    let template = CrashWorld(folder: arguments[1])
    let after = try template.copy(to: arguments[2])
    _ = try after.migrate()
    return try Faults(template, folder: arguments[2], after: try after.contents())
}

/// From the last two arguments.
func places(_ arguments: [String]) throws -> Faults.Places {
    let numbers = arguments.suffix(2).compactMap { Int($0) }
    guard numbers.count == 2, numbers[0] > 0, numbers[1] >= 0 else { throw CrashProblem("no places in \(arguments)") }
    return Faults.Places(distance: numbers[0], offset: numbers[1])
}

func way(_ arguments: [String]) throws -> MappedFarm.Way {
    guard let way = MappedFarm.Way(rawValue: arguments[1]) else { throw CrashProblem("no way \(arguments[1])") }
    return way
}

/// Every `Moment` has to occur among the killed processes.
func mapped(
    _ way: MappedFarm.Way, _ journal: String, _ folders: [String], _ problems: inout [String]
) throws -> Int {
    var moments = Set(MappedFarm.Moment.all(way, journal))
    for folder in folders {
        let farm = MappedFarm(folder: folder)
        let moment = try farm.moment()
        moments.remove(moment)
        problems += try farm.problems(way, journal).map { "\(folder), \(moment): \($0)" }
    }
    problems += moments.map { "none was killed while \($0)" }
    return folders.count
}

func work(_ arguments: [String]) async throws {
    var problems: [String] = []
    var count = 0
    switch (arguments.first, arguments.count) {
    case ("make", 4):
        try CrashWorld(folder: arguments[1]).make(
            shelves: Int(arguments[2]) ?? 0, boxesEach: Int(arguments[3]) ?? 0)
    case ("run", 3): count = try Crashes.run(CrashWorld(folder: arguments[1]), killAt: Int(arguments[2]) ?? 0)
    case ("verify", 3...):
        let done = try CrashWorld(folder: arguments[1]).copy(to: arguments[1] + "-done")
        let store = try done.open()
        _ = try store.delete(try CrashWorld.request(store))
        let expected = try done.contents()
        for folder in arguments.dropFirst(2) {
            problems += try Crashes.verify(CrashWorld(folder: folder), expected: expected).map { "\(folder): \($0)" }
            count += 1
        }
    case ("keep", 3):
        count = try Crashes.run(CrashWorld(folder: arguments[1]), .everyChunk, killAt: Int(arguments[2]) ?? 0)
    case ("restore", 3): count = try Crashes.restore(CrashWorld(folder: arguments[1]), killAt: Int(arguments[2]) ?? 0)
    case ("kept", 3...):
        let original = try CrashWorld(folder: arguments[1]).contents()
        for folder in arguments.dropFirst(2) {
            problems += try Crashes.verifyKept(CrashWorld(folder: folder), original: original).map {
                "\(folder): \($0)"
            }
            count += 1
        }
    case ("fault", 6):
        let faults = try faults(Array(arguments.dropFirst()))
        guard let name = Faults.Name(rawValue: arguments[1]) else { throw CrashProblem("no act \(arguments[1])") }
        let act = try Faults.act(name, on: faults.template, scratch: arguments[3])
        count = try faults.all(places(arguments), files: name.files) { try faults.whole(act, $0, &problems) }
    case ("chunked", 5):
        let faults = try faults(arguments)
        count = try faults.all(places(arguments)) { try faults.chunked($0, &problems) }
    case ("migrate", 3): count = try Crashes.migrate(CrashWorld(folder: arguments[1]), killAt: Int(arguments[2]) ?? 0)
    case ("migrated", 3...):
        let faults = try migration([arguments[0], arguments[1], arguments[1] + "-done"])
        for folder in arguments.dropFirst(2) {
            let world = CrashWorld(folder: folder)
            problems += try Crashes.verifyMigration(world, before: faults.before, after: faults.after)
                .map { "\(folder): \($0)" }
            count += 1
        }
    case ("migration", 5):
        let faults = try migration(arguments)
        count = try faults.all(places(arguments), files: .untouched) { try faults.migration($0, &problems) }
    case ("farm", 3): try MappedFarm(folder: arguments[1]).make(arguments[2])
    case ("map", 5):
        let farm = MappedFarm(folder: arguments[3])
        count = try farm.migrate(way(arguments), arguments[2], killAt: Int(arguments[4]) ?? 0)
    case ("mapped", 4...):
        count = try mapped(way(arguments), arguments[2], Array(arguments.dropFirst(3)), &problems)
    case ("delete", 3):
        count = try await Neighbours.delete(CrashWorld(folder: arguments[1]), wait: Double(arguments[2]) ?? 0)
    case ("work", 3):
        let world = CrashWorld(folder: arguments[1])
        count = try Neighbours.work(world, folder: arguments[1], wait: Double(arguments[2]) ?? 0, &problems)
    case ("insert", 4):
        count = try Neighbours.insert(
            CrashWorld(folder: arguments[1]), labels: Int(arguments[2]) ?? 0, author: arguments[3])
    default: throw CrashProblem("unknown arguments \(arguments)")
    }
    for problem in problems { print(problem) }
    print(count)
}

do {
    let arguments = Array(CommandLine.arguments.dropFirst())
    // The wrapped file system does not sleep, and concurrent processes wait for locks.
    if let mode = arguments.first, !["delete", "work", "insert"].contains(mode), fault_install() != 0 {
        throw CrashProblem("the file system cannot be wrapped")
    }
    try await work(arguments)
} catch {
    print("failed: \(error)")
    exit(1)
}
