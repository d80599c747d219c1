import HTTPTypes
import Hummingbird

/// Rejects requests that a page of another site could have made.
///
/// 1. The `Host` must be this machine. A foreign name that resolves to this machine (DNS rebinding) is refused.
/// 2. A request that changes something must state this origin in `Origin` or `Sec-Fetch-Site`; if both are present,
///    both must agree.
struct SameOriginOnly<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let host = request.head.authority, Self.isThisMachine(host) else { throw RequestProblem.foreignHost }
        if request.method != .get, request.method != .head {
            guard Self.comesFromHere(request, host: host) else { throw RequestProblem.foreignOrigin }
        }
        return try await next(request, context)
    }

    private static func isThisMachine(_ host: String) -> Bool {
        let parts = host.split(separator: ":", omittingEmptySubsequences: false)
        let name = parts[0].lowercased()
        guard parts.count <= 2, parts.count == 1 || UInt16(parts[1]) != nil else { return false }
        return name == "127.0.0.1" || name == "localhost"
    }

    private static func comesFromHere(_ request: Request, host: String) -> Bool {
        let origin = request.headers[.origin]
        let site = HTTPField.Name("Sec-Fetch-Site").flatMap { request.headers[$0] }
        guard origin != nil || site != nil else { return false }
        let isOwnOrigin = origin.map { $0.lowercased() == "http://\(host.lowercased())" } ?? true
        return isOwnOrigin && (site ?? "same-origin") == "same-origin"
    }
}

enum RequestProblem: Error {
    case foreignHost
    case foreignOrigin
}
