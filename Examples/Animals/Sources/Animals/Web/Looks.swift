/// The icon and the colour of a category.
struct CategoryLook {
    let icon: String
    let hue: String

    private static let known: [String: (icon: String, hue: Int)] = [
        "mammal": ("paw", 1), "bird": ("bird", 6), "fish": ("fish", 5), "reptile": ("snake", 3),
        "amphibian": ("frog", 4), "invertebrate": ("butterfly", 8), "ant": ("butterfly", 0), "bat": ("paw", 7),
        "beetle": ("butterfly", 2),
        "crab": ("butterfly", 9), "finch": ("bird", 4), "minnow": ("fish", 6), "moth": ("butterfly", 1),
        "snail": ("egg", 3), "spider": ("butterfly", 5), "worm": ("snake", 8),
    ]
    private static let hueCount = 10

    init(category name: String?) {
        guard let name else {
            (icon, hue) = ("egg", "hue-none")
            return
        }
        if let known = Self.known[name.lowercased()] {
            (icon, hue) = (known.icon, "hue-\(known.hue)")
        } else {
            // A name has the same colour at every launch, unlike with `hashValue`.
            let sum = name.unicodeScalars.reduce(7) { ($0 &* 31 &+ Int($1.value)) & 0xFFFF }
            (icon, hue) = ("egg", "hue-\(sum % Self.hueCount)")
        }
    }
}

extension DietView {
    init(_ diet: Animal.Diet, isChosen: Bool = false) {
        let (hint, icon) =
            switch diet {
            case .herbivorous: ("Eats plants", "leaf")
            case .carnivorous: ("Eats other animals", "drumstick")
            case .omnivorous: ("Eats plants and animals", "cutlery")
            }
        self.init(label: diet.rawValue, hint: hint, dietIcon: icon, isChosen: isChosen)
    }
}
