/// Generates Swift classes for the entities of a model, like Xcode's code generation: the same files, classes,
/// properties and accessors.
///
/// The files compile on all platforms. With Objective-C, properties are `@NSManaged`, and Core Data creates their
/// accessors at run time. Elsewhere they are computed with `managedValue(forKey:)` and related functions, which
/// implement those accessors in Swift. Extensions are `nonisolated` like the classes: otherwise, in a module with
/// main-actor isolation by default, the properties could not be used on other queues.
package struct ClassGenerator {
    package let model: DocumentModel

    /// The entities to generate files for.
    package enum Selection: Sendable {
        /// Follows each entity's "Codegen" setting.
        case settings
        /// Class and properties of all entities with a custom class, whatever their setting.
        case everything
    }

    package init(_ model: DocumentModel) {
        self.model = model
    }

    /// The files, sorted by entity name.
    package func files(_ selection: Selection = .settings) -> [GeneratedFile] {
        model.entities.sorted { $0.name < $1.name }.flatMap { files(of: $0, selection) }
    }

    private func files(of entity: DocumentEntity, _ selection: Selection) -> [GeneratedFile] {
        guard let className = className(of: entity) else { return [] }
        let class_ = GeneratedFile(
            name: "\(className)+CoreDataClass.swift", text: classText(entity, className))
        let properties = GeneratedFile(
            name: "\(className)+CoreDataProperties.swift",
            text: PropertiesText(generator: self, entity: entity, className: className).text)
        switch (selection, entity.codeGeneration) {
        case (.everything, _), (.settings, .classDefinition): return [class_, properties]
        case (.settings, .categoryExtension): return [properties]
        case (.settings, .manual): return []
        }
    }

    private func classText(_ entity: DocumentEntity, _ className: String) -> String {
        """
        // Made from the model; changes made here are lost.

        import CoreData
        import Foundation

        #if canImport(ObjectiveC)
        @objc(\(className))
        #endif
        public class \(className): \(superclassName(of: entity)) {
        }

        """
    }

    // MARK: Names

    static let generalClassName = "NSManagedObject"

    /// The class name without its module; `nil` for an entity without a custom class.
    func className(of entity: DocumentEntity) -> String? {
        guard let written = entity.className?.split(separator: ".").last.map(String.init),
            written != Self.generalClassName, SwiftName.isIdentifier(written)
        else { return nil }
        return written
    }

    func className(ofEntityNamed name: String?) -> String {
        name.flatMap { model.entity(named: $0) }.flatMap { className(of: $0) } ?? Self.generalClassName
    }

    /// The class of the nearest superentity that has one.
    func superclassName(of entity: DocumentEntity) -> String {
        var seen: Set<String> = [entity.name]
        var next = entity.parentName
        while let name = next, seen.insert(name).inserted, let parent = model.entity(named: name) {
            if let found = className(of: parent) { return found }
            next = parent.parentName
        }
        return Self.generalClassName
    }
}
