import Foundation
import StoreInspection

/// Settings of a browser server.
package struct BrowserOptions: Sendable {
    package var file: URL
    /// Versions of the app's model. The version that matches the file replaces the model stored in the file.
    package var models: ModelVersions?
    /// The port to listen on; 0 chooses any free port. The server listens on the loopback interface only.
    package var port = 0
    /// Whether pages may delete, edit and restore rows.
    package var mayWrite = false
    /// Whether the file is backed up before the first change.
    package var makesBackup = true
    /// Whether the file may be changed while another process has it open.
    package var writesBesideOthers = false
    /// Larger deletes run in steps of at most this many rows, and can be stopped between steps.
    package var rowsPerStep = 5_000
    /// The author recorded in history for changes made in the browser.
    package var author = "modelstore"

    package init(file: URL) { self.file = file }
}
