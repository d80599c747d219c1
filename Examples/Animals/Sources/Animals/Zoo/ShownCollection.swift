import SwiftData

/// The part of the collection that one page shows, as values that any actor can use.
struct ShownCollection: Sendable {
    /// The number of other animals of a category that the page of an animal lists.
    static let mostRelatives = 12

    let counts: AnimalCounts
    /// The list of the page, which may be another page than requested.
    let listing: Listing
    /// The animals on the page of the list.
    let animals: [ListedAnimal]
    /// The number of animals in the whole list.
    let count: Int
    /// The first animals of the requested category, one more than an animal's page lists.
    let relatives: [ListedAnimal]
}

/// A category as pages show it.
struct ListedCategory: Sendable, Hashable {
    let id: PersistentIdentifier
    let name: String
    let isUnsaved: Bool

    init(_ category: AnimalCategory) {
        (id, name) = (category.persistentModelID, category.name)
        isUnsaved = category.hasChanges || category.persistentModelID.storeIdentifier == nil
    }
}

/// An animal as lists show it.
struct ListedAnimal: Sendable {
    let id: PersistentIdentifier
    let name: String
    let diet: Animal.Diet
    let category: PersistentIdentifier?
    let categoryName: String?
    let isUnsaved: Bool

    init(_ animal: Animal) {
        (id, name, diet) = (animal.persistentModelID, animal.name, animal.diet)
        (category, categoryName) = (animal.category?.persistentModelID, animal.category?.name)
        isUnsaved = animal.hasChanges || animal.persistentModelID.storeIdentifier == nil
    }
}
