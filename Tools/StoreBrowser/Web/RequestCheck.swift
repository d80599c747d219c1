/// Rejects requests that a foreign page, or another user of the machine, could have made.
///
/// 1. The `Host` must be this machine. A foreign name that resolves to this machine (DNS rebinding) is refused.
/// 2. The address begins with a secret token, which is shown only to the user who started the browser.
/// 3. A request that changes something must state this origin in `Origin` or `Sec-Fetch-Site`; if both are present,
///    both must agree. The server must also have been started with permission to write.
struct RequestCheck: Sendable {
    let token: String
    let mayWrite: Bool

    /// - Returns: the parts of the path after the token.
    /// - Throws: `Problem`.
    func segments(of request: WebRequest) throws -> [String] {
        guard let host = request.headers["host"], Self.isThisMachine(host) else { throw Problem.foreignHost }
        let segments = request.segments
        guard let first = segments.first, Self.areEqual(first, token) else { throw Problem.noToken }
        switch request.method {
        case "GET", "HEAD": break
        case "POST":
            guard Self.comesFromHere(request, host: host) else { throw Problem.foreignOrigin }
            guard mayWrite else { throw Problem.readOnly }
        default: throw Problem.unknownMethod(request.method)
        }
        return Array(segments.dropFirst())
    }

    /// The allowed methods, for a request with another method.
    var methods: String { mayWrite ? "GET, HEAD, POST" : "GET, HEAD" }

    private static func isThisMachine(_ host: String) -> Bool {
        let parts = host.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.count == 1 || UInt16(parts[1]) != nil else { return false }
        return parts[0] == "127.0.0.1" || parts[0].lowercased() == "localhost"
    }

    private static func comesFromHere(_ request: WebRequest, host: String) -> Bool {
        let origin = request.headers["origin"]
        let site = request.headers["sec-fetch-site"]
        guard origin != nil || site != nil else { return false }
        let isOwnOrigin = origin.map { $0.lowercased() == "http://\(host.lowercased())" } ?? true
        return isOwnOrigin && (site ?? "same-origin") == "same-origin"
    }

    /// Takes constant time, so that timing does not reveal the token.
    private static func areEqual(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// 128 bits from the system's random number generator.
    static func newToken() -> String {
        var generator = SystemRandomNumberGenerator()
        let numbers = [
            UInt64.random(in: .min ... .max, using: &generator), .random(in: .min ... .max, using: &generator),
        ]
        return numbers.map { number in
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
