import Foundation
import Hummingbird
import SwiftData

/// The web face: turns requests into calls of the collection, and what it holds into pages.
@MainActor
final class Site {
    let zoo: Zoo
    let live: LiveUpdates
    let templates: Templates
    private var saveObserver: (any NSObjectProtocol)?

    init(zoo: Zoo, live: LiveUpdates, templates: Templates) {
        self.zoo = zoo
        self.live = live
        self.templates = templates
        // A save changes what is unsaved, and the address of what was.
        saveObserver = NotificationCenter.default.addObserver(
            forName: ModelContext.didSave, object: zoo.context, queue: nil
        ) { _ in live.collectionChanged() }
    }

    isolated deinit {
        if let saveObserver { NotificationCenter.default.removeObserver(saveObserver) }
    }

    // MARK: What a request names

    func animal(_ context: BasicRequestContext) throws -> Animal {
        guard let id = ModelKey.identifier(try context.parameters.require("animal")) else {
            throw ZooProblem.animalIsGone
        }
        return try zoo.animal(id)
    }

    func category(_ context: BasicRequestContext) throws -> AnimalCategory {
        guard let id = ModelKey.identifier(try context.parameters.require("category")) else {
            throw ZooProblem.categoryIsGone
        }
        return try zoo.category(id)
    }

    /// The list an animal is shown in: that of its category, unless all were listed or it has none.
    func listing(of animal: Animal, _ request: Request) -> Listing {
        guard request.uri.queryParameters["list"] != "all", let category = animal.category else { return .all }
        return .category(category)
    }

    func notice(_ request: Request) -> Notice? {
        request.uri.queryParameters["notice"].flatMap { Notice(rawValue: String($0)) }
    }

    /// Whether a request used the identifier its model has now. One from before the first save still leads to the
    /// model, and is sent on to its lasting address.
    func isLasting(_ id: PersistentIdentifier, _ parameter: String, _ context: BasicRequestContext) -> Bool {
        context.parameters.get(parameter) == ModelKey.text(id)
    }

    func respond(_ page: Page, status: HTTPResponse.Status = .ok) -> Response {
        Response(page: templates.page(page), status: status)
    }
}
