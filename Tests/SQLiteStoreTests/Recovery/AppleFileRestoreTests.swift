import Foundation
import ObjectGraph
import StoreTestSupport
import TestSupport
import Testing

@testable import SQLiteStore

/// Archived deletions in files written by Apple's frameworks. Skipped if they are missing.
@Suite("Restoring in Apple's files", .realFiles)
struct AppleFileRestoreTests {
    @Test("deleting and restoring leaves the file unchanged", arguments: RealFile.all)
    func restoring(file: RealFile) throws {
        let copy = try RealFileCopy(file)
        let store = try SQLiteStore(model: copy.model, location: .file(copy.url))
        var requests = [DeleteRequest(.everything)]
        for entity in copy.model.entities {
            let ids = try store.fetchIDs(Query(entityIndex: entity.index))
            requests.append(DeleteRequest(.rows(RowSet(ids.prefix(3)))))
            requests.append(DeleteRequest(.matching(Query(entityIndex: entity.index))))
        }
        let before = try Contents(store)
        var restored = 0
        for var request in requests {
            request.recovery = .archived()
            do {
                guard let token = try store.delete(request).token else { continue }
                #expect(try Contents(store).rows != before.rows)
                restored += try store.restore(token, .strict).restored.count
            } catch DeleteError.refused {
                continue
            }
            #expect(try Contents(store).difference(from: before) == "")
        }
        #expect(restored > 0)
        let integrity = try store.pool.withWriter { connection in
            try connection.withStatement("PRAGMA integrity_check") { try $0.step() ? $0.text(at: 0) : "" }
        }
        #expect(integrity == "ok")
    }
}
