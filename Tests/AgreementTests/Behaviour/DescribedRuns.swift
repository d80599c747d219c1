import ObjectGraph
import StoreTestSupport

@testable import SQLiteStore
@testable import SwiftData

// Steps and final state of each run.

extension DeleteRound {
    /// The result of the last delete.
    func describe(_ number: Int, in digest: inout BehaviourDigest) {
        digest.add("delete \(number)", refusals: refusals.take())
        digest.add("delete \(number), planned", tablesOf: planned)
        digest.add("delete \(number), by object", tablesOf: walked)
    }
}

extension ContextPairRun {
    func describe(in digest: inout BehaviourDigest) {
        // The way a delete was executed is invisible to programs.
        digest.add("steps", log)
        let contexts = [planned, walked, other, otherWalked]
        for (context, name) in zip(contexts, ["planned", "by object", "other", "other, by object"]) {
            digest.add("refused to \(name)", refusals: context.refusals)
            do { digest.add("seen by \(name)", try context.everything()) } catch { digest.addFailure(error) }
        }
        digest.add("planned", tablesOf: planned.store)
        digest.add("by object", tablesOf: walked.store)
    }
}

extension FourContextRun {
    func describe(in digest: inout BehaviourDigest) {
        digest.add("steps", log)
        for (place, context) in contexts.enumerated() {
            do {
                digest.add("seen by \(place)", try ContextContents(context).models.map { "\($0): \($1)" }.sorted())
            } catch {
                digest.addFailure(error)
            }
        }
        digest.add("stored", tablesOf: containers[0].store as? SQLiteStore)
    }
}

extension GraphRun {
    func describe(in digest: inout BehaviourDigest) {
        digest.add("model", ["\(schema)"])
        digest.add("steps", log)
        digest.add("refused", refusals: met.all)
        digest.add("stored", tablesOf: store)
    }
}

extension LinkPair {
    func describe(in digest: inout BehaviourDigest) {
        digest.add("steps", log)
        digest.add("stored", tablesOf: store)
    }
}

extension ContextPair {
    func describe(in digest: inout BehaviourDigest) {
        digest.add("steps", log)
        digest.add("stored", tablesOf: container.store as? SQLiteStore)
    }
}
