import ObjectGraph
import PredicateFormat
import SQLiteStore
import StoreInspection
import StoreSQL

/// Why a request fails, in words for a page.
struct Problem: Error, Sendable {
    let status: WebResponse.Status
    let heading: String
    let text: String
    /// A link to follow next.
    let way: Way?
    /// Whether the client is unauthenticated: the page then reveals nothing about the file.
    private(set) var isOfStranger = false

    enum Way: Sendable {
        /// The current or the last operation.
        case operation
        /// The list of archived deletions.
        case kept
        /// The plan that was confirmed.
        case plan
    }

    init(_ status: WebResponse.Status, _ heading: String, _ text: String, way: Way? = nil) {
        self.status = status
        self.heading = heading
        self.text = text
        self.way = way
    }

    private static func ofStranger(_ problem: Problem) -> Problem {
        var problem = problem
        problem.isOfStranger = true
        return problem
    }

    static let foreignHost = ofStranger(
        Problem(.misdirected, "Wrong address", "This page answers only under 127.0.0.1 or localhost."))
    static let noToken = ofStranger(
        Problem(
            .forbidden, "The token is missing",
            "Use the whole address that modelstore browse printed; it begins with a token for this run."))
    static let foreignOrigin = Problem(
        .forbidden, "Not allowed from there",
        "This change came from another page. Changes are accepted from this one's own forms only.")
    static let readOnly = Problem(
        .forbidden, "Read only",
        "Nothing can be changed here: modelstore browse was started without --write.")
    static func unknownMethod(_ method: String) -> Problem {
        Problem(.methodNotAllowed, "Not possible", "Nothing here answers \(method).")
    }
    static let nothingHere = Problem(.notFound, "Nothing here", "There is no page at this address.")
    static let busy = Problem(
        .conflict, "One thing at a time", "Another delete, change or undo is under way. Wait for it, or stop it first.",
        way: .operation)
    static let unfinished = Problem(
        .conflict, "A delete was stopped part way",
        "Resume it, undo it, or keep the file as it is; then something else can be done.", way: .operation)
    static let over = Problem(
        .conflict, "This was already done",
        "It was resumed, undone or ended since the page was made, in another tab perhaps.",
        way: .operation)
    static let ending = Problem(.unavailable, "modelstore browse is ending", "Start it again to go on.")
    static let noHistory = Problem(
        .notFound, "No history",
        "This file keeps none. Programs write one when the store is loaded with NSPersistentHistoryTrackingKey set (Core Data), "
            + "or with SwiftData, which always does.")
    static let changeForgotten = Problem(
        .conflict, "Look again",
        "This change is no longer available, or was saved already. Open the row and edit it again.")
    static let planForgotten = Problem(
        .conflict, "Look again", "This plan is not remembered any more. Open the plan again, and confirm that one.",
        way: .plan)

    /// The limit of a name in a heading, in characters.
    private static let longestName = 80

    /// The only place that turns errors into words.
    init(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as InspectionError:
            switch error {
            case .unknownEntity(let name, _):
                self.init(.notFound, "There is no entity \(name.cut(to: Self.longestName))", error.description)
            case .noRow(let address):
                self.init(.notFound, "\(address.cut(to: Self.longestName)) is not there", error.description)
            case .inUse, .notWritable: self.init(.conflict, "The file cannot be changed now", error.description)
            case .damaged, .modelOutdated, .noModel, .notAStore:
                self.init(.failed, "The file cannot be used", error.description)
            default: self.init(.badRequest, "Not understood", error.description)
            }
        case let predicate as UnreadablePredicate:
            self.init(.badRequest, "The filter cannot be read", predicate.error.description)
        case let error as FormatTranslationError:
            self.init(.badRequest, "The filter does not fit", error.description)
        case let error as UntranslatableExpression:
            self.init(.badRequest, "Not possible here", String(describing: error))
        case let error as DatabaseFileError: self.init(.unavailable, "The file cannot be read now", error.description)
        case let error as DeleteError: self.init(.conflict, "Nothing was deleted", error.description)
        case let error as UniqueViolation: self.init(.conflict, "Not unique", error.description)
        case HistoryError.historyNotRecorded: self = .noHistory
        case let error as HistoryError: self.init(.notFound, "No history", String(describing: error))
        case let error as CellError: self.init(.failed, "A row cannot be read", error.description)
        case let error as ExternalDataError: self.init(.failed, "A row cannot be read", error.description)
        case RecoveryError.conflicts(let conflicts):
            self.init(.conflict, "Nothing was restored", RestoreObstacles.sentence(conflicts))
        case let error as RecoveryError: self.init(.conflict, "Nothing was restored", error.description)
        case let error as ReadOnlySQLError: self.init(.badRequest, "Not possible here", error.description)
        case let error as SQLTextError: self.init(.badRequest, "Not understood", error.description)
        case let error as SQLiteError: self.init(error)
        default: self.init(.failed, "Something went wrong", String(describing: error))
        }
    }

    /// The text includes SQLite's error code for reference.
    private init(_ error: SQLiteError) {
        let number = " (SQLite \(error.extendedCode))"
        if error.isBusy {
            self.init(
                .unavailable, "The file is in use",
                "Another program is writing the file\(number). Try again in a moment.")
        } else if error.isReadOnly {
            self.init(
                .conflict, "The file cannot be changed now",
                "The file, or the folder it is in, may not be written\(number); check its permissions.")
        } else if error.isCannotOpen {
            self.init(
                .unavailable, "The file cannot be read now",
                "The file cannot be opened\(number); check that it is there and may be read.")
        } else if error.isNotADatabase {
            self.init(
                .failed, "The file cannot be used",
                "The file is damaged\(number); restore it from a copy. `modelstore check` lists the damage.")
        } else {
            self.init(
                .failed, "Something went wrong", "The file could not be read or written: \(error.message)\(number).")
        }
    }
}
