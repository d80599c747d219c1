import Foundation

/// Moves a finished file or folder to its final name.
enum FinalName {
    /// Never replaces an existing file or folder, even one created at the last moment, except that a folder may replace
    /// an empty folder.
    /// - Throws: `InspectionError.alreadyThere`, `.badInput`.
    static func give(_ url: URL, to unfinished: URL) throws {
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: unfinished.path, isDirectory: &isFolder)
        if isFolder.boolValue {
            // `rename` does not replace a folder that is not empty.
            guard rename(unfinished.path, url.path) == 0 else { throw error(errno, url) }
        } else if link(unfinished.path, url.path) == 0 {
            unlink(unfinished.path)
        } else {
            guard lacksLinks(errno) else { throw error(errno, url) }
            try move(unfinished, to: url)
        }
    }

    /// Whether the error means that the file system does not support hard links.
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
