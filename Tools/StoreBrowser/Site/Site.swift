import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection

/// Answers requests, independent of the HTTP server.
final class Site: Sendable {
    let source: StoreSource
    let operation: StoreOperation
    let plans: ShownPlans
    let edits: ShownEdits
    let addresses: Addresses
    let options: BrowserOptions
    private let check: RequestCheck
    /// The last page frame, used when the file cannot be read.
    private let lastFrame = Locked<PageFrame?>(nil)

    /// - Throws: errors of opening the file for inspection.
    init(_ options: BrowserOptions, token: String = RequestCheck.newToken()) throws {
        self.options = options
        source = try StoreSource(options)
        plans = ShownPlans()
        edits = ShownEdits()
        operation = StoreOperation(source, options, plans, edits)
        addresses = Addresses(token: token)
        check = RequestCheck(token: token, mayWrite: options.mayWrite)
        if options.mayWrite { operation.offerUnfinished(try source.readHere { try StoppedDelete.all($0.store) }) }
        _ = try? source.readHere { frame(nil, $0) }
    }

    func answer(_ request: WebRequest) async -> WebResponse {
        var isProgram = request.segments.last?.hasSuffix(".json") ?? false
        do {
            let segments = try check.segments(of: request)
            var route = try Route(segments)
            isProgram = route.isProgram
            if request.method == "POST" {
                return .seeOther(
                    try await Actions(site: self, back: page(before: request)).perform(&route, try request.form))
            }
            if let file = try StaticFiles.response(&route) { return file }
            if let events = events(&route) { return events }
            do {
                return try await source.readSession { [route] session in try self.answer(request, route, session) }
            } catch {
                // The operation's state can be shown without reading the file.
                guard let answer = try operationResponse(request, route) else { throw error }
                return answer
            }
        } catch {
            return await response(Problem(error), request, isProgram)
        }
    }

    /// Stops the current operation so that the program can exit. Does not wait.
    func end() {
        operation.endStreams()
        operation.stopForGood()
        source.end()
    }

    // MARK: Responses

    private func answer(_ request: WebRequest, _ route: Route, _ session: ReadSession) throws -> WebResponse {
        var route = route
        if let picture = picture(&route, session) { return picture }
        if let file = try Downloads(session: session).response(&route, request.query) { return file }
        let isProgram = route.isProgram
        let view = try Views(site: self, session: session).view(&route, request.query)
        if isProgram { return .json(view.status, view.value.json(.indented)) }
        return .page(view.status, frame(view.place, session).page(view, twin: Addresses.twin(request.target)))
    }

    /// The page of this site that sent a form.
    private func page(before request: WebRequest) -> String? {
        guard let from = request.headers["referer"], let start = from.range(of: "/\(addresses.token)/") else {
            return nil
        }
        return String(from[start.lowerBound...])
    }

    private func response(_ problem: Problem, _ request: WebRequest, _ isProgram: Bool) async -> WebResponse {
        var response = await page(problem, request, isProgram)
        if problem.status == .methodNotAllowed { response.headers["allow"] = check.methods }
        return response
    }

    private func page(_ problem: Problem, _ request: WebRequest, _ isProgram: Bool) async -> WebResponse {
        if isProgram {
            let fields = [InspectedField("error", .text(problem.heading)), InspectedField("text", .text(problem.text))]
            return .json(problem.status, InspectedValue.fields(fields).json(.indented))
        }
        let frame =
            problem.isOfStranger
            ? nil : (try? await source.readSession { self.frame(nil, $0) }) ?? frameWithoutFile(nil)
        guard let frame else { return .barePage(problem.status, PageFrame.bare(problem)) }
        return .page(problem.status, frame.page(problem, way: address(problem, after: request)))
    }

    /// `nil` for views that read the file.
    private func operationResponse(_ request: WebRequest, _ route: Route) throws -> WebResponse? {
        var route = route
        guard route.ending == nil || route.isProgram, route.take("work"), route.isAtEnd, try request.query.isEmpty
        else {
            return nil
        }
        let view = OperationView(status: operation.status, mayWrite: options.mayWrite)
        if route.isProgram { return .json(view.status, view.value.json(.indented)) }
        guard let frame = frameWithoutFile(view.place) else { return nil }
        return .page(view.status, frame.page(view, twin: Addresses.twin(request.target)))
    }

    /// The link to show with a problem: its own, or the same address again.
    private func address(_ problem: Problem, after request: WebRequest) -> (name: String, address: String)? {
        switch problem.way {
        case .operation: return ("Show its state", addresses.operation)
        case .kept: return ("Show kept deletes", addresses.kept)
        case .plan:
            // The page that had the button.
            guard let from = request.headers["referer"], let start = from.range(of: addresses.plan() + "?") else {
                return ("Entities", addresses.entities)
            }
            return ("Make the plan again", String(from[start.lowerBound...]))
        case nil:
            let mayPass = problem.status == .failed || problem.status == .unavailable
            guard mayPass, request.method == "GET", request.target.hasPrefix("/\(addresses.token)") else { return nil }
            return ("Try again", request.target)
        }
    }

    private func frame(_ place: Place?, _ session: ReadSession) -> PageFrame {
        let frame = PageFrame(
            addresses: addresses, fileName: source.url.lastPathComponent, mayWrite: options.mayWrite,
            model: session.store.model, counts: session.latestRowCounts,
            hasHistory: (try? session.store.historyToken()) != nil, place: place, status: operation.status,
            notes: session.notes)
        lastFrame.withLock { $0 = frame }
        return frame
    }

    private func frameWithoutFile(_ place: Place?) -> PageFrame? {
        guard var frame = lastFrame.withLock({ $0 }) else { return nil }
        (frame.place, frame.status, frame.notes) = (place, operation.status, [])
        return frame
    }

    /// A stream of progress updates, which ends with the operation.
    private func events(_ route: inout Route) -> WebResponse? {
        guard route.ending == "events", route.take("work"), route.isAtEnd else { return nil }
        return .events(operation.states())
    }

    /// The diagram as a standalone file.
    private func picture(_ route: inout Route, _ session: ReadSession) -> WebResponse? {
        guard route.ending == "svg", route.take("model"), route.isAtEnd else { return nil }
        let svg = ModelView.picture(session.store.model, title: source.url.lastPathComponent)
        var response = WebResponse(.ok, type: "image/svg+xml", Array(svg.utf8))
        // The SVG file contains its own style sheet.
        response.headers["content-security-policy"] = "default-src 'none'; style-src 'unsafe-inline'"
        return response
    }
}
