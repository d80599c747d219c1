import HTTPTypes
import Hummingbird
import ServiceLifecycle

/// All routes, and the checks that every request must pass.
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

    /// A stream of server-sent events that lasts until the window is closed or the app shuts down.
    private nonisolated static func events(_ live: LiveUpdates) -> Response {
        let texts = live.messages().cancelOnGracefulShutdown().map { ByteBuffer(string: $0.eventText) }
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: .init(asyncSequence: texts))
    }
}
