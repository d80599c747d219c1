import HandWritten

/// Upper bounds of names for a share of the categories.
public enum CategoryThreshold {
    public static func half(_ animalCount: Int) -> String { below(animalCount) { $0 / 2 } }

    /// - Parameter number: how many of the categories.
    public static func below(_ animalCount: Int, _ number: (Int) -> Int) -> String {
        let categories = Int(hw_category_count(Int64(animalCount)))
        let digits = String(min(number(categories), categories))
        return "Category " + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }
}
