import Foundation
import Hummingbird
import SwiftData

/// The web interface: turns requests into calls of the collection, and the result into pages.
@MainActor
final class Site {
    let zoo: Zoo
    let live: LiveUpdates
    let templates: Templates
    let work: LongWork
    /// The number of animals in the big sample.
    let bigSampleSize: Int
    private var notices = NoticeBoard()

    init(zoo: Zoo, work: LongWork, live: LiveUpdates, templates: Templates, bigSampleSize: Int) {
        self.work = work
        self.bigSampleSize = bigSampleSize
        self.zoo = zoo
        self.live = live
        self.templates = templates
        work.onChange = { live.collectionChanged() }
    }

    // MARK: Requested models

    func animal(_ context: BasicRequestContext) throws -> Animal {
        guard let id = key("animal", context).flatMap(zoo.identifier) else {
            throw ZooProblem.animalIsGone
        }
        return try zoo.animal(id)
    }

    func category(_ context: BasicRequestContext) throws -> AnimalCategory {
        guard let id = key("category", context).flatMap(zoo.identifier) else {
            throw ZooProblem.categoryIsGone
        }
        return try zoo.category(id)
    }

    /// The key made by `Address.key`, without the percent-encoding of the path.
    private func key(_ parameter: String, _ context: BasicRequestContext) -> String? {
        context.parameters.get(parameter)?.removingPercentEncoding
    }

    /// The list to show an animal in: its category's, or all animals if the request listed all or it has no category.
    func listing(of animal: Animal, _ request: Request) -> Listing {
        listing(FormFields(queryOf: request)["list"] == "all" ? nil : animal.category, request)
    }

    /// The list's page and search from a request. A page beyond the last one is replaced when the list is made.
    func listing(_ category: AnimalCategory?, _ request: Request) -> Listing {
        let fields = FormFields(queryOf: request)
        let page = Int(fields["page"]).map { min(max(1, $0), 1_000_000) } ?? 1
        return Listing(
            category: category.map { ListedCategory($0) }, page: page, search: EntryText.search(fields["q"]))
    }

    // MARK: Notices

    /// A notice that the page shows once, with an Undo button while undoing is possible.
    func notice(_ request: Request) -> NoticeView? {
        notices[FormFields(queryOf: request)["notice"]].map { notice in
            NoticeView(noticeText: notice.text, undoID: notice.undoID.flatMap { zoo.undoList[$0]?.id })
        }
    }

    /// Redirects to a page that shows a notice once.
    func seeOther(_ address: String, _ notice: Notice) -> Response {
        .seeOther(withNotice(notices.post(notice), address))
    }

    /// Redirects to the permanent address of the requested model, with the request's notice.
    func seeOther(_ address: String, sameNotice request: Request) -> Response {
        let id = FormFields(queryOf: request)["notice"]
        return .seeOther(notices[id] == nil ? address : withNotice(id, address))
    }

    private func withNotice(_ id: String, _ address: String) -> String {
        "\(address)\(address.contains("?") ? "&" : "?")notice=\(id)"
    }

    /// Whether a request used the model's current identifier. The identifier before the first save still works, but is
    /// redirected to the permanent address.
    func isLasting(_ id: PersistentIdentifier, _ parameter: String, _ context: BasicRequestContext) -> Bool {
        key(parameter, context) == Address.key(id)
    }

    func respond(_ page: Page, status: HTTPResponse.Status = .ok) -> Response {
        Response(page: templates.page(page), status: status)
    }
}
