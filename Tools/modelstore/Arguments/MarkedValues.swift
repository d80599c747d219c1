import ArgumentParser
import SQLiteStore
import StoreInspection

/// The message and exit code of commands that could not read some values.
enum MarkedValues {
    /// Writes the message. Call it after the last output.
    /// - Throws: `ExitCode` 1 if values were marked as unreadable.
    static func report(of cells: [UnreadableCells?]) throws {
        guard let line = UnreadableCells.summary(of: cells.compactMap { $0 }) else { return }
        try Output.standard.flush()
        Output.note(line)
        throw ExitCode(Failure.found)
    }
}
