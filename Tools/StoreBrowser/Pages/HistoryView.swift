import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection

/// The parameters of a history listing, read from an address.
struct HistoryParameters: Sendable {
    /// Lists only saves with a lower number.
    var before: Int64?
    /// Lists only saves that changed this object.
    var object: String?

    /// - Throws: `Problem` if the parameters are invalid.
    init(_ query: Fields) throws {
        try query.check(["before", "object"])
        before = try query.number("before")
        object = query["object"]
    }
}

/// The store's saves, newest first.
struct HistoryView: View {
    let title = "History"
    let place = Place.history
    private let parameters: HistoryParameters
    private let entries: [HistoryListing.Entry]
    private let labels: NamedRows
    /// Where the next page starts; `nil` at the oldest save.
    private let next: Int64?

    private static let size = 30
    private static let mostChanges = 6

    /// - Throws: `HistoryError`, `InspectionError`, and errors of reading.
    init(_ parameters: HistoryParameters, _ store: SQLiteStore) throws {
        self.parameters = parameters
        let object = try parameters.object.map { try ObjectAddress($0).id(in: store) }
        let listing = HistoryListing(store, object: object)
        // Reads one more entry to detect whether older saves follow.
        let found = try listing.newest(Self.size + 1, before: parameters.before ?? .max)
        let shown = Array(found.prefix(Self.size))
        entries = try shown.map { try listing.entry($0, changes: Self.mostChanges) }
        labels = try NamedRows(entries.flatMap { $0.changes.map(\.id) }, store)
        next = found.count > shown.count ? shown.last?.number : nil
    }

    var value: InspectedValue {
        .fields([
            InspectedField("object", .optional(parameters.object)),
            InspectedField("next", next.map(InspectedValue.integer) ?? .none),
            InspectedField("transactions", .list(entries.map { .fields($0.fields) })),
        ])
    }

    // MARK: HTML

    func body(_ addresses: Addresses) -> Markup {
        """
        <h1>History\(parameters.object.map { "<small>of <bdi>\($0)</bdi></small>" as Markup })</h1>
        \(parameters.object == nil ? nil : "<p><a href=\"\(addresses.history)\">All saves</a></p>")
        \(entries.isEmpty ? "<p class=\"nothing\">No saves are kept.</p>" : "")
        <ol class="timeline">\(days.map { day($0, addresses) })</ol>
        \(next.map { "<p><a class=\"button\" href=\"\(addresses.history(before: $0, object: parameters.object))\">Older</a></p>" as Markup })
        """
    }

    private var days: [(name: String, entries: [HistoryListing.Entry])] {
        entries.reduce(into: []) { days, entry in
            let name = String(DateText.readable(entry.transaction.timestamp).prefix { $0 != " " })
            if days.last?.name == name {
                days[days.count - 1].entries.append(entry)
            } else {
                days.append((name, [entry]))
            }
        }
    }

    private func day(_ day: (name: String, entries: [HistoryListing.Entry]), _ addresses: Addresses) -> Markup {
        "<li class=\"day\"><h2>\(day.name)</h2><ol>\(HistoryRun.all(day.entries).map { run($0, addresses) })</ol></li>"
    }

    /// Shows a long run of saves as one entry that can be expanded.
    private func run(_ run: HistoryRun, _ addresses: Addresses) -> Markup {
        guard let newest = run.entries.first, let oldest = run.entries.last, run.isLong else {
            return run.entries.map { item($0, addresses) }.joined()
        }
        let sums = run.sums
        return """
            <li class="save run"><details><summary class="save-head"><span class="save-number">\
            #\(oldest.transaction.number)–\(newest.transaction.number)</span> \
            <span class="dim">\(Amounts.count(run.entries.count, "save"))</span> <time>\(Self.time(oldest))–\(Self.time(newest))</time> \
            \(HistoryParts.counts(sums))\(HistoryParts.who(newest))</summary><ol>\(run.entries.map { item($0, addresses) })</ol></details></li>
            """
    }

    private static func time(_ entry: HistoryListing.Entry) -> String {
        String(DateText.readable(entry.transaction.timestamp).drop { $0 != " " }.dropFirst())
    }

    private var most: Int { entries.map(\.counts.total).max() ?? 1 }

