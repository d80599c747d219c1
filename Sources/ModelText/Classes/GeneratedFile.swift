/// A source file generated from a model.
package struct GeneratedFile: Hashable, Sendable {
    package var name: String
    package var text: String
}
