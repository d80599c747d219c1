import Foundation
import SwiftData

/// Spells a model's identifier for an address: base64url of its JSON.
enum ModelKey {
    /// In characters; a real one has about 250.
    private static let longest = 1024

    /// Differs from launch to launch. Identifiers of unsaved models mean nothing in the next one and are marked with
    /// it.
    static let launch = String(UInt32.random(in: 0 ... .max), radix: 36)
    private static let unsavedMark = "unsaved-\(launch)."

    static func text(_ id: PersistentIdentifier) -> String {
        let encoder = JSONEncoder()
        // The same identifier always has the same address.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let json = try? encoder.encode(id) else { return "" }
        let text = json.base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        return id.storeIdentifier == nil ? unsavedMark + text : text
    }

    /// The identifier, or `nil` when the text is not one.
    static func identifier(_ text: String) -> PersistentIdentifier? {
        guard text.utf8.count <= longest else { return nil }
        let isUnsaved = text.hasPrefix(unsavedMark)
        var base64 = (isUnsaved ? String(text.dropFirst(unsavedMark.count)) : text)
            .replacing("-", with: "+").replacing("_", with: "/")
        base64 += String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        guard let json = Data(base64Encoded: base64),
            let id = try? JSONDecoder().decode(PersistentIdentifier.self, from: json),
            (id.storeIdentifier == nil) == isUnsaved
        else { return nil }
        return id
    }
}
