import SwiftData

@Model
final class Pack {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Wolf.pack) var wolves: [Wolf] = []

    init(name: String) {
        self.name = name
    }
}

@Model
final class Wolf {
    @Attribute(.unique) var tag: Int
    var pack: Pack?

    init(tag: Int) {
        self.tag = tag
    }
}
