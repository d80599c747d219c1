import Foundation

/// The name that a finished file or folder gets.
enum FinalName {
    /// Whatever has the name already stays, even if it came at the last moment; but for an empty folder where a folder is
    /// to come.
    /// - Throws: `InspectionError.alreadyThere`, `.badInput`.
    static func give(_ url: URL, to unfinished: URL) throws {
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: unfinished.path, isDirectory: &isFolder)
        if isFolder.boolValue {
            // Takes no folder's place that has anything in it.
            guard rename(unfinished.path, url.path) == 0 else { throw error(errno, url) }
        } else if link(unfinished.path, url.path) == 0 {
            unlink(unfinished.path)
        } else {
            guard lacksLinks(errno) else { throw error(errno, url) }
            try move(unfinished, to: url)
        }
    }

    /// Some file systems cannot give a file a second name.
    private static func lacksLinks(_ code: Int32) -> Bool {
        [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK].contains(code)
    }

    private static func move(_ unfinished: URL, to url: URL) throws {
        do {
            try FileManager.default.moveItem(at: unfinished, to: url)
        } catch let error as CocoaError where error.code == .fileWriteFileExists {
            throw InspectionError.alreadyThere(url.path)
        } catch {
            throw InspectionError.badInput("\(url.path) cannot be written: \(error.localizedDescription)")
        }
    }

    private static func error(_ code: Int32, _ url: URL) -> InspectionError {
        [EEXIST, ENOTEMPTY, ENOTDIR, EISDIR].contains(code)
            ? .alreadyThere(url.path)
            : .badInput("\(url.path) cannot be written: \(String(cString: strerror(code))).")
    }
}
