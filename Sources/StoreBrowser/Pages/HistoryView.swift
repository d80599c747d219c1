import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection

/// Which saves are wanted, as an address says it.
struct HistoryWish: Sendable {
    /// Only saves with a lower number.
    var before: Int64?
    /// Only those that touched one object.
    var object: String?

    init() {}

    /// - Throws: `Problem` for what is not understood.
    init(_ query: Fields) throws {
        try query.check(["before", "object"])
        before = try query.number("before")
        object = query["object"]
    }
}

/// The store's saves, the newest first.
struct HistoryView: View {
    let title = "History"
    let place = Place.history
    private let wish: HistoryWish
    private let listings: [HistoryListing]
    private let labels: RowLabels
    /// To go on with; `nil` at the oldest.
    private let next: Int64?

    private static let size = 30
    private static let mostChanges = 6
    /// Saves looked at for one page about one object.
    private static let mostSearched = 20_000

    /// - Throws: `HistoryError`, `InspectionError`, and what reading throws.
    init(_ wish: HistoryWish, _ store: SQLiteStore) throws {
        self.wish = wish
        guard try store.historyToken() != nil else { throw HistoryError.notKept(store: store.identifier) }
        let object = try wish.object.map { try ObjectAddress($0).id(in: store) }
        var end = wish.before ?? .max
        var found: [HistoryTransaction] = []
        var searched = 0
        var span = Int64(Self.size)
        // What is looked for may be rare: each window is wider than the one before. It begins at a save that is there,
        // as gaps between numbers may be of any size.
        while found.count < Self.size, searched < Self.mostSearched, let last = try store.newestTransaction(before: end)
        {
            let start = max(0, last - span)
            let page = try Self.transactions(after: start, through: last, store)
            searched += page.count
            let matching = page.filter { transaction in
                object.map { wanted in transaction.changes.contains { $0.id.key == wanted.key && $0.id == wanted } }
                    ?? true
            }
            found += matching.reversed()
            end = start + 1
            span = min(span * 2, 2_000)
        }
        let shown = found.prefix(Self.size)
        listings = shown.map { HistoryListing($0, in: store.model) }
        labels = try RowLabels(shown.flatMap { $0.changes.prefix(Self.mostChanges).map(\.id) }, store)
        let isMore = try store.newestTransaction(before: end) != nil
        next = found.count > Self.size ? shown.last?.number : isMore ? end : nil
    }

    /// All of a window, ascending.
    private static func transactions(
        after start: Int64, through end: Int64, _ store: SQLiteStore
    ) throws -> [HistoryTransaction] {
        var found: [HistoryTransaction] = []
        var token: HistoryToken? = start > 0 ? HistoryToken([store.identifier: start]) : nil
        while true {
            let page: [HistoryTransaction]
            do {
                page = try store.history(after: token, limit: 200)
            } catch HistoryError.tokenExpired where found.isEmpty && token != nil {
                // The oldest are forgotten; begin where there are some.
                token = nil
                continue
            }
            found += page.filter { $0.number <= end }
            guard let last = page.last, last.number < end else { return found }
            token = last.token
        }
    }

    var value: InspectedValue {
        .fields([
            InspectedField("object", .optional(wish.object)),
            InspectedField("next", next.map(InspectedValue.integer) ?? .none),
            InspectedField("transactions", .list(listings.map(\.value))),
        ])
    }

    // MARK: For people

    func body(_ addresses: Addresses) -> Markup {
        """
        <h1>History\(wish.object.map { "<small>of <bdi>\($0)</bdi></small>" as Markup })</h1>
        \(wish.object == nil ? nil : "<p><a href=\"\(addresses.history)\">All saves</a></p>")
        \(listings.isEmpty ? "<p class=\"nothing\">No saves are kept here.</p>" : "")
        <ol class="timeline">\(days.map { day($0, addresses) })</ol>
        \(next.map { "<p><a class=\"button\" href=\"\(addresses.history(before: $0, object: wish.object))\">Older</a></p>" as Markup })
        """
    }

    private var days: [(name: String, listings: [HistoryListing])] {
        listings.reduce(into: []) { days, listing in
            let name = String(DateText.readable(listing.transaction.timestamp).prefix { $0 != " " })
            if days.last?.name == name {
                days[days.count - 1].listings.append(listing)
            } else {
                days.append((name, [listing]))
            }
        }
    }

    private func day(_ day: (name: String, listings: [HistoryListing]), _ addresses: Addresses) -> Markup {
        "<li class=\"day\"><h2>\(day.name)</h2><ol>\(day.listings.map { entry($0, addresses) })</ol></li>"
    }

    private var most: Int { listings.map(\.transaction.changes.count).max() ?? 1 }

    private func entry(_ listing: HistoryListing, _ addresses: Addresses) -> Markup {
        let transaction = listing.transaction
        let time = DateText.readable(transaction.timestamp).drop { $0 != " " }.dropFirst()
        let shown = listing.changes.prefix(Self.mostChanges)
        let rest = listing.changes.count - shown.count
        let more: Markup =
            rest > 0
            ? "<li><a href=\"\(addresses.transaction(transaction.number))\">… and \(Amounts.count(rest)) more</a></li>"
            : ""
        return """
            <li class="save"><div class="save-head"><a class="save-number" href="\(addresses.transaction(transaction.number))">\
            #\(transaction.number)</a> <time>\(String(time))</time> \(HistoryParts.counts(listing))\(HistoryParts.who(listing))</div>
            \(HistoryParts.bar(listing, most: most))<ul class="changes">\(shown.map { HistoryParts.change($0, labels, addresses) })\(more)</ul></li>
            """
    }
}

