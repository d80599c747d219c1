import Foundation

/// Names of classes, as model files have them, for this program.
///
/// Model files name classes without their module, or with a dot in place of it (`.Item`): on Apple's platforms classes
/// have such names at run time, or the compiler of models fills the module in. Here a class is found by module and
/// name, and the module is that of the target whose resources the file is among, if it is.
package struct ClassNames {
    /// Names the module may have; the likeliest first.
    private let modules: [String]

    package init() {
        modules = []
    }

    /// - Parameter url: of a model file; in a bundle of resources, `Package_Target.resources`, the target is known.
    package init(modelAt url: URL) {
        let bundle = url.pathComponents.last { $0.hasSuffix(".resources") || $0.hasSuffix(".bundle") }
        // Either part may have underscores of its own.
        let title = bundle?.split(separator: ".").first ?? ""
        let parts = title.split(separator: "_", omittingEmptySubsequences: false)
        let candidates = parts.indices.dropFirst().reversed().map { parts[$0...].joined(separator: "_") }
        modules = candidates.map { name in String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" }) }
    }

    /// - Returns: the name with its module, where there is such a class; otherwise as written, without a leading dot.
    ///   `nil` where nothing is written.
    package func name(_ written: String?) -> String? {
        guard let written, !written.isEmpty, written != NSEntityDescription.generalClassName else { return nil }
        let plain = written.hasPrefix(".") ? String(written.dropFirst()) : written
        guard !plain.contains(".") else { return plain }
        let found = modules.map { "\($0).\(plain)" }.first { NSClassFromString($0) != nil }
        if let found { return found }
        return written.hasPrefix(".") ? modules.first.map { "\($0).\(plain)" } ?? plain : plain
    }
}
