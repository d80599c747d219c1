import ArgumentParser
import Foundation

extension Failure {
    /// Ends the process with the message and the exit code of an error.
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
            // The argument parser's errors, which include help requests, have no public type, but the parser recognizes
            // them.
            if Modelstore.exitCode(for: error) != .failure { Modelstore.exit(withError: error) }
            Output.note("modelstore: \(text(error))")
            exit(failed)
        }
    }
}
