import Foundation
import Testing

@testable import StoreBrowser

@Suite("Safety of the browser")
struct SafetyTests {
    @Test("Without the token no request is answered, and the response reveals nothing")
    func token() async throws {
        let store = try BrowsedStore()
        for target in [
            "/", "/entities", "/0123456789abcdee/entities", "/0123456789abcdef0/entities", "", "/%30123456789abcdef/",
        ] {
            let answer = await store.site.answer(
                WebRequest(method: "GET", target: target, headers: ["host": "127.0.0.1:4000"]))
            #expect(answer.status == .forbidden, "\(target)")
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(
                !text.contains("Shelf") && !text.contains("a &lt;b&gt;") && !text.contains(BrowsedStore.token),
                "\(target)")
        }
    }

    @Test("Host names of other machines are refused")
    func host() async throws {
        let store = try BrowsedStore()
        for host in ["evil.example", "evil.example:4000", "127.0.0.1.evil.example", "localhost:x", "127.0.0.1:1:2", ""]
        {
            #expect(await store.get("entities", host: host).status == .misdirected, "\(host)")
        }
        for host in ["127.0.0.1", "localhost:4000", "LOCALHOST"] {
            #expect(await store.get("entities", host: host).status == .ok, "\(host)")
        }
    }

    @Test("Changes are accepted only from the browser's own pages")
    func origin() async throws {
        let store = try BrowsedStore { $0.mayWrite = true }
        for (origin, from) in [
            (nil, nil), ("null", nil), ("http://evil.example", nil), ("http://127.0.0.1:4001", nil),
            ("https://127.0.0.1:4000", nil), ("http://127.0.0.1:4000", "cross-site"), (nil, "same-site"), (nil, "none"),
        ] as [(String?, String?)] {
            let answer = await store.post("dismiss", origin: origin, site: from)
            #expect(answer.status == .forbidden, "\(origin ?? "-") \(from ?? "-")")
        }
        #expect(await store.post("nothing").status == .notFound)
        #expect(await store.post("nothing", origin: nil, site: "same-origin").status == .notFound)
    }

    @Test("Read only means that no request changes anything")
    func readOnly() async throws {
        let store = try BrowsedStore()
        let before = try Data(contentsOf: store.url)
        #expect(try await store.json("plan.json?entity=Shelf")["plan"] == nil)
        for action in ["delete", "stop", "resume", "undo", "restore", "dismiss"] {
            #expect(await store.post(action, "plan=x&token=x").status == .forbidden, "\(action)")
        }
        let plan = await store.text("plan?object=Label%2Fp1")
        #expect(plan.contains("--write") && !plan.contains("method=\"post\""))
        #expect(try Data(contentsOf: store.url) == before && store.backups.isEmpty)
    }

    @Test("Other methods are refused")
    func methods() async throws {
        let store = try BrowsedStore { $0.mayWrite = true }
        for method in ["PUT", "DELETE", "OPTIONS", "TRACE"] {
            let answer = await store.site.answer(
                WebRequest(
                    method: method, target: "/\(BrowsedStore.token)/entities",
                    headers: ["host": "127.0.0.1", "origin": "http://127.0.0.1"]))
            #expect(answer.status == .methodNotAllowed, "\(method)")
            #expect(answer.headers["allow"] == "GET, HEAD, POST", "\(method)")
        }
    }

    @Test("Every response forbids inline scripts, frames and other sites")
    func headers() async throws {
        let store = try BrowsedStore()
        for path in ["entities", "rows/Nobody", "rows/Book.json", "static/browse.js"] {
            let headers = await store.get(path).headers
            let policy = headers["content-security-policy"] ?? ""
            #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"), "\(path)")
            #expect(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"), "\(path)")
            #expect(
                headers["x-content-type-options"] == "nosniff" && headers["referrer-policy"] == "same-origin", "\(path)"
            )
        }
        let picture = await store.get("model.svg").headers["content-security-policy"]
        #expect(picture == "default-src 'none'; style-src 'unsafe-inline'")
    }

    @Test("Texts of the store and of the address never become markup")
    func escaping() async throws {
        let store = try BrowsedStore { $0.mayWrite = true }
        let typed = PercentText.encoded("title == \"\(BrowsedStore.hostile)")
        for path in [
            "entities", "rows/Shelf", "rows/Book", "object/Shelf/p2", "object/Shelf/p3", "history", "history/1",
            "plan?entity=Shelf", "plan?object=Reader%2Fp1", "rows/Book?where=\(typed)", "rows/Book?sort=\(typed)",
            "rows/Book?leads=\(typed)&to=\(typed)", "plan?object=\(typed)", "history?object=\(typed)", typed,
        ] {
            let text = await store.text(path)
            #expect(
                !text.contains("<script>alert") && !text.contains("</td>\"") && !text.contains("<b>.store"), "\(path)")
            // A quotation mark that ended an attribute would be followed by the accent.
            #expect(!text.unicodeScalars.contains { $0 == "\"" } || !text.contains("\"\u{301}"), "\(path)")
            let scalars = Array(text.unicodeScalars)
            for place in scalars.indices.dropFirst() where scalars[place] == "\u{301}" {
                #expect(scalars[place - 1] == ";", "\(path): a quotation mark before an accent is not escaped")
            }
        }
    }

    @Test("Markup escapes its contents, whatever follows")
    func markup() {
        let value = "<a href='x'>&\"\u{301}\u{0}"
        let markup: Markup = "<i title=\"\(value)\">\("<b>1</b>" as Markup)</i>"
        #expect(markup.text == "<i title=\"&lt;a href=&#39;x&#39;&gt;&amp;&quot;\u{301}\u{FFFD}\"><b>1</b></i>")
    }

    @Test("Tokens differ, and are long")
    func tokens() {
        let tokens = (0..<100).map { _ in RequestCheck.newToken() }
        #expect(Set(tokens).count == 100 && tokens.allSatisfy { $0.count == 32 })
    }
}
