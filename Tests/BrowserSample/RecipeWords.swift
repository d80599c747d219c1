/// Words for recipes.
enum RecipeWords {
    static let books = [
        "Slow Sundays", "The Green Table", "Bread & Salt", "Harbour Kitchen", "Thirty Minutes", "Spice Road",
        "Cold Days",
        "The Sweet Shelf", "Market Morning", "One Pot", "Grandmother's Tin", "Fire and Smoke",
    ]
    static let publishers = ["Oak & Ivy", "Northern Press", "Lantern", nil]
    static let manners = [
        "Roasted", "Braised", "Grilled", "Smoky", "Creamy", "Crisp", "Lemony", "Pickled", "Warm", "Golden",
    ]
    static let things = [
        "Carrots", "Chickpeas", "Cod", "Aubergine", "Leeks", "Mushrooms", "Chicken", "Lentils", "Pumpkin", "Beetroot",
        "Potatoes", "Halloumi",
    ]
    static let sides = ["with Dill", "with Walnuts", "and Rice", "on Toast", "with Tahini", "and Capers", "in Broth"]
    static let sweets = ["Plum Cake", "Almond Tart", "Poached Pears", "Rice Pudding", "Lemon Bars", "Apple Crumble"]
    static let ingredients = [
        "Olive oil", "Salt", "Garlic", "Onion", "Lemon", "Butter", "Flour", "Tahini", "Dill", "Walnuts", "Rice",
        "Capers",
        "Stock", "Cream", "Honey", "Cumin", "Paprika", "Thyme",
    ]
    static let units = ["g", "ml", "tbsp", "tsp", "piece", nil]
    static let authors = ["Ada Lindqvist", "Björn Okafor", "Chiara Moretti", "Devika Rao", "Elif Yılmaz", "佐藤 健"]
    static let tags = ["weeknight", "vegan", "guests", "winter", "summer", "freezer", "quick", "children"]
    static let steps = [
        "Heat the oven to 200 °C.", "Chop everything finely.", "Fry the onion until it is soft.",
        "Add the stock and simmer.",
        "Season with salt, pepper and lemon.", "Leave to rest for ten minutes.",
    ]
}
