import Foundation
import TestSupport

/// Settings of the digest tests from the environment.
enum DigestSettings {
    private static let environment = ProcessInfo.processInfo.environment

    /// `OPENSWIFTDATA_RECORD_DIGESTS=1` records instead of checking.
    static let isRecording = environment["OPENSWIFTDATA_RECORD_DIGESTS"] == "1"

    /// `OPENSWIFTDATA_DIGEST_DUMP=<folder>`: where the lines of each seed are written, to compare two revisions.
    static let dumpFolder = environment["OPENSWIFTDATA_DIGEST_DUMP"].map { URL(fileURLWithPath: $0) }

    /// `OPENSWIFTDATA_DIGEST_RUNS=GraphRun,LinkPair` leaves out the other runs.
    static let runs = environment["OPENSWIFTDATA_DIGEST_RUNS"]?.split(separator: ",").map(String.init)

    /// `OPENSWIFTDATA_DIGEST_SEEDS=all`, `=17` or `=0-99`; a few when it is not set.
    static let seeds: [UInt64] = {
        let variable = "OPENSWIFTDATA_DIGEST_SEEDS"
        if environment[variable] == "all" { return Array(DigestedRun.seeds) }
        return Seeds.chosen(by: variable) ?? [0, 1, 250, 499]
    }()
}
