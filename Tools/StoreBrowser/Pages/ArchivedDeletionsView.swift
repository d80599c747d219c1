import ObjectGraph
import StoreInspection

/// Archived deletions whose rows are still in the file.
struct ArchivedDeletionsView: View {
    /// Oldest first.
    let deletes: [ArchivedDeletionGroup]
    let mayWrite: Bool
    let title = "Deletes that can be undone"
    let place = Place.kept

    private static let most = 200

    var value: InspectedValue {
        .fields([
            InspectedField(
                "deletes",
                .list(
                    deletes.reversed().map { delete in
                        .fields([
                            InspectedField("token", .text(delete.token.description)),
                            InspectedField(
                                "time", .optional(DateText.exact(delete.date.timeIntervalSinceReferenceDate))),
                            InspectedField("author", .optional(delete.author)),
                            InspectedField("summary", .text(delete.summary)),
                            InspectedField("steps", .count(delete.steps.count)),
                            InspectedField("rows", .count(delete.rowCount)),
                            InspectedField("links", .count(delete.linkCount)),
                            InspectedField("bytes", .integer(delete.byteCount)),
                        ])
                    }))
        ])
    }

    func body(_ addresses: Addresses) -> Markup {
        guard !deletes.isEmpty else {
            return """
                <h1>\(title)</h1><p class="nothing">None. What is deleted here, or with modelstore delete, stays in the \
                file until it is discarded, and is listed here.</p>
                """
        }
        let bytes = deletes.map(\.byteCount).saturatingSum()
        return """
            <h1>\(title)<small>\(Amounts.bytes(bytes)) kept</small></h1>
            <div class="scroll"><table class="cards kept-table"><thead><tr><th>When</th><th>What</th><th class="number">Rows</th>\
            <th class="number">Links</th><th class="number">Kept</th><th>By</th>\
            \(mayWrite ? "<th><span class=\"unseen\">Actions</span></th>" : "")</tr></thead>
            <tbody>\(deletes.reversed().prefix(Self.most).map { row($0, addresses) })</tbody></table></div>
            \(deletes.count > Self.most ? "<p class=\"dim\">Older ones: modelstore restore FILE lists all.</p>" : "")
            """
    }

    private func row(_ delete: ArchivedDeletionGroup, _ addresses: Addresses) -> Markup {
        return """
            <tr><th scope="row">\(DateText.readable(delete.date.timeIntervalSinceReferenceDate))</th>
            <td class="wrap" data-label="What"><bdi>\(delete.summary)</bdi><br><code class="dim">\(delete.token.description)</code></td>
            <td class="number" data-label="Rows">\(Amounts.count(delete.rowCount))</td>
            <td class="number" data-label="Links">\(Amounts.count(delete.linkCount))</td>
            <td class="number" data-label="Kept">\(Amounts.bytes(delete.byteCount))</td>
            <td data-label="By"><bdi>\(delete.author ?? "")</bdi></td>
            \(mayWrite ? "<td>\(buttons(delete, addresses))</td>" : "")</tr>
            """
    }

    /// Actions that cannot be undone need a second press.
    private func buttons(_ delete: ArchivedDeletionGroup, _ addresses: Addresses) -> Markup {
        let token = [("token", delete.token.description)]
        return """
            <div class="buttons">\(Parts.action("Restore", "restore", addresses, fields: token))
            <details class="second"><summary class="button quiet">Discard…</summary>\
            \(Parts.action("Discard permanently", "forget", addresses, fields: token, kind: "danger"))</details></div>
            """
    }
}