    private func item(_ entry: HistoryListing.Entry, _ addresses: Addresses) -> Markup {
        let transaction = entry.transaction
        let rest = entry.counts.total - entry.changes.count
        let more: Markup =
            rest > 0
            ? "<li><a href=\"\(addresses.transaction(transaction.number))\">… and \(Amounts.count(rest)) more</a></li>"
            : ""
        return """
            <li class="save"><div class="save-head"><a class="save-number" href="\(addresses.transaction(transaction.number))">\
            #\(transaction.number)</a> <time>\(Self.time(entry))</time> \(HistoryParts.counts(entry.counts.sums))\(HistoryParts.who(entry))</div>
            \(HistoryParts.bar(entry, most: most))<ul class="changes">\(entry.changes.map { HistoryParts.change($0, labels, addresses) })\(more)</ul></li>
            """
    }
}

/// One save with all its changes.
struct TransactionView: View {
    let place = Place.history
    private let entry: HistoryListing.Entry
    private let page: Int
    private let labels: NamedRows

    private static let size = 200

    var title: String { "Save #\(entry.transaction.number)" }

    /// - Throws: `Problem`, `HistoryError`, and errors of reading.
    init(_ number: Int64, page: Int, _ store: SQLiteStore) throws {
        let listing = HistoryListing(store)
        guard number > 0, number < .max,
            let found = try listing.newest(1, after: number - 1, before: number + 1).first
        else {
            throw Problem(
                .notFound, "Save #\(number) is not there", "The history has no such save; it may have been pruned.")
        }
        self.page = max(1, min(page, 1_000_000))
        entry = try listing.entry(found, changes: Self.size, skipping: (self.page - 1) * Self.size)
        labels = try NamedRows(entry.changes.map(\.id), store)
    }

    var value: InspectedValue {
        .fields(entry.fields + [InspectedField("page", .count(page)), InspectedField("size", .count(Self.size))])
    }

    func body(_ addresses: Addresses) -> Markup {
        let transaction = entry.transaction
        let total = entry.counts.total
        return """
            <nav class="crumbs" aria-label="Where this is"><a href="\(addresses.history)">History</a>\
            <span>#\(transaction.number)</span></nav>
            <h1>\(title)<small>\(DateText.readable(transaction.timestamp))</small></h1>
            <p class="save-head">\(HistoryParts.counts(entry.counts.sums))\(HistoryParts.who(entry))</p>
            \(HistoryParts.bar(entry, most: total))
            \(changes(addresses))
            \(Parts.pager(page: page, size: Self.size, shown: entry.changes.count, total: total) {
                addresses.transaction(transaction.number, page: $0)
            })
            """
    }

    private func changes(_ addresses: Addresses) -> Markup {
        guard !entry.changes.isEmpty || page == 1 else {
            return Parts.behindLast(page, of: Parts.pageCount(entry.counts.total, Self.size))
        }
        return """
            <ul class="changes whole">\(entry.changes.map { HistoryParts.change($0, labels, addresses) })</ul>
            """
    }
}

extension HistoryListing.Entry {
    /// JSON fields: author, counts, and the changes on this page.
    fileprivate var fields: [InspectedField] {
        let sums = counts.sums
        return transaction.fields + [
            InspectedField("inserted", .count(sums.inserted)), InspectedField("updated", .count(sums.updated)),
            InspectedField("deleted", .count(sums.deleted)), InspectedField("changes", .list(exact.map(\.value))),
        ]
    }
}

/// Elements shared by both views.
private enum HistoryParts {
    static func counts(_ counts: (inserted: Int, updated: Int, deleted: Int)) -> Markup {
        func part(_ sign: String, _ count: Int, _ kind: String, _ word: String) -> Markup? {
            count > 0
                ? "<span class=\"change-count \(kind)\" title=\"\(word)\">\(sign)\(Amounts.count(count))</span> " : nil
        }
        return """
            \(part("+", counts.inserted, "insert", "inserted"))\(part("~", counts.updated, "update", "updated"))\
            \(part("−", counts.deleted, "delete", "deleted"))
            """
    }

    static func who(_ entry: HistoryListing.Entry) -> Markup {
        let names: [Markup] = entry.transaction.who.map { "<bdi>\($0)</bdi>" }
        return "<span class=\"dim\">\(names.joined(", "))</span>"
    }

    /// Draws the number of changes of each kind on a compressed scale: a save ten times as large is not drawn ten times
    /// as long.
    /// - Parameter most: changes of the largest save in the listing.
    static func bar(_ entry: HistoryListing.Entry, most: Int) -> Markup {
        let counts = entry.counts.sums
        let count = entry.counts.total
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
        _ change: HistoryListing.Change, _ labels: NamedRows, _ addresses: Addresses
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
