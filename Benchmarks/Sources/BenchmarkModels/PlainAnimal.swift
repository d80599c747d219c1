import Foundation

/// An animal as a plain class, with all properties of the model: the lower bound of making one.
public final class PlainAnimal {
    public var name: String
    public var diet: String
    public var age: Int
    public var weight: Double
    public var born: Date
    public var category: PlainAnimal?
    public var visits: [PlainAnimal] = []
    public var tags: [PlainAnimal] = []

    public init(name: String, diet: String, age: Int, weight: Double, born: Date, category: PlainAnimal? = nil) {
        self.name = name
        self.diet = diet
        self.age = age
        self.weight = weight
        self.born = born
        self.category = category
    }
}
