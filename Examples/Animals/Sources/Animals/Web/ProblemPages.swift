import HTTPTypes
import Hummingbird

/// The only place that turns errors into pages.
struct ProblemPages<Context: RequestContext>: RouterMiddleware {
    let templates: Templates

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let problem = ProblemView(error)
            if problem.status.kind == .serverError {
                context.logger.error("\(request.method) \(request.uri.path): \(String(describing: error))")
            }
            return Response(page: templates.problem(problem), status: problem.status)
        }
    }
}

/// The content of a problem page.
struct ProblemView {
    let status: HTTPResponse.Status
    let heading: String
    let text: String

    init(_ error: any Error) {
        switch error {
        case let problem as ZooProblem:
            (status, heading, text) = (problem.status, problem.heading, problem.description)
        case RequestProblem.foreignHost:
            (status, heading) = (.misdirectedRequest, "Wrong address")
            text = "Animals only answers at 127.0.0.1 or localhost."
        case RequestProblem.foreignOrigin:
            (status, heading) = (.forbidden, "Not allowed")
            text = "This change came from another site. Animals accepts changes only from its own pages."
        case let error as any HTTPResponseError:
            (status, heading, text) = Self.saying(error.status)
        default:
            (status, heading) = (.internalServerError, "Something went wrong")
            text = "The collection could not be read or changed. \(String(describing: error))"
        }
    }

    private static func saying(_ status: HTTPResponse.Status) -> (HTTPResponse.Status, String, String) {
        switch status {
        case .notFound: (status, "Page not found", "There is no page at this address.")
        case .contentTooLarge: (status, "Too large", "The form is larger than Animals accepts.")
        case .badRequest: (status, "Not understood", "The form could not be read. Go back and send it again.")
        case .unsupportedMediaType: (status, "Not understood", "Animals only accepts forms from its own pages.")
        default: (status, "Not possible", "The request was refused: \(status.reasonPhrase.lowercased()).")
        }
    }
}

extension ZooProblem {
    var status: HTTPResponse.Status {
        switch self {
        case .animalIsGone, .categoryIsGone, .editedAnimalIsGone, .editedCategoryIsGone: .notFound
        case .categoryNameIsTaken: .conflict
        case .emptyName, .longName, .unknownDiet, .missingCategory: .unprocessableContent
        case .cannotUndo: .notFound
        case .changedSince, .nameTakenSince, .categoryGoneSince, .samplesChanged, .undoFailed, .unsavedChanges, .busy,
            .workIsOver, .nothingToDelete:
            .conflict
        case .saveFailed, .workFailed: .internalServerError
        }
    }

    var heading: String {
        switch self {
        case .animalIsGone: "No such animal"
        case .categoryIsGone: "No such category"
        case .saveFailed: "Not saved"
        case .cannotUndo, .changedSince, .nameTakenSince, .categoryGoneSince, .samplesChanged, .undoFailed: "Not undone"
        case .unsavedChanges, .busy, .workIsOver, .workFailed, .nothingToDelete: "Not done"
        default: "Please check the form"
        }
    }
}
