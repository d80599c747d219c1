import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection

/// Creates the view that an address names.
struct Views {
    let site: Site
    let session: ReadSession

    private var store: SQLiteStore { session.store }

    /// Views with query parameters; others reject them.
    private static let queried: [String?] = ["rows", "history", "plan", "search", "sql", "suggest", "object"]

    /// - Throws: `Problem`, and errors of reading.
    func view(_ route: inout Route, _ query: Fields) throws -> any View {
        guard route.ending == nil || route.isProgram else { throw Problem.nothingHere }
        if !Self.queried.contains(route.first) { try query.check([]) }
        if route.isAtEnd || route.take("entities") { return try entities(route) }
        if route.take("rows") {
            // Without an entity in the address, shows the list of entities.
            guard !route.isAtEnd else {
                try query.check([])
                return try entities(route)
            }
            return try rows(&route, query)
        }
        if route.take("object") { return try object(&route, query) }
        if route.take("change") { return try change(&route) }
        if route.take("search") { return try search(route, query) }
        if route.take("suggest") { return try suggestions(&route, query) }
        if route.take("sql") { return try sql(route, query) }
        if route.take("model") { return try model(route) }
        if route.take("history") { return try history(&route, query) }
        if route.take("plan") { return try plan(route, query) }
        if route.take("kept") { return try archivedDeletion(route) }
        if route.take("work") {
            try route.end()
            return OperationView(status: site.operation.status, mayWrite: site.options.mayWrite)
        }
        throw Problem.nothingHere
    }

    private func entities(_ route: Route) throws -> any View {
        try route.end()
        return try EntitiesView(store, counts: session.rowCounts(), url: site.source.url)
    }

    private func rows(_ route: inout Route, _ query: Fields) throws -> any View {
        let entity = try route.next()
        try route.end()
        try query.check(RowsParameters.fieldNames, repeated: ["column"])
        let parameters = try RowsParameters(entity, query)
        return try store.reading {
            try RowsView(parameters, store, $0.markingUnreadable(), forPrograms: route.isProgram)
        }
    }

    private func search(_ route: Route, _ query: Fields) throws -> any View {
        try route.end()
        try query.check(["text"])
        return try SearchView(query["text"], store)
    }

    private func suggestions(_ route: inout Route, _ query: Fields) throws -> any View {
        let entity = try route.next()
        try route.end()
        try query.check(["text"])
        return try SuggestionsView(entity, text: query["text"] ?? "", store)
    }

    private func sql(_ route: Route, _ query: Fields) throws -> any View {
        try route.end()
        try query.check(["statement"])
        return try SQLView(query["statement"], store)
    }

    private func edit(_ id: ObjectID, _ query: Fields) throws -> any View {
        guard site.options.mayWrite else { throw Problem.readOnly }
        try query.check(["only"])
        return try store.reading { try EditView(id, only: query["only"], store, $0) }
    }

    /// The review of a submitted edit: the plan, the problems, or the conflicts.
    private func change(_ route: inout Route) throws -> any View {
        guard site.options.mayWrite else { throw Problem.readOnly }
        let name = try route.next()
        let isForm = route.take("edit")
        try route.end()
        guard let id = UUID(uuidString: name), let shown = site.edits[id] else { throw Problem.changeForgotten }
        let (edit, only) = (shown.sent.edit, shown.sent.only)
        let result = try EditPlanner.result(of: edit, in: store)
        site.edits.show(nil, "", of: id)
        switch result {
        case .changedMeanwhile(let object, let version, let conflicts):
            return EditConflictView(id: object, version: version, sent: shown.sent, conflicts: conflicts)
        case .refused(let object, let problems):
            return try store.reading { try EditView(object, only: only, store, $0, draft: edit, problems: problems) }
        case .nothing(let object):
            guard isForm else { return NoChangeView(id: object) }
            return try store.reading { try EditView(object, only: only, store, $0, draft: edit) }
        case .plan(let plan):
            guard !isForm else {
                return try store.reading { try EditView(plan.id, only: only, store, $0, draft: edit) }
            }
            let view = try ChangeView(id, plan, store, makesBackup: site.source.wantsBackup)
            site.edits.show(plan, view.subject, of: id)
            return view
        }
    }

    private func object(_ route: inout Route, _ query: Fields) throws -> any View {
        let address = try "\(route.next())/\(route.next())"
        let isEdit = route.take("edit")
        try route.end()
        let id = try ObjectAddress(address).id(in: store)
        if isEdit { return try edit(id, query) }
        try query.check([])
        let hasHistory = try store.historyToken() != nil
        return try store.reading {
            try ObjectView(
                id, store, $0.markingUnreadable(), style: route.isProgram ? .exact : .people, hasHistory: hasHistory,
                mayWrite: site.options.mayWrite)
        }
    }

    private func model(_ route: Route) throws -> any View {
        try route.end()
        return ModelView(model: store.model, fileName: site.source.url.lastPathComponent)
    }

    private func history(_ route: inout Route, _ query: Fields) throws -> any View {
        guard !route.isAtEnd else { return try HistoryView(HistoryParameters(query), store) }
        guard let number = Int64(try route.next()) else { throw Problem.nothingHere }
        try route.end()
        try query.check(["page"])
        let page = try query.number("page").map { Int(clamping: $0) } ?? 1
        return try TransactionView(number, page: page, store)
    }

    private func plan(_ route: Route, _ query: Fields) throws -> any View {
        try route.end()
        let view = try PlanView(
            PlanParameters(query), store, mayWrite: site.options.mayWrite, author: site.options.author)
        if let shown = view.shown { site.plans.remember(shown) }
        return view
    }

    private func archivedDeletion(_ route: Route) throws -> any View {
        try route.end()
        return ArchivedDeletionsView(
            deletes: ArchivedDeletionSelection(try store.archivedDeletes()).groups, mayWrite: site.options.mayWrite)
    }
}
