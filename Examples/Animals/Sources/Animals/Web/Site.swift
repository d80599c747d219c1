import Foundation
import Hummingbird
import SwiftData

/// The web face: turns requests into calls of the collection, and what it holds into pages.
@MainActor
final class Site {
    let zoo: Zoo
    let live: LiveUpdates
    let templates: Templates
    let work: LongWork
    /// How many animals the big sample has.
    let bigSampleSize: Int
    private var saveObserver: (any NSObjectProtocol)?

    init(zoo: Zoo, work: LongWork, live: LiveUpdates, templates: Templates, bigSampleSize: Int) {
        self.work = work
        self.bigSampleSize = bigSampleSize
        self.zoo = zoo
        self.live = live
        self.templates = templates
        // A save changes what is unsaved, and the address of what was.
        saveObserver = NotificationCenter.default.addObserver(
            forName: ModelContext.didSave, object: zoo.context, queue: nil
        ) { _ in live.collectionChanged() }
        work.onChange = { status, attention in
            if let status { live.progressed(status) }
            if attention == .lookAgain { live.collectionChanged() }
        }
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
        let page = pageNumber(request)
        guard request.uri.queryParameters["list"] != "all", let category = animal.category else {
            return Listing(page: page)
        }
        return Listing(category: category, page: page)
    }

    /// Which page of a list; the first one is 1. Numbers beyond the last are put right where the list is made.
    func pageNumber(_ request: Request) -> Int {
        request.uri.queryParameters["page"].flatMap { Int($0) }.map { min(max(1, $0), 1_000_000) } ?? 1
    }

    /// What the page says once, with an Undo button while that is possible.
    func notice(_ request: Request) -> NoticeView? {
        let asked = request.uri.queryParameters
        guard let notice = asked["notice"].flatMap({ Notice(rawValue: String($0)) }) else { return nil }
        let undoID = asked["undo"].flatMap { zoo.undoList[String($0)]?.id }
        return NoticeView(noticeText: notice.text, undoID: undoID)
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
