import ArgumentParser
import SQLiteStore
import StoreInspection

/// What a command says and how it ends when values that it showed could not be read.
enum MarkedValues {
    /// Once everything is written.
    /// - Throws: `ExitCode` 1 where values were marked.
    static func tell(of cells: [UnreadableCells?]) throws {
        guard let line = UnreadableCells.summary(of: cells.compactMap { $0 }) else { return }
        try Output.standard.flush()
        Output.note(line)
        throw ExitCode(Failure.found)
    }
}
