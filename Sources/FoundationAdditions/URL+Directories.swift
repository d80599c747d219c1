#if !canImport(Darwin)
import Foundation

// The folders of the user that Foundation names on Apple's systems, and on Linux only in `FileManager`. Disfavored, so that
// Foundation's are used once it has them.

extension URL {
    /// The user's documents folder.
    @_disfavoredOverload public static var documentsDirectory: URL { folder(.documentDirectory, "Documents") }
    /// The folder of programs' data: `$XDG_DATA_HOME`, by default `~/.local/share`.
    @_disfavoredOverload public static var applicationSupportDirectory: URL {
        folder(.applicationSupportDirectory, ".local/share")
    }
    /// The folder of data that can be computed again: `$XDG_CACHE_HOME`, by default `~/.cache`.
    @_disfavoredOverload public static var cachesDirectory: URL { folder(.cachesDirectory, ".cache") }
    /// The user's folder for downloads.
    @_disfavoredOverload public static var downloadsDirectory: URL { folder(.downloadsDirectory, "Downloads") }
    /// The user's desktop folder.
    @_disfavoredOverload public static var desktopDirectory: URL { folder(.desktopDirectory, "Desktop") }
    /// The user's folder for pictures.
    @_disfavoredOverload public static var picturesDirectory: URL { folder(.picturesDirectory, "Pictures") }
    /// The user's folder for films.
    @_disfavoredOverload public static var moviesDirectory: URL { folder(.moviesDirectory, "Videos") }
    /// The user's folder for music.
    @_disfavoredOverload public static var musicDirectory: URL { folder(.musicDirectory, "Music") }
    /// The user's folder for files that others may read.
    @_disfavoredOverload public static var sharedPublicDirectory: URL { folder(.sharedPublicDirectory, "Public") }
    /// The folder of programs' data. Linux has no library folder.
    @_disfavoredOverload public static var libraryDirectory: URL { applicationSupportDirectory }

    /// - Parameter path: Of the folder in the home folder, where Foundation names none.
    private static func folder(_ directory: FileManager.SearchPathDirectory, _ path: String) -> URL {
        FileManager.default.urls(for: directory, in: .userDomainMask).first
            ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(path, isDirectory: true)
    }
}
#endif
