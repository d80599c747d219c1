import HTTPTypes
import Hummingbird
import ServiceLifecycle

/// All routes, behind the checks every request passes.
@MainActor
enum AnimalsRouter {
    static func router(site: Site, files: StaticFiles) -> Router<BasicRequestContext> {
        let router = Router(context: BasicRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.middlewares.add(SecurityHeaders())
        router.middlewares.add(ProblemPages(templates: site.templates))
        router.middlewares.add(SameOriginOnly())
        router.get("/static/:file") { _, context in try files.response(try context.parameters.require("file")) }
        router.get("/events") { [live = site.live] _, _ in Self.events(live) }
        site.addAnimalRoutes(to: router)
        site.addCategoryRoutes(to: router)
        site.addSavingRoutes(to: router)
        site.addUndoRoutes(to: router)
        site.addWorkRoutes(to: router)
        return router
    }

    /// Server-sent events, for as long as the window stays open and the app is not told to end.
    private nonisolated static func events(_ live: LiveUpdates) -> Response {
        let texts = live.messages().cancelOnGracefulShutdown().map { ByteBuffer(string: $0.eventText) }
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: .init(asyncSequence: texts))
    }
}
