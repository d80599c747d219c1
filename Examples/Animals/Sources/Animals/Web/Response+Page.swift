import Hummingbird

extension Response {
    init(page text: String, status: HTTPResponse.Status = .ok) {
        self.init(
            status: status, headers: [.contentType: "text/html; charset=utf-8"],
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }

    /// Sends the browser to a page after a change, so that reloading does not change anything again.
    static func seeOther(_ address: String) -> Response { .redirect(to: address) }
}
