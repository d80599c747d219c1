import ArgumentParser
import SQLiteStore
import StoreInspection

/// What a command says and how it ends when values that it showed could not be read.
enum MarkedValues {
    /// Once everything is written.
    /// - Throws: `ExitCode` 1 where values were marked.
    static func tell(of cells: [UnreadableCells?]) throws {
        let lines = cells.compactMap { $0?.summary }
        guard !lines.isEmpty else { return }
        try Output.standard.flush()
        for line in lines { Output.note(line) }
        throw ExitCode(Failure.found)
    }
}
