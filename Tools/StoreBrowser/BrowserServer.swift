import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Serves the pages of one store on the loopback interface.
package final class BrowserServer: Sendable {
    private let site: Site
    private let port: Int

    /// - Throws: errors of opening the file for inspection.
    package init(_ options: BrowserOptions) throws {
        site = try Site(options)
        port = options.port
    }

    /// Serves until the task is cancelled. Cancellation stops the current operation: an unfinished backup is removed,
    /// and the current step of a delete is rolled back.
    /// - Parameter onReady: called with the full address, including the token, once the server accepts requests.
    /// - Throws: `BrowserError`.
    package func run(onReady: @escaping @Sendable (String) -> Void) async throws {
        // Closes now rather than on deinit: the process may exit before the site is deallocated.
        defer { site.source.close() }
        let token = site.addresses.token
        var app = Application(
            responder: Responder(site: site),
            configuration: .init(address: .hostname("127.0.0.1", port: port), serverName: "modelstore"),
            onServerRunning: { channel in
                onReady("http://127.0.0.1:\(channel.localAddress?.port ?? 0)/\(token)/")
            })
        // Request errors appear on the page, and cancellation is not an error, so only critical messages are logged.
        app.logger.logLevel = .critical
        do {
            // Ends open event streams immediately: the server's shutdown waits for pending responses and open
            // connections.
            try await withTaskCancellationHandler {
                try await app.run()
            } onCancel: {
                site.end()
            }
        } catch is CancellationError {
            // Normal shutdown.
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw BrowserError.portIsTaken(port)
        } catch let error as IOError where error.errnoCode == EACCES {
            throw BrowserError.portIsReserved(port)
        }
        site.end()
        await site.operation.waitUntilFinished()
    }
}

package enum BrowserError: Error, CustomStringConvertible {
    case portIsTaken(Int)
    case portIsReserved(Int)

    package var description: String {
        switch self {
        case .portIsTaken(let port):
            "Port \(port) is in use; give another one with --port, or none to take any that is free."
        case .portIsReserved(let port):
            "Port \(port) may not be used by everybody; give one from 1024 on with --port, or none to take any that is free."
        }
    }
}

/// Adapts Hummingbird's requests and responses to those of `Site`.
private struct Responder: HTTPResponder {
    typealias Context = BasicRequestContext

    let site: Site
    /// In bytes. A form contains every text of a row twice, as it was and as edited.
    private static let largestBody = 4 * 1024 * 1024

    func respond(to request: Request, context: Context) async throws -> Response {
        var asked = WebRequest(method: request.method.rawValue, target: request.head.path ?? "/")
        for field in request.headers { asked.headers[field.name.canonicalName] = field.value }
        asked.headers["host"] = request.head.authority
        if request.method == .post {
            guard let body = try? await request.body.collect(upTo: Self.largestBody) else {
                return Response(status: .contentTooLarge)
            }
            asked.body = Array(body.readableBytesView)
        }
        let answer = try await answer(asked, request)
        var headers = HTTPFields()
        for (name, value) in answer.headers {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        let status = HTTPResponse.Status(code: answer.status.rawValue)
        guard request.method != .head else {
            if answer.stream == nil { headers[.contentLength] = String(answer.file?.size ?? answer.body.count) }
            return Response(status: status, headers: headers)
        }
        let body =
            answer.stream.map(Self.body) ?? answer.file.map(Self.body)
            ?? ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body))
        return Response(status: status, headers: headers, body: body)
    }

    /// Cancels reading when the client disconnects. Detecting that consumes the connection, which is then closed after
    /// the response. Static files and event streams are not watched, and keep the connection open.
    private func answer(_ asked: WebRequest, _ request: Request) async throws -> WebResponse {
        let isShort = asked.segments.dropFirst().first == "static" || asked.segments.last?.hasSuffix(".events") ?? false
        guard asked.method == "GET", !isShort else { return await site.answer(asked) }
        var answer = try await request.body.consumeWithCancellationOnInboundClose { _ in await site.answer(asked) }
        answer.headers["connection"] = "close"
        return answer
    }

    private static func body(_ file: SpooledText) -> ResponseBody {
        ResponseBody(contentLength: file.size) { writer in
            var offset = 0
            while offset < file.size {
                let piece = try file.piece(at: offset)
                guard !piece.isEmpty else { break }
                try await writer.write(ByteBuffer(bytes: piece))
                offset += piece.count
            }
            try await writer.finish(nil)
        }
    }

    /// Sends at most ten updates a second; skipped states are outdated ones.
    private static func body(_ states: AsyncStream<OperationStatus>) -> ResponseBody {
        ResponseBody { writer in
            for await state in states {
                try await writer.write(ByteBuffer(string: "data: \(state.value.json())\n\n"))
                if state.isUnderWay { try await Task.sleep(for: .milliseconds(100)) }
            }
            try await writer.finish(nil)
        }
    }
}
