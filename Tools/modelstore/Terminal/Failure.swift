import Foundation
import enum ObjectGraph.HistoryError
import enum ObjectGraph.RecoveryError
import SQLiteStore
import StoreInspection

/// Exit codes and messages of the command.
enum Failure {
    /// Findings: of `check`, `lint`, `diff`, or a blocked `plan`.
    static let found: Int32 = 1
    /// The command failed; the message says why.
    static let failed: Int32 = 2
    /// The arguments are invalid; nothing was done.
    static let misunderstood: Int32 = 64
    static let readerGone: Int32 = 141

    static let noHistory = "The store keeps no history: the app that made it wants none."

    static func text(_ error: any Error) -> String {
        if let error = error as? SQLiteError { return text(error) }
        if let error = error as? CocoaError { return error.localizedDescription }
        if case HistoryError.historyNotRecorded = error { return noHistory }
        if case RecoveryError.conflicts(let conflicts) = error {
            return RecoveryError.text(conflicts) { $0.text(naming: \.address) }
        }
        return String(describing: error)
    }

    /// The message without the SQL statement, which does not help the user.
    private static func text(_ error: SQLiteError) -> String {
        if error.isNotADatabase { return "The file is damaged (SQLite: \(error.message)); restore it from a copy." }
        let plain = SQLiteError(extendedCode: error.extendedCode, message: error.message)
        return plain.description
    }
}
