import Foundation
import ObjectGraph
import SQLiteStore

/// A file opened for inspection, whether or not it is a store. The file is not modified; see `UntouchedFile`.
package final class InspectedFile: Sendable {
    package let untouched: UntouchedFile
    package let facts: StoreFileFacts
    /// Whether the model is a given one instead of the file's own.
    package let usesGivenModel: Bool

    package var url: URL { untouched.file.url }
    package var path: String { untouched.file.url.path }

    /// - Parameters:
    ///   - models: versions of the app's model; the matching version replaces the file's own model.
    ///   - earlier: an earlier inspection of the same file, whose private copy is reused where possible.
    ///   - progress: called with the bytes copied and the total if a private copy is needed; throws to stop.
    /// - Throws: `DatabaseFileError`, `InspectionError.damaged`, `SQLiteError`, and errors of `progress`.
    package init(
        _ url: URL, models: ModelVersions? = nil, reusing earlier: InspectedFile? = nil,
        progress: (_ done: Int64, _ total: Int64) throws -> Void = { _, _ in }
    ) throws {
        usesGivenModel = models != nil
        let untouched = try UntouchedFile(url, reusing: earlier?.untouched, progress: progress)
        self.untouched = untouched
        do {
            if let cutOff = untouched.cutOff { throw Self.damaged(untouched.file, cutOff) }
            var facts = try Self.describingErrors(untouched.file) {
                let connection = try Connection(untouched.location, access: untouched.access)
                return try connection.inTransaction(.reading) { try StoreFileFacts(connection) }
            }
            if let models, let metadata = facts.metadata {
                facts.model = try models.model(for: metadata, of: untouched.file.url.path)
                facts.modelError = nil
            }
            self.facts = facts
        } catch {
            untouched.close()
            throw error
        }
    }

    deinit { close() }

    /// Removes the private copy, if there is one. No reads are possible afterwards.
    package func close() { untouched.close() }

    /// Opens a new read-only connection.
    package func connection() throws -> Connection {
        try describingErrors { try Connection(untouched.location, access: untouched.access) }
    }

    /// Whether SQLite's quick check finds no error. It stops at the first one.
    package var isIntact: Bool { (try? connection().isIntact()) ?? false }

    /// The model for showing rows: the given one or the file's own, or else one inferred from its tables.
    package var shownModel: Model? { facts.model ?? facts.tableModel }

    /// The file as a store of its model, or of a model inferred from its tables if it has no usable model.
    /// - Throws: `InspectionError`, and errors of opening.
    package func store() throws -> SQLiteStore {
        // The model may be readable even if the metadata are not.
        try checkMetadata()
        let model = try shownModel ?? model()
        var options = SQLiteStore.Options()
        options.readAccess = untouched.access
        options.original = url
        options.hashes = .areNotAsked
        return try describingErrors {
            try SQLiteStore(model: model, location: untouched.location, isReadOnly: true, options: options)
        }
    }

    /// The model in the file, whether or not its tables exist.
    /// - Throws: `InspectionError`.
    package func model() throws -> Model {
        try checkMetadata()
        guard let model = facts.model else {
            throw InspectionError.noModel(path, reason: facts.modelError ?? "it is missing.")
        }
        return model
    }

    /// - Throws: `InspectionError` if the file is no store, or is too damaged to be recognized as one.
    func checkMetadata() throws {
        guard facts.metadata == nil else { return }
        if let error = facts.metadataError { throw InspectionError.damaged(path, detail: error) }
        throw InspectionError.notAStore(path)
    }

    /// Checks that the file did not change; call it after the last read.
    /// - Throws: `DatabaseFileError.changed`.
    package func checkUnchanged() throws { try untouched.checkUnchanged() }

    /// Runs the closure and rethrows errors of damaged files with a description of the file.
    package func describingErrors<Result>(_ body: () throws -> Result) throws -> Result {
        try Self.describingErrors(untouched.file, body)
    }

    private static func describingErrors<Result>(_ file: DatabaseFile, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SQLiteError where error.isNotADatabase {
            throw InspectionError.damaged(file.url.path, detail: "SQLite: \(error.message)")
        }
    }

    private static func damaged(_ file: DatabaseFile, _ cutOff: DatabaseFile.CutOff) -> InspectionError {
        let (size, wanted) = (Amounts.bytes(cutOff.size), Amounts.bytes(cutOff.wanted))
        return .damaged(file.url.path, detail: "it is cut off: \(size) of \(wanted) are there")
    }

    /// Notes about the file's state that the user should read first; empty for a usual file that is not in use.
    package var notes: [String] {
        var notes: [String] = []
        if untouched.file.use != .nobody {
            notes.append("Another process has the file open; this is its state of a moment ago.")
        } else if untouched.file.hasJournal {
            notes.append("The file was left in the middle of a transaction, which is left out.")
        }
        if facts.metadata != nil, facts.model == nil, facts.tableModel != nil {
            notes.append(
                "The file has no model that can be used; its tables are shown as they are. Give the app's model with "
                    + "--model to see more.")
        }
        return notes
    }
}
