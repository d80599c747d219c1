/// Names of tables that wait to be copied while a file is migrated. No file has them before or afterwards.
package enum MigrationTables {
    /// - Parameter number: Distinguishes the tables of one migration.
    package static func former(_ number: Int) -> String { "\(RecoveryTables.prefix)FORMER_\(number)" }

    /// The first entity number reserved for history and others. Numbers of the model's entities are below it.
    package static let firstForeignNumber = 16_000

    /// The prefix of names of triggers that keep derived attributes current.
    package static let derivationTriggerPrefix = "Z_DA_"

    /// The part of such a trigger's name that identifies its attribute.
    package static func derivationTriggerMark(entity: String, attribute: String) -> String {
        "_\(entity)_\(attribute)_"
    }

    /// Whether a word of a statement can be the name of a table or column of a model.
    package static func isStoredName(_ word: some StringProtocol) -> Bool {
        word.first == "Z" && word.utf8.allSatisfy { !(0x61...0x7A).contains($0) }
    }
}
