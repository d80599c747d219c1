import ArgumentParser
import SQLiteStore
import StoreInspection

struct CompactCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "Write the file anew, without its free pages.",
        discussion: """
            EXAMPLES
              modelstore compact default.store            (shows what would be gained)
              modelstore compact default.store --write
            """)

    @OptionGroup var store: StoreArgument
    @OptionGroup var options: WriteOptions
    @OptionGroup var format: FormatOptions

    func run() throws {
        guard options.write else {
            try store.inspecting { file in
                let free = Int64(file.facts.freePageCount) * file.facts.pageSize
                let (size, logSize) = (file.untouched.file.stamp.size, file.untouched.file.logSize)
                try format.write(
                    Report(
                        "\(Amounts.bytes(free)) of \(Amounts.bytes(size)) are free; "
                            + "\(Amounts.bytes(logSize)) are in the write-ahead log.",
                        [
                            InspectedField("bytes", .integer(size)), InspectedField("freeBytes", .integer(free)),
                            InspectedField("logBytes", .integer(logSize)),
                        ]))
            }
            return Output.note(WriteOptions.dryRun)
        }
        let before = try size()
        let (isLogEmpty, backup) = try options.writing(store, triggers: .run) { opened in
            let meter = ProgressMeter()
            let progress = ProgressLine("Compacting", following: meter)
            defer { progress.end() }
            return (try opened.store.compact(meter), InspectedField.backup(opened))
        }
        let after = try size()
        try format.write(
            Report(
                "\(Amounts.bytes(before)) → \(Amounts.bytes(after)).",
                [
                    InspectedField("before", .integer(before)), InspectedField("after", .integer(after)),
                    InspectedField("logEmpty", .boolean(isLogEmpty)), backup,
                ]))
        if !isLogEmpty { Output.note("Note: The write-ahead log could not be emptied, as others read the file.") }
    }

    /// The size of the file and its log.
    private func size() throws -> Int64 {
        let file = try DatabaseFile(store.url)
        return file.stamp.size + file.logSize
    }
}
