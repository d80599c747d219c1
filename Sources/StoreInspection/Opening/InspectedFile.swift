import Foundation
import ObjectGraph
import SQLiteStore

/// A file opened only to be looked at, store or not. Nothing about it changes; `UntouchedFile` says how.
package final class InspectedFile: Sendable {
    package let untouched: UntouchedFile
    package let facts: StoreFileFacts
    /// Whether the model is one that was given, rather than the file's own.
    package let usesGivenModel: Bool

    package var url: URL { untouched.file.url }
    package var path: String { untouched.file.url.path }

    /// - Parameters:
    ///   - models: versions of the app's model, of which the one that fits is used instead of the file's own.
    ///   - earlier: the same file, opened before; what need not be copied again is taken from its private copy.
    ///   - progress: told of bytes copied of bytes in all, where a private copy is needed; throws to stop.
    /// - Throws: `DatabaseFileError`, `InspectionError.damaged`, `SQLiteError`, and what `progress` throws.
    package init(
        _ url: URL, models: ModelVersions? = nil, reusing earlier: InspectedFile? = nil,
        progress: (_ done: Int64, _ total: Int64) throws -> Void = { _, _ in }
    ) throws {
        usesGivenModel = models != nil
        let untouched = try UntouchedFile(url, reusing: earlier?.untouched, progress: progress)
        self.untouched = untouched
        do {
            if let cutOff = untouched.cutOff { throw Self.damaged(untouched.file, cutOff) }
            var facts = try Self.telling(untouched.file) {
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

    /// Removes the private copy, if there is one. Nothing is read any more.
    package func close() { untouched.close() }

    /// A connection of one's own, which cannot write.
    package func connection() throws -> Connection {
        try telling { try Connection(untouched.location, access: untouched.access) }
    }

    /// Whether all pages are as they must be. Reads them up to the first that is not.
    package var isIntact: Bool { (try? connection().isIntact()) ?? false }

    /// The model that rows are shown by: the file's own or the one given, else what its tables look like.
    package var shownModel: Model? { facts.model ?? facts.tableModel }

    /// The file as a store of the model it carries; without one that can be used, of its tables as they are.
    /// - Throws: `InspectionError`, and what opening throws.
    package func store() throws -> SQLiteStore {
        // The model may be readable where the metadata are not.
        try checkMetadata()
        let model = try shownModel ?? model()
        var options = SQLiteStore.Options()
        options.readAccess = untouched.access
        options.original = url
        options.hashes = .areNotAsked
        return try telling {
            try SQLiteStore(model: model, location: untouched.location, isReadOnly: true, options: options)
        }
    }

    /// The model that the file carries, whether or not its tables are there.
    /// - Throws: `InspectionError`.
    package func model() throws -> Model {
        try checkMetadata()
        guard let model = facts.model else {
            throw InspectionError.noModel(path, reason: facts.modelError ?? "it is missing.")
        }
        return model
    }

    /// - Throws: `InspectionError` for what is no store, or does not show that it is one any more.
    func checkMetadata() throws {
        guard facts.metadata == nil else { return }
        if let error = facts.metadataError { throw InspectionError.damaged(path, detail: error) }
        throw InspectionError.notAStore(path)
    }

    /// To be called when everything is read.
    /// - Throws: `DatabaseFileError.changed`.
    package func checkUnchanged() throws { try untouched.checkUnchanged() }

    /// Runs a body, telling of damage in words about the file.
    package func telling<Result>(_ body: () throws -> Result) throws -> Result {
        try Self.telling(untouched.file, body)
    }

    private static func telling<Result>(_ file: DatabaseFile, _ body: () throws -> Result) throws -> Result {
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

    /// What a person should know before reading on; empty for a file at rest.
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
