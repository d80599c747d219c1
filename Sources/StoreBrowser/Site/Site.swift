import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection

/// Answers requests: everything that is known of HTTP but the wire.
final class Site: Sendable {
    let source: StoreSource
    let work: Work
    let plans: ShownPlans
    let addresses: Addresses
    let options: BrowserOptions
    private let check: RequestCheck

    /// - Throws: what opening the file to look at it throws.
    init(_ options: BrowserOptions, token: String = RequestCheck.newToken()) throws {
        self.options = options
        source = try StoreSource(options)
        plans = ShownPlans()
        work = Work(source, options, plans)
        addresses = Addresses(token: token)
        check = RequestCheck(token: token, mayWrite: options.mayWrite)
        if options.mayWrite { work.takeUp(try source.unfinishedJobs()) }
    }

    func answer(_ request: WebRequest) async -> WebResponse {
        var isProgram = request.segments.last?.hasSuffix(".json") ?? false
        do {
            let segments = try check.segments(of: request)
            var route = try Route(segments)
            isProgram = route.isProgram
            if request.method == "POST" {
                return .seeOther(try await Actions(site: self).perform(&route, try request.form))
            }
            if let file = try StaticFiles.response(&route) { return file }
            if let events = events(&route) { return events }
            return try await source.look { [route] look in try self.answer(request, route, look) }
        } catch {
            return await response(Problem(error), request, isProgram)
        }
    }

    /// Ends what is under way, so that the program can end. Waits for nothing.
    func end() {
        work.endTelling()
        work.stopForGood()
        source.end()
    }

    // MARK: Forms of an answer

    private func answer(_ request: WebRequest, _ route: Route, _ look: Look) throws -> WebResponse {
        var route = route
        if let picture = picture(&route, look) { return picture }
        let isProgram = route.isProgram
        let view = try Views(site: self, look: look).view(&route, request.query)
        if isProgram { return .json(view.status, view.value.json(.indented)) }
        return .page(view.status, frame(view.place, look).page(view, twin: Addresses.twin(request.target)))
    }

    private func response(_ problem: Problem, _ request: WebRequest, _ isProgram: Bool) async -> WebResponse {
        if isProgram {
            let fields = [InspectedField("error", .text(problem.heading)), InspectedField("text", .text(problem.text))]
            return .json(problem.status, InspectedValue.fields(fields).json(.indented))
        }
        // Who has no token is told nothing of the file.
        let isStranger = problem.status == .misdirected || problem.heading == Problem.noToken.heading
        guard !isStranger, let frame = try? await source.look({ self.frame(nil, $0) }) else {
            return .barePage(problem.status, PageFrame.bare(problem))
        }
        return .page(problem.status, frame.page(problem, way: address(problem.way, after: request)))
    }

    /// Where a problem's way leads to.
    private func address(_ way: Problem.Way?, after request: WebRequest) -> (name: String, address: String)? {
        switch way {
        case .work: return ("See how it stands", addresses.work)
        case .kept: return ("See what is kept", addresses.kept)
        case .plan:
            // The page that the button was on.
            guard let from = request.headers["referer"], let start = from.range(of: addresses.plan() + "?") else {
                return ("Entities", addresses.entities)
            }
            return ("Make the plan again", String(from[start.lowerBound...]))
        case nil: return nil
        }
    }

    private func frame(_ place: Place?, _ look: Look) -> PageFrame {
        PageFrame(
            addresses: addresses, fileName: source.url.lastPathComponent, mayWrite: options.mayWrite,
            model: look.store.model, counts: look.latestRowCounts,
            hasHistory: (try? look.store.historyToken()) != nil, place: place, status: work.status, notes: look.notes)
    }

    /// How the work goes on, as long as something is under way.
    private func events(_ route: inout Route) -> WebResponse? {
        guard route.ending == "events", route.take("work"), route.isAtEnd else { return nil }
        return .events(work.states())
    }

    /// The diagram as a file of its own.
    private func picture(_ route: inout Route, _ look: Look) -> WebResponse? {
        guard route.ending == "svg", route.take("model"), route.isAtEnd else { return nil }
        let svg = ModelView.picture(look.store.model, title: source.url.lastPathComponent)
        var response = WebResponse(.ok, type: "image/svg+xml", Array(svg.utf8))
        // Its colours are within it.
        response.headers["content-security-policy"] = "default-src 'none'; style-src 'unsafe-inline'"
        return response
    }
}
