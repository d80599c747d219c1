import Foundation
import ObjectGraph
import StoreInspection

/// Addresses of all views. Each has a JSON counterpart that ends in `.json`.
struct Addresses: Sendable {
    let token: String

    private func path(_ parts: String...) -> String {
        "/" + ([token] + parts.map(PercentText.encoded)).joined(separator: "/")
    }

    var entities: String { path("entities") }
    var model: String { path("model") }
    var picture: String { path("model") + ".svg" }
    var history: String { path("history") }
    var kept: String { path("kept") }
    var operation: String { path("work") }
    func search(_ text: String? = nil) -> String { path("search") + query([("text", text)]) }
    func sql(_ statement: String? = nil) -> String { path("sql") + query([("statement", statement)]) }
    func sqlResult(_ statement: String) -> String {
        path("download", "sql", "result") + ".csv" + query([("statement", statement)])
    }
    func download(_ entity: String, _ format: DownloadFormat, _ fields: [(String, String?)]) -> String {
        path("download", "rows", entity) + "." + format.rawValue + query(fields)
    }
    func suggestions(_ entity: String) -> String { path("suggest", entity) + ".json" }

    func file(_ name: String) -> String { "/\(token)/static/\(name)" }
    func action(_ name: String) -> String { path("do", name) }

    func rows(_ entity: String, _ fields: [(String, String?)] = []) -> String { path("rows", entity) + query(fields) }
    func history(before number: Int64?, object: String?) -> String {
        history + query([("before", number.map { String($0) }), ("object", object)])
    }
    func transaction(_ number: Int64, page: Int = 1) -> String {
        path("history", String(number)) + query([("page", page > 1 ? String(page) : nil)])
    }
    func object(_ id: ObjectID) -> String { path("object", id.entityName, "p\(id.key)") }
    func edit(_ id: ObjectID, only property: String? = nil) -> String {
        path("object", id.entityName, "p\(id.key)", "edit") + query([("only", property)])
    }
    func change(_ id: UUID) -> String { path("change", id.uuidString) }
    func changeForm(_ id: UUID) -> String { path("change", id.uuidString, "edit") }
    func plan(_ fields: [(String, String?)] = []) -> String { path("plan") + query(fields) }

    private func query(_ fields: [(String, String?)]) -> String {
        let sent = fields.compactMap { name, value in value.map { "\(name)=\(PercentText.encoded($0))" } }
        return sent.isEmpty ? "" : "?" + sent.joined(separator: "&")
    }

    /// The JSON address of a view.
    static func twin(_ address: String) -> String {
        let mark = address.firstIndex(of: "?") ?? address.endIndex
        let parts = address[..<mark].split(separator: "/")
        // The first page, which has no name in its address, is the entities view.
        let path = "/" + (parts.count == 1 ? [parts[0], "entities"] : parts).joined(separator: "/")
        return path + ".json" + address[mark...]
    }
}
