import Hummingbird

extension Response {
    init(page text: String, status: HTTPResponse.Status = .ok) {
        self.init(
            status: status, headers: [.contentType: "text/html; charset=utf-8"],
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }

    /// Sends the browser to a page after a change, so that reloading does not change anything again.
    /// - Parameter undo: What the notice offers to take back.
    static func seeOther(_ address: String, _ notice: Notice? = nil, undo: String? = nil) -> Response {
        guard let notice else { return .redirect(to: address) }
        let separator = address.contains("?") ? "&" : "?"
        let undo = undo.map { "&undo=\($0)" } ?? ""
        return .redirect(to: "\(address)\(separator)notice=\(notice.rawValue)\(undo)")
    }

    /// Sends the browser on to the lasting address of what it asked for.
    static func seeOther(_ address: String, sameNotice request: Request) -> Response {
        let notice = request.uri.queryParameters["notice"].flatMap { Notice(rawValue: String($0)) }
        return .seeOther(address, notice)
    }
}
