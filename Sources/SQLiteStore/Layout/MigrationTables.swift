/// Names of tables that wait to be copied while a file is migrated. No file has them before or after.
enum MigrationTables {
    /// - Parameter number: tells apart the tables of one migration.
    static func former(_ number: Int) -> String { "\(RecoveryTables.prefix)FORMER_\(number)" }

    /// The key table has numbers of the model's entities below this one, and those of history and of others from here on.
    static let firstForeignNumber = 16_000

    /// What begins the name of a trigger that keeps a derived attribute current.
    static let derivationTriggerPrefix = "Z_DA_"

    /// What the name of such a trigger has of its attribute.
    static func derivationTriggerMark(entity: String, attribute: String) -> String { "_\(entity)_\(attribute)_" }

    /// Whether a word of a statement can be the name of a table or column of a model.
    static func isStoredName(_ word: some StringProtocol) -> Bool {
        word.first == "Z" && word.utf8.allSatisfy { !(0x61...0x7A).contains($0) }
    }
}
