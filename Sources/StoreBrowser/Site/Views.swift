import ObjectGraph
import SQLiteStore
import StoreInspection

/// Finds the view that an address names.
struct Views {
    let site: Site

    /// The others have no query.
    private static let queried: [String?] = ["rows", "history", "plan"]

    /// - Throws: `Problem`, and what reading throws.
    func view(_ route: inout Route, _ query: Fields) async throws -> any View {
        guard route.ending == nil || route.isProgram else { throw Problem.nothingHere }
        if !Self.queried.contains(route.first) { try query.check([]) }
        if route.isAtEnd || route.take("entities") { return try await entities(route) }
        if route.take("rows") {
            // Of no entity: there are these to choose from.
            guard !route.isAtEnd else {
                try query.check([])
                return try await entities(route)
            }
            return try await rows(&route, query)
        }
        if route.take("object") { return try await object(&route, query) }
        if route.take("model") { return try await model(route) }
        if route.take("history") { return try await history(&route, query) }
        if route.take("plan") { return try await plan(route, query) }
        if route.take("kept") { return try await kept(route) }
        if route.take("work") {
            try route.end()
            return WorkView(status: site.work.status, mayWrite: site.options.mayWrite)
        }
        throw Problem.nothingHere
    }

    private func entities(_ route: Route) async throws -> any View {
        try route.end()
        let counts = try await site.source.ownRowCounts()
        let url = site.source.url
        return try await site.source.withStore { try EntitiesView($0, counts: counts, url: url) }
    }

    private func rows(_ route: inout Route, _ query: Fields) async throws -> any View {
        let entity = try route.next()
        try route.end()
        try query.check(RowsWish.fieldNames)
        let wish = try RowsWish(entity, query)
        let isProgram = route.isProgram
        return try await site.source.reading { store, reading in
            try RowsView(wish, store, reading, forPrograms: isProgram)
        }
    }

    private func object(_ route: inout Route, _ query: Fields) async throws -> any View {
        let address = try "\(route.next())/\(route.next())"
        try route.end()
        let hasHistory = try await site.source.withStore { try $0.historyToken() != nil }
        return try await site.source.reading { store, reading in
            try ObjectView(ObjectAddress(address).id(in: store), store, reading, hasHistory: hasHistory)
        }
    }

    private func model(_ route: Route) async throws -> any View {
        try route.end()
        let name = site.source.url.lastPathComponent
        return try await site.source.withStore { ModelView(model: $0.model, fileName: name) }
    }

    private func history(_ route: inout Route, _ query: Fields) async throws -> any View {
        guard !route.isAtEnd else {
            let wish = try HistoryWish(query)
            return try await site.source.withStore { try HistoryView(wish, $0) }
        }
        guard let number = Int64(try route.next()) else { throw Problem.nothingHere }
        try route.end()
        try query.check(["page"])
        let page = try query.number("page").map { Int(clamping: $0) } ?? 1
        return try await site.source.withStore { try TransactionView(number, page: page, $0) }
    }

    private func plan(_ route: Route, _ query: Fields) async throws -> any View {
        try route.end()
        let (mayWrite, author) = (site.options.mayWrite, site.options.author)
        let view = try await site.source.withStore { store in
            try PlanView(PlanWish(query), store, mayWrite: mayWrite, author: author)
        }
        if let shown = view.shown { site.plans.remember(shown) }
        return view
    }

    private func kept(_ route: Route) async throws -> any View {
        try route.end()
        let mayWrite = site.options.mayWrite
        return try await site.source.withStore {
            KeptView(deletes: KeptSelection(try $0.keptDeletes()).groups, mayWrite: mayWrite)
        }
    }
}
