import Foundation
import ObjectGraph

/// The way in which results are divided into sections.
struct SectionKey<Element: PersistentModel, SectionTitle: Hashable> {
    let keyPath: PartialKeyPath<Element>
    /// The order that puts the models of a section together. One descriptor or none, in an array: a generic type that
    /// stores a descriptor itself does not link in a release build, as Foundation does not export a type within it.
    let sortDescriptors: [SortDescriptor<Element>]
    let title: (Element) -> SectionTitle
    /// The title of a section by the stored value; `nil` if only a model has it.
    let titleOfValue: (Value) -> SectionTitle?

    var sort: SortDescriptor<Element>? { sortDescriptors.first }
}

extension SectionKey where SectionTitle == String {
    init(_ keyPath: KeyPath<Element, String>) {
        let constant = sendable(keyPath, as: (any KeyPath<Element, String> & Sendable).self)
        self.init(keyPath: keyPath, sortDescriptors: constant.map { [SortDescriptor($0)] } ?? []) {
            $0[keyPath: keyPath]
        } titleOfValue: {
            if case .text(let text) = $0 { text } else { nil }
        }
    }

    /// Models without a value are in a section with an empty title.
    init(_ keyPath: KeyPath<Element, String?>) {
        let constant = sendable(keyPath, as: (any KeyPath<Element, String?> & Sendable).self)
        self.init(keyPath: keyPath, sortDescriptors: constant.map { [SortDescriptor($0)] } ?? []) {
            $0[keyPath: keyPath] ?? ""
        } titleOfValue: {
            if case .text(let text) = $0 { text } else if $0.isNil { "" } else { nil }
        }
    }
}

extension FetchDescriptor {
    init(_ predicate: Predicate<T>?, _ sortBy: [SortDescriptor<T>]?) {
        self.init(predicate: predicate, sortBy: sortBy ?? [])
    }

    /// The descriptor with an order that begins with the sections and determines the place of every model.
    /// - Parameter section: The order of the sections; `nil` for none.
    func ordered(by section: SortDescriptor<T>?) -> FetchDescriptor<T> {
        var descriptor = self
        if let section, sortBy.first?.keyPath != section.keyPath { descriptor.sortBy.insert(section, at: 0) }
        let type = ModelType.of(T.self)
        if !sortBy.contains(where: { $0.keyPath.map(type.isIdentity) ?? false }) {
            descriptor.sortBy.append(SortDescriptor(\T.persistentModelID))
        }
        return descriptor
    }
}
