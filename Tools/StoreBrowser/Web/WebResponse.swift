/// A response, independent of the HTTP server.
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
    /// Status updates, sent as they occur instead of a body.
    var stream: AsyncStream<OperationStatus>?
    /// A file, sent instead of a body.
    var file: SpooledText?

    init(_ status: Status, type: String, _ body: [UInt8]) {
        self.status = status
        self.body = body
        headers = [
            "content-type": type,
            "content-security-policy": Self.policy,
            "x-content-type-options": "nosniff",
            // With `no-referrer`, browsers would send forms with the origin `null`.
            "referrer-policy": "same-origin",
            "cross-origin-opener-policy": "same-origin",
            "cross-origin-resource-policy": "same-origin",
            "cache-control": "no-store",
        ]
    }

    /// Allows this site's own style sheet and script only, no inline code, and no embedding in other sites' frames.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    static func page(_ status: Status, _ markup: Markup) -> WebResponse {
        WebResponse(status, type: "text/html; charset=utf-8", Array(markup.text.utf8))
    }

    /// A page with an inline style sheet and no other resources.
    static func barePage(_ status: Status, _ markup: Markup) -> WebResponse {
        var response = page(status, markup)
        response.headers["content-security-policy"] =
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"
        return response
    }

    static func json(_ status: Status, _ text: String) -> WebResponse {
        WebResponse(status, type: "application/json; charset=utf-8", Array((text + "\n").utf8))
    }

    /// A response that browsers save as a file.
    static func download(_ file: SpooledText, type: String, name: String) -> WebResponse {
        var response = WebResponse(.ok, type: type, [])
        response.file = file
        response.headers["content-disposition"] =
            "attachment; filename*=UTF-8''\(PercentText.encoded(name).replacing("%2E", with: "."))"
        return response
    }

    /// Server-sent events.
    static func events(_ states: AsyncStream<OperationStatus>) -> WebResponse {
        var response = WebResponse(.ok, type: "text/event-stream", [])
        response.stream = states
        return response
    }

    /// Redirects after a change, so that reloading the page does not repeat the change.
    static func seeOther(_ address: String) -> WebResponse {
        var response = WebResponse(.seeOther, type: "text/plain; charset=utf-8", [])
        response.headers["location"] = address
        return response
    }
}
