import ObjectGraph
import SQLiteStore

extension StoreSummary {
    package var value: InspectedValue {
        .fields(
            [
                InspectedField("path", .text(file.path)), InspectedField("framework", .text(framework)),
                InspectedField("identifier", .optional(file.facts.metadata?.uuid)),
                InspectedField(
                    "frameworkVersion", file.facts.metadata?.frameworkVersion.map(InspectedValue.integer) ?? .none),
                InspectedField("modelVersions", .texts(file.facts.metadata?.versionIdentifiers ?? [])),
                InspectedField("model", modelValue), InspectedField("file", fileValue),
                InspectedField("history", historyValue),
                InspectedField("appMetadata", .fields(appMetadata)),
                InspectedField("otherTables", .texts(file.facts.otherTables)),
                InspectedField(
                    "foreignTriggers", .texts(file.facts.foreignTriggers.map { "\($0.name) on \($0.table)" })),
                InspectedField("keptDeletes", .count(archivedDeletes.count)),
                InspectedField("unfinishedDeletes", .count(jobs.count)),
                InspectedField("externalData", externalValue), InspectedField("entities", .list(entityValues)),
            ] + (obstacle.map { [InspectedField("obstacle", .text($0))] } ?? []))
    }

    private var modelValue: InspectedValue {
        let (state, names): (String, [String]) =
            switch hashes {
            case .agree: ("agree", [])
            case .differ(let names): ("differ", names)
            case .unknown: ("unknown", [])
            }
        return .fields([
            InspectedField("isCached", .boolean(file.facts.model != nil && !file.usesGivenModel)),
            InspectedField("entities", file.facts.model.map { .count($0.entities.count) } ?? .none),
            InspectedField("hashes", .text(state)), InspectedField("differing", .texts(names)),
            InspectedField("sumsAgree", sumsAgree.map(InspectedValue.boolean) ?? .none),
        ])
    }

    private var fileValue: InspectedValue {
        let disk = file.untouched.file
        return .fields([
            InspectedField("bytes", .integer(disk.stamp.size)), InspectedField("logBytes", .integer(disk.logSize)),
            InspectedField("pageSize", .integer(file.facts.pageSize)),
            InspectedField("pages", .count(file.facts.pageCount)),
            InspectedField("freePages", .count(file.facts.freePageCount)),
            InspectedField("autoVacuum", .text(file.facts.autoVacuum.rawValue)),
            InspectedField("journal", .text(disk.header.journalMode == .writeAheadLog ? "wal" : "rollback")),
            InspectedField("sqliteVersion", .optional(disk.header.libraryVersion)),
            InspectedField("inUse", .boolean(disk.use != .nobody)),
        ])
    }

    private var historyValue: InspectedValue {
        guard
            case .recorded(let transactions, let changes, let oldest, let newest, let first, let last) = file.facts
                .history
        else { return .none }
        return .fields([
            InspectedField("transactions", .count(transactions)), InspectedField("changes", .count(changes)),
            InspectedField("oldest", oldest.map(InspectedValue.integer) ?? .none),
            InspectedField("newest", .integer(newest)),
            InspectedField("from", .optional(first.flatMap(DateText.exact))),
            InspectedField("to", .optional(last.flatMap(DateText.exact))),
        ])
    }

    private var externalValue: InspectedValue {
        let found = externalFiles
        return .fields([InspectedField("files", .count(found.count)), InspectedField("bytes", .integer(found.bytes))])
    }

    private var entityValues: [InspectedValue] {
        guard let model = file.shownModel, !counts.isEmpty else { return [] }
        return ModelOutline.sorted(model).map { entity in
            .fields([
                InspectedField("name", .text(entity.name)), InspectedField("rows", .count(counts[entity.index])),
                InspectedField("superentity", .optional(entity.superentityIndex.map { model[$0].name })),
            ])
        }
    }
}
