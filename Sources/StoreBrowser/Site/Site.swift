import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection

/// Answers requests: everything that is known of HTTP but the wire.
final class Site: Sendable {
    let source: StoreSource
    let work: Work
    let plans = ShownPlans()
    let addresses: Addresses
    let options: BrowserOptions
    private let check: RequestCheck

    /// - Throws: what opening the file to look at it throws.
    init(_ options: BrowserOptions, token: String = RequestCheck.newToken()) throws {
        self.options = options
        source = try StoreSource(options)
        work = Work(source, options)
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
            if let picture = try await picture(&route) { return picture }
            if let events = events(&route) { return events }
            let view = try await Views(site: self).view(&route, request.query)
            return try await response(view, request, isProgram)
        } catch {
            return await response(Problem(error), request, isProgram)
        }
    }

    // MARK: Forms of an answer

    private func response(_ view: any View, _ request: WebRequest, _ isProgram: Bool) async throws -> WebResponse {
        if isProgram { return .json(view.status, view.value.json(.indented)) }
        return .page(view.status, try await frame(view.place).page(view, twin: Addresses.twin(request.target)))
    }

    private func response(_ problem: Problem, _ request: WebRequest, _ isProgram: Bool) async -> WebResponse {
        if isProgram {
            let fields = [InspectedField("error", .text(problem.heading)), InspectedField("text", .text(problem.text))]
            return .json(problem.status, InspectedValue.fields(fields).json(.indented))
        }
        // Who has no token is told nothing of the file.
        let isStranger = problem.status == .misdirected || problem.heading == Problem.noToken.heading
        guard !isStranger, let frame = try? await frame(nil) else {
            return .page(problem.status, PageFrame.bare(problem))
        }
        return .page(problem.status, frame.page(problem))
    }

    private func frame(_ place: Place?) async throws -> PageFrame {
        let counts = try await source.ownRowCounts()
        let (model, hasHistory) = try await source.withStore { store in
            (store.model, (try? store.historyToken()) != nil)
        }
        return PageFrame(
            addresses: addresses, fileName: source.url.lastPathComponent, mayWrite: options.mayWrite, model: model,
            counts: counts, hasHistory: hasHistory, place: place, status: work.status, notes: source.notes)
    }

    /// How the work goes on, as long as something is under way.
    private func events(_ route: inout Route) -> WebResponse? {
        guard route.ending == "events", route.take("work"), route.isAtEnd else { return nil }
        return .events(work.states())
    }

    /// The diagram as a file of its own.
    private func picture(_ route: inout Route) async throws -> WebResponse? {
        guard route.ending == "svg", route.take("model"), route.isAtEnd else { return nil }
        let name = source.url.lastPathComponent
        let svg = try await source.withStore { ModelView.picture($0.model, title: name) }
        var response = WebResponse(.ok, type: "image/svg+xml", Array(svg.utf8))
        // Its colours are within it.
        response.headers["content-security-policy"] = "default-src 'none'; style-src 'unsafe-inline'"
        return response
    }
}
