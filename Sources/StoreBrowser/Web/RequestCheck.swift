/// Turns away requests that somebody else's page, or another user of the machine, could have made.
///
/// 1. The `Host` must be this machine: a name of somebody else's that leads here (DNS rebinding) is refused.
/// 2. The address begins with a token that only the one who started the browser has been told.
/// 3. A request that changes something must say that it comes from this very origin, in `Origin` or `Sec-Fetch-Site`;
///    when it has both, both must agree. It also needs leave to write.
struct RequestCheck: Sendable {
    let token: String
    let mayWrite: Bool

    /// - Returns: parts of the path after the token.
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

    /// What may be asked, for who asked otherwise.
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

    /// Takes as long for a wrong token as for the right one.
    private static func areEqual(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// 128 bits from the system's source.
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
