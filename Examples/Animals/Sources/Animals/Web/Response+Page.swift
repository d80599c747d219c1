import Hummingbird

extension Response {
    init(page text: String, status: HTTPResponse.Status = .ok) {
        self.init(
            status: status, headers: [.contentType: "text/html; charset=utf-8"],
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }

    /// Redirects after a change, so that reloading the page does not repeat the change.
    static func seeOther(_ address: String) -> Response { .redirect(to: address) }
}
