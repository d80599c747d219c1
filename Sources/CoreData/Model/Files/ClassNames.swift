import Foundation

/// Resolves the class names in model files for this program.
///
/// Model files name classes without their module, or with a dot in place of it (`.Item`): on Apple's platforms classes have such
/// names at run time, or the model compiler adds the module. Here a class is found by module and name; the module is that of the
/// target whose resources contain the file.
package struct ClassNames {
    /// Possible names of the module, the most likely first.
    private let modules: [String]

    package init() {
        modules = []
    }

    /// - Parameter url: the URL of a model file; a bundle of resources, `Package_Target.resources`, names the target.
    package init(modelAt url: URL) {
        let bundle = url.pathComponents.last { $0.hasSuffix(".resources") || $0.hasSuffix(".bundle") }
        // Either part may contain underscores.
        let title = bundle?.split(separator: ".").first ?? ""
        let parts = title.split(separator: "_", omittingEmptySubsequences: false)
        let candidates = parts.indices.dropFirst().reversed().map { parts[$0...].joined(separator: "_") }
        modules = candidates.map { name in String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" }) }
    }

    /// - Returns: The name with its module, if such a class exists; otherwise the written name without a leading dot. `nil` if
    ///   no name is written.
    package func name(_ written: String?) -> String? {
        guard let written, !written.isEmpty, written != NSEntityDescription.generalClassName else { return nil }
        let plain = written.hasPrefix(".") ? String(written.dropFirst()) : written
        guard !plain.contains(".") else { return plain }
        let found = modules.map { "\($0).\(plain)" }.first { NSClassFromString($0) != nil }
        if let found { return found }
        return written.hasPrefix(".") ? modules.first.map { "\($0).\(plain)" } ?? plain : plain
    }
}
