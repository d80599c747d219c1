import Foundation
import StoreInspection

/// What one may choose about looking at a store in the browser.
package struct BrowserOptions: Sendable {
    package var file: URL
    /// Versions of the app's model; the one that matches the file is used in place of the file's own.
    package var models: ModelVersions?
    /// 0 for any free one. Only this machine can reach it.
    package var port = 0
    /// Whether the page may delete and bring back.
    package var mayWrite = false
    /// Whether the file is copied before it is first changed.
    package var makesBackup = true
    /// Whether a file that another process has open is changed all the same.
    package var writesBesideOthers = false
    /// Deletes of more rows are done in steps of at most so many, which can be stopped.
    package var rowsPerStep = 5_000
    /// Written to the history as the author of changes.
    package var author = "modelstore"

    package init(file: URL) { self.file = file }
}
