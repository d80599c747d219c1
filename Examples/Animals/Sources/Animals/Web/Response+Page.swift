import Hummingbird

extension Response {
    init(page text: String, status: HTTPResponse.Status = .ok) {
        self.init(
            status: status, headers: [.contentType: "text/html; charset=utf-8"],
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }

    /// Sends the browser to a page after a change, so that reloading does not change anything again.
    static func seeOther(_ address: String, _ notice: Notice? = nil) -> Response {
        guard let notice else { return .redirect(to: address) }
        let separator = address.contains("?") ? "&" : "?"
        return .redirect(to: "\(address)\(separator)notice=\(notice.rawValue)")
    }
}
