import ArgumentParser
import Foundation
import enum ObjectGraph.HistoryError
import enum ObjectGraph.RecoveryError
import SQLiteStore
import StoreInspection

/// How the command ends, for scripts to tell apart.
enum Failure {
    /// Something was found: `check`, `lint`, `diff`, `plan` of what cannot be done.
    static let found: Int32 = 1
    /// It could not be done; the message says why.
    static let failed: Int32 = 2
    /// Something is missing in the command; nothing was done.
    static let misunderstood: Int32 = 64
    static let readerGone: Int32 = 141

    static func end(_ error: any Error) -> Never {
        switch error {
        case OutputError.readerGone: exit(readerGone)
        case let error as Stopped:
            Output.note(error.message)
            exit(Interruption.exitCode)
        case let error as ValidationError:
            Output.note("modelstore: \(error.message)")
            exit(misunderstood)
        case is ExitCode, is CleanExit: Modelstore.exit(withError: error)
        default:
            // What the parser of arguments throws, for help too, has no public type; it knows its own.
            if Modelstore.exitCode(for: error) != .failure { Modelstore.exit(withError: error) }
            Output.note("modelstore: \(text(error))")
            exit(failed)
        }
    }

    static let noHistory = "The store keeps no history: the app that made it wants none."

    static func text(_ error: any Error) -> String {
        if let error = error as? SQLiteError { return text(error) }
        if let error = error as? CocoaError { return error.localizedDescription }
        if case HistoryError.notKept = error { return noHistory }
        if case RecoveryError.conflicts(let conflicts) = error {
            return RecoveryError.text(conflicts) { $0.text(naming: \.address) }
        }
        return String(describing: error)
    }

    /// Without the statement, which helps nobody here.
    private static func text(_ error: SQLiteError) -> String {
        if error.isNotADatabase { return "The file is damaged (SQLite: \(error.message)); restore it from a copy." }
        let plain = SQLiteError(extendedCode: error.extendedCode, message: error.message)
        return plain.description
    }
}
