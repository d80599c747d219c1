import ObjectGraph
import StoreInspection

/// Elements shared by several pages.
enum Parts {
    static func object(_ id: ObjectID, label: String?, exists: Bool = true, _ addresses: Addresses) -> Markup {
        guard exists else { return "<span class=\"gone\"><bdi>\(id.address)</bdi> was deleted</span>" }
        guard let label else {
            return "<a class=\"object\" href=\"\(addresses.object(id))\"><code><bdi>\(id.address)</bdi></code></a>"
        }
        return """
            <a class="object" href="\(addresses.object(id))" title="\(id.address)"><bdi>\(label)</bdi> \
            <code>p\(id.key)</code></a>
            """
    }

    /// A formatted value, marked with its kind for the style sheet.
    static func value(_ value: InspectedValue) -> Markup {
        switch value {
        case .none: "<span class=\"nil\">nil</span>"
        case .boolean(let flag): flag ? "<span class=\"flag on\">yes</span>" : "<span class=\"flag\">no</span>"
        case .integer(let number): "\(number)"
        case .real(let number): "\(String(describing: number))"
        case .number(let digits): "\(digits)"
        case .text(let text):
            text.isEmpty
                ? "<span class=\"nil\">empty</span>"
                : text.isBlank ? "<span class=\"nil\">blank</span>" : "<bdi>\(text)</bdi>"
        case .list, .fields: "<bdi>\(value.plainLine)</bdi>"
        }
    }

    /// A value in a table cell; a value with several parts is shortened to one line.
    static func cell(_ value: InspectedValue) -> Markup {
        switch value {
        case .list, .fields: "<span class=\"parts\"><bdi>\(value.plainLine.cut(to: longestLine))</bdi></span>"
        default: self.value(value)
        }
    }

    /// A value in full, or a long part of it, with its line breaks.
    static func whole(_ value: InspectedValue) -> Markup {
        switch value {
        case .list, .fields: "<bdi>\(value.plainLine.cut(to: longestWhole))</bdi>"
        case .text(let text) where !text.isBlank: "<bdi class=\"whole\">\(text.cut(to: longestWhole))</bdi>"
        default: self.value(value)
        }
    }

    /// In characters.
    private static let longestWhole = 4_000

    /// In characters.
    private static let longestLine = 80

    /// Shown for a page number beyond the last page.
    static func behindLast(_ page: Int, of last: Int) -> Markup {
        "<p class=\"nothing\">There is no page \(Amounts.count(page)); the last one is page \(Amounts.count(last)).</p>"
    }

    /// A value shortened to fit into a table cell.
    static func cut(_ value: InspectedValue) -> InspectedValue {
        guard case .text(let text) = value else { return value }
        return .text(text.cut(to: longestCell))
    }

    /// In characters.
    private static let longestCell = 200

    static func isNumber(_ attribute: Attribute) -> Bool {
        switch attribute.type {
        case .integer16, .integer32, .integer64, .double, .float, .decimal: true
        default: false
        }
    }

    static func rule(_ rule: DeleteRule) -> Markup {
        let text = TypeText.text(rule)
        return "<span class=\"rule \(text == "no action" ? "none" : text)\">\(text)</span>"
    }

    static func fact(_ name: String, _ value: Markup) -> Markup {
        "<div><dt>\(name)</dt><dd>\(value)</dd></div>"
    }

    /// Links to neighbouring pages; `nil` for pages that do not exist.
    struct PageLinks {
        var first: String?
        var before: String?
        var next: String?
        var last: String?
    }

    /// - Parameter address: returns the address of a page, counted from 1.
    static func pager(
        page: Int, size: Int, shown: Int, total: Int, name: String = "Pages", _ address: (Int) -> String
    ) -> Markup {
        let last = pageCount(total, size)
        let links = PageLinks(
            first: page > 1 ? address(1) : nil, before: page > 1 ? address(min(page - 1, last)) : nil,
            next: page < last ? address(page + 1) : nil, last: page != last ? address(last) : nil)
        return pager(before: (page - 1) * size, size: size, shown: shown, total: total, name: name, links)
    }

    static func pageCount(_ total: Int, _ size: Int) -> Int { max(1, (total + size - 1) / size) }

    /// - Parameter first: the number of rows before the page.
    static func pager(
        before first: Int, size: Int, shown: Int, total: Int, name: String = "Pages", _ links: PageLinks
    ) -> Markup {
        let range: Markup =
            shown == 0
            ? total > 0 ? "Page \(Amounts.count(first / size + 1)) of \(Amounts.count(pageCount(total, size)))" : "None"
            : "<b>\(Amounts.count(first + 1))–\(Amounts.count(first + shown))</b> of \(Amounts.count(total))"
        func link(_ text: Markup, _ label: String, _ target: String?) -> Markup {
            target.map { "<a class=\"button small\" href=\"\($0)\" aria-label=\"\(label)\">\(text)</a>" }
                ?? "<span class=\"button small\" aria-disabled=\"true\">\(text)</span>"
        }
        guard links.first != nil || links.next != nil else {
            return "<div class=\"pager\"><span>\(range)</span></div>"
        }
        return """
            <div class="pager"><span>\(range)</span><nav aria-label="\(name)">\
            \(link("«", "First page", links.first))\(link("‹", "Page before", links.before))\
            \(link("›", "Next page", links.next))\(link("»", "Last page", links.last))</nav></div>
            """
    }

    /// A button that sends a form to change something.
    static func action(
        _ text: String, _ name: String, _ addresses: Addresses, fields: [(String, String)] = [], kind: String = ""
    ) -> Markup {
        let hidden: [Markup] = fields.map { "<input type=\"hidden\" name=\"\($0.0)\" value=\"\($0.1)\">" }
        return """
            <form method="post" action="\(addresses.action(name))">\(hidden)\
            <button class="button \(kind)" data-action="\(name)">\(text)</button></form>
            """
    }
}
