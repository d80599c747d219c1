/// An answer, before it goes onto the wire.
struct WebResponse: Sendable {
    enum Status: Int, Sendable {
        case ok = 200
        case seeOther = 303
        case badRequest = 400
        case forbidden = 403
        case notFound = 404
        case methodNotAllowed = 405
        case conflict = 409
        case misdirected = 421
        case failed = 500
        case unavailable = 503
    }

    var status: Status
    /// By lower-case name.
    var headers: [String: String]
    var body: [UInt8]
    /// Sent as they come, instead of a body.
    var stream: AsyncStream<WorkStatus>?
    /// Sent instead of a body.
    var file: SpooledText?

    init(_ status: Status, type: String, _ body: [UInt8]) {
        self.status = status
        self.body = body
        headers = [
            "content-type": type,
            "content-security-policy": Self.policy,
            "x-content-type-options": "nosniff",
            // Not `no-referrer`: forms would be sent from the origin `null` then.
            "referrer-policy": "same-origin",
            "cross-origin-opener-policy": "same-origin",
            "cross-origin-resource-policy": "same-origin",
            "cache-control": "no-store",
        ]
    }

    /// Only own style sheet and script, none within the page, in no other site's frame.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    static func page(_ status: Status, _ markup: Markup) -> WebResponse {
        WebResponse(status, type: "text/html; charset=utf-8", Array(markup.text.utf8))
    }

    /// One that has its style within it, and nothing else.
    static func barePage(_ status: Status, _ markup: Markup) -> WebResponse {
        var response = page(status, markup)
        response.headers["content-security-policy"] =
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"
        return response
    }

    static func json(_ status: Status, _ text: String) -> WebResponse {
        WebResponse(status, type: "application/json; charset=utf-8", Array((text + "\n").utf8))
    }

    /// To be kept as a file.
    static func download(_ file: SpooledText, type: String, name: String) -> WebResponse {
        var response = WebResponse(.ok, type: type, [])
        response.file = file
        response.headers["content-disposition"] =
            "attachment; filename*=UTF-8''\(PercentText.encoded(name).replacing("%2E", with: "."))"
        return response
    }

    /// Server-sent events.
    static func events(_ states: AsyncStream<WorkStatus>) -> WebResponse {
        var response = WebResponse(.ok, type: "text/event-stream", [])
        response.stream = states
        return response
    }

    /// After a change, so that loading the page again does not change anything again.
    static func seeOther(_ address: String) -> WebResponse {
        var response = WebResponse(.seeOther, type: "text/plain; charset=utf-8", [])
        response.headers["location"] = address
        return response
    }
}
