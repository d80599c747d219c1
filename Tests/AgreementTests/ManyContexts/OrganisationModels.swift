import SwiftData

/// A model that is unique in the random run: no tag is used twice.
protocol Tagged: PersistentModel {
    var tag: Int { get set }
    /// One of a few numbers, for deletes by predicate.
    var number: Int { get set }
}

@Model final class Organisation: Tagged {
    var tag: Int
    var number: Int
    @Attribute(.unique) var code: String?
    @Relationship(deleteRule: .cascade, inverse: \Item.owner) var items: [Item] = []
    @Relationship(inverse: \Label.organisations) var labels: [Label] = []
    @Relationship(deleteRule: .deny, inverse: \Contract.organisation) var contracts: [Contract] = []
    @Relationship(inverse: \Kit.maker) var kits: [Kit] = []

    init(tag: Int, number: Int, code: String?) {
        self.tag = tag
        self.number = number
        self.code = code
    }
}

@Model class Item: Tagged {
    var tag: Int
    var number: Int
    var owner: Organisation?
    @Relationship(deleteRule: .cascade, inverse: \Item.previous) var next: Item?
    var previous: Item?
    @Relationship(inverse: \Item.followers) var follows: [Item] = []
    var followers: [Item] = []
    @Relationship(deleteRule: .cascade, inverse: \Badge.item) var badge: Badge?

    init(tag: Int, number: Int) {
        self.tag = tag
        self.number = number
    }
}

@Model final class Kit: Item {
    var maker: Organisation?

    override init(tag: Int, number: Int) { super.init(tag: tag, number: number) }
}

@Model final class Badge: Tagged {
    var tag: Int
    var number: Int
    var item: Item

    init(tag: Int, number: Int, item: Item) {
        self.tag = tag
        self.number = number
        self.item = item
    }
}

@Model final class Contract: Tagged {
    var tag: Int
    var number: Int
    var organisation: Organisation

    init(tag: Int, number: Int, organisation: Organisation) {
        self.tag = tag
        self.number = number
        self.organisation = organisation
    }
}

@Model final class Label: Tagged {
    var tag: Int
    var number: Int
    var organisations: [Organisation] = []
    @Relationship(inverse: \Label.children) var parent: Label?
    var children: [Label] = []
    @Relationship(inverse: nil) var favourite: Item?

    init(tag: Int, number: Int) {
        self.tag = tag
        self.number = number
    }
}

enum OrganisationModels {
    static let types: [any Tagged.Type] = [
        Organisation.self, Item.self, Kit.self, Badge.self, Contract.self, Label.self,
    ]

    /// Of each hierarchy.
    static let roots: [any Tagged.Type] = [
        Organisation.self, Item.self, Badge.self, Contract.self, Label.self,
    ]

    static func type(named name: String) -> (any Tagged.Type)? { types.first { "\($0)" == name } }
}
