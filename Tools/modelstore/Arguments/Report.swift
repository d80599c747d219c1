import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection

/// The result or preview of a command: lines of text, and fields for JSON.
struct Report {
    var lines: [TonedLine] = []
    var fields: [InspectedField] = []

    init(_ line: TonedLine, _ fields: [InspectedField] = []) {
        lines = [line]
        self.fields = fields
    }

    init(_ text: String, _ fields: [InspectedField] = []) { self.init(TonedLine(text), fields) }
}

extension FormatOptions {
    /// - Throws: `OutputError`.
    func write(_ report: Report) throws {
        switch format {
        case .table: try write(report.lines)
        case .json, .ndjson: try write(.fields(report.fields))
        case .csv: try write(report.fields.map(\.name), [report.fields.map(\.value)], nothing: "")
        }
    }

    /// - Throws: `OutputError`.
    func write(_ plan: DeletePlan, cost: DeleteCost?, of store: SQLiteStore) throws {
        let triggers = try store.foreignTriggers()
        switch format {
        case .table:
            try write(PlanPicture(plan, cost: cost, model: store.model).lines)
            guard !triggers.isEmpty else { return }
            let names = triggers.map { "\($0.name) on \($0.table)" }.joined(separator: ", ")
            try write([
                TonedLine("Triggers of other programs would run; what they do is not in the plan: ", .warning)
                    .adding(names)
            ])
        case .json, .ndjson: try write(PlanOutline.value(plan, cost: cost, triggers: triggers))
        case .csv:
            try write(
                ["entity", "through", "count"],
                plan.reaches.map { [.text($0.entity), .optional($0.via?.description), .count($0.count)] }, nothing: "")
        }
    }
}

extension InspectedField {
    /// The path of the backup made before the file was changed.
    static func backup(_ store: WritableStore) -> InspectedField {
        InspectedField("backup", .optional(store.backup?.path))
    }
}
