import ArgumentParser
import SQLiteStore
import StoreInspection

struct CompactCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "Write the file anew, without its free pages.",
        discussion: """
            EXAMPLES
              modelstore compact default.store            (tells what there is to gain)
              modelstore compact default.store --write
            """)

    @OptionGroup var store: StoreArgument
    @OptionGroup var options: WriteOptions

    func run() throws {
        guard options.write else {
            try store.inspecting { file in
                let free = Int64(file.facts.freePageCount) * file.facts.pageSize
                try Output.standard.line(
                    "\(Amounts.bytes(free)) of \(Amounts.bytes(file.untouched.file.stamp.size)) are free; "
                        + "\(Amounts.bytes(file.untouched.file.logSize)) are in the write-ahead log.")
            }
            return Output.note(WriteOptions.dryRun)
        }
        let before = try size()
        let isLogEmpty = try options.writing(store.url) { opened in
            let progress = ProgressLine("Compacting")
            defer { progress.end() }
            return try opened.store.compact()
        }
        try Output.standard.line("\(Amounts.bytes(before)) → \(Amounts.bytes(try size())).")
        if !isLogEmpty { Output.note("Note: The write-ahead log could not be emptied, as others read the file.") }
    }

    /// With the log.
    private func size() throws -> Int64 {
        let file = try DatabaseFile(store.url)
        return file.stamp.size + file.logSize
    }
}