/// One save with all it changed.
struct TransactionView: View {
    let place = Place.history
    private let listing: HistoryListing
    private let page: Int
    private let labels: RowLabels

    private static let size = 200

    var title: String { "Save #\(listing.transaction.number)" }

    /// - Throws: `Problem`, `HistoryError`, and what reading throws.
    init(_ number: Int64, page: Int, _ store: SQLiteStore) throws {
        let missing = Problem(
            .notFound, "Not there", "There is no save #\(number) in the history; it may be forgotten.")
        guard number > 0 else { throw missing }
        let token = number > 1 ? HistoryToken([store.identifier: number - 1]) : nil
        let found: HistoryTransaction?
        do {
            found = try store.history(after: token, limit: 1).first
        } catch HistoryError.tokenExpired {
            found = try store.history(after: nil, limit: 1).first
        }
        guard let found, found.number == number else { throw missing }
        listing = HistoryListing(found, in: store.model)
        self.page = max(1, min(page, 1_000_000))
        let shown = found.changes.dropFirst((self.page - 1) * Self.size).prefix(Self.size)
        labels = try RowLabels(shown.map(\.id), store)
    }

    var value: InspectedValue { listing.value }

    func body(_ addresses: Addresses) -> Markup {
        let transaction = listing.transaction
        let changes = listing.changes
        let shown = changes.dropFirst((page - 1) * Self.size).prefix(Self.size)
        return """
            <nav class="crumbs" aria-label="Where this is"><a href="\(addresses.history)">History</a>\
            <span>#\(transaction.number)</span></nav>
            <h1>\(title)<small>\(DateText.readable(transaction.timestamp))</small></h1>
            <p class="save-head">\(HistoryParts.counts(listing))\(HistoryParts.who(listing))</p>
            \(HistoryParts.bar(listing, most: changes.count))
            <ul class="changes whole">\(shown.map { HistoryParts.change($0, labels, addresses) })</ul>
            \(Parts.pager(page: page, size: Self.size, shown: shown.count, total: changes.count) {
                addresses.transaction(transaction.number, page: $0)
            })
            """
    }
}

/// Pieces of both.
private enum HistoryParts {
    static func counts(_ listing: HistoryListing) -> Markup {
        let counts = listing.counts
        func part(_ sign: String, _ count: Int, _ kind: String, _ word: String) -> Markup? {
            count > 0
                ? "<span class=\"change-count \(kind)\" title=\"\(word)\">\(sign)\(Amounts.count(count))</span> " : nil
        }
        return """
            \(part("+", counts.inserted, "insert", "inserted"))\(part("~", counts.updated, "update", "updated"))\
            \(part("−", counts.deleted, "delete", "deleted"))
            """
    }

    static func who(_ listing: HistoryListing) -> Markup {
        "<span class=\"dim\"><bdi>\(listing.who.joined(separator: ", "))</bdi></span>"
    }

    /// How much of each kind, drawn; a save ten times as large is not ten times as long.
    /// - Parameter most: changes of the largest save beside it.
    static func bar(_ listing: HistoryListing, most: Int) -> Markup {
        let counts = listing.counts
        let count = listing.transaction.changes.count
        let total = Double(max(1, count))
        let scale = log10(1 + Double(count)) / log10(1 + Double(max(1, most)))
        var left = 0.0
        func piece(_ count: Int, _ kind: String) -> Markup? {
            guard count > 0 else { return nil }
            let width = 100 * scale * Double(count) / total
            defer { left += width }
            return
                "<rect class=\"\(kind)\" x=\"\(SVGText.number(left))%\" width=\"\(SVGText.number(width))%\" height=\"4\"/>"
        }
        let pieces = [
            piece(counts.inserted, "insert"), piece(counts.updated, "update"), piece(counts.deleted, "delete"),
        ]
        return
            "<svg class=\"save-bar\" height=\"4\" width=\"100%\" aria-hidden=\"true\">\(pieces.compactMap { $0 })</svg>"
    }

    static func change(
        _ change: HistoryListing.Change, _ labels: RowLabels, _ addresses: Addresses
    ) -> Markup {
        let name: Markup =
            !labels.exists(change.id)
            ? "<code><bdi>\(change.id.address)</bdi></code>"
            : """
            <a href="\(addresses.object(change.id))"><code><bdi>\(change.id.address)</bdi></code></a> \
            <bdi>\(labels[change.id] ?? "")</bdi>
            """
        let sign = change.kind == "insert" ? "+" : change.kind == "update" ? "~" : "−"
        return """
            <li><span class="sign \(change.kind)" title="\(change.kind)">\(sign)</span> \(name) \
            <span class="dim"><bdi>\(change.detail)</bdi></span></li>
            """
    }
}
