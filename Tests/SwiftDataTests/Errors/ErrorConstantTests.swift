import SwiftData
import Testing

@Suite("Errors as constants")
struct ErrorConstantTests {
    @Test("Every error is a constant that a catch clause can name")
    func errors() {
        let all: [SwiftDataError] = [
            .includePendingChangesWithBatchSize, .unsupportedPredicate, .unsupportedKeyPath,
            .sortingPendingChangesWithIdentifiers, .unsupportedSortDescriptor, .duplicateConfiguration,
            .configurationFileNameTooLong, .configurationFileNameContainsInvalidCharacters,
            .configurationSchemaNotFoundInContainerSchema, .loadIssueModelContainer, .modelValidationFailure,
            .missingModelContext, .backwardMigration, .unknownSchema, .historyTokenExpired,
            .invalidTransactionFetchRequest,
        ]
        #expect(Set(all).count == 16)
        func kind(of error: any Error) -> String {
            do {
                throw error
            } catch SwiftDataError.unsupportedPredicate {
                return "predicate"
            } catch SwiftDataError.loadIssueModelContainer {
                return "container"
            } catch {
                return "other"
            }
        }
        #expect(kind(of: SwiftDataError.unsupportedPredicate) == "predicate")
        #expect(kind(of: SwiftDataError.loadIssueModelContainer) == "container")
        #expect(kind(of: SwiftDataError.unknownSchema) == "other")
    }
}
