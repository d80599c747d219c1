import SwiftData

enum Bookshop {
    @Model final class Author {
        #Unique<Author>([\.name], [\.initials, \.year])
        #Index<Author>([\.name], [\.year, \.name])

        @Attribute(.preserveValueOnDeletion, originalName: "label", hashModifier: "v2") var name: String
        @Attribute var initials: String = ""
        @Attribute(originalName: "born") var year: Int = 0
        @Attribute(hashModifier: "v2") var rank: Int = 0
        @Attribute(.externalStorage) var portrait: Data?
        @Attribute(.ephemeral) var isSelected: Bool = false
        @Attribute(.spotlight, .allowsCloudEncryption) var note: String = ""
        @Attribute(.transformable(by: PointTransformer.self)) var corner: Point?
        @Attribute(.transformable(by: "NSSecureUnarchiveFromData")) var marks: [String]?
        @Transient var draft: String = ""
        @Relationship(
            deleteRule: .cascade, minimumModelCount: 0, maximumModelCount: 9, originalName: "texts",
            inverse: \Book.author, hashModifier: "v3")
        var books: [Book] = []
        @Relationship var rival: Author?
        @Relationship(.unique, deleteRule: .noAction, minimumModelCount: nil, maximumModelCount: nil, inverse: nil)
        var motto: Motto?

        init(name: String) {
            self.name = name
        }
    }

    @Model final class Book {
        #Index<Book>(.binary([\.title]), .rtree([\.width, \.height]))
        @Attribute(.unique) var title: String
        var width = 0.0
        var height = 0.0
        var author: Author?
        var reprints: [Book]?

        init(title: String) {
            self.title = title
        }
    }

    @Model final class Motto {
        var text: String = ""
        init() {}
    }

    /// Not `Codable`: stored by its transformer only.
    struct Point: Equatable {
        var x: Int
        var y: Int
    }

    final class PointTransformer: ValueTransformer {
        override class func transformedValueClass() -> AnyClass { NSData.self }
        override class func allowsReverseTransformation() -> Bool { true }

        override func transformedValue(_ value: Any?) -> Any? {
            (value as? Point).map { Data("\($0.x) \($0.y)".utf8) }
        }

        override func reverseTransformedValue(_ value: Any?) -> Any? {
            guard let data = value as? Data else { return nil }
            let numbers = String(decoding: data, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
            return numbers.count == 2 ? Point(x: numbers[0], y: numbers[1]) : nil
        }
    }

    static func container() throws -> ModelContainer {
        try ModelContainer(for: Author.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }
}

/// Both a value and a list of models, as the last of the typed overloads requires.
struct CodedModels<Element: PersistentModel>: Codable, RelationshipCollection {
    typealias PersistentElement = Element
}
