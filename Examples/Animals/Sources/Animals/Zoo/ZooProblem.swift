/// What can be wrong with a request to the collection, in words for the person who made it.
enum ZooProblem: Error, Equatable {
    case animalIsGone
    case categoryIsGone
    case emptyName
    case longName
    case categoryNameIsTaken(String)
    case unknownDiet
    case missingCategory
    case saveFailed(String)
}

extension ZooProblem: CustomStringConvertible {
    var description: String {
        switch self {
        case .animalIsGone: "This animal is no longer here. It may have been deleted in another window."
        case .categoryIsGone: "This category is no longer here. It may have been deleted in another window."
        case .emptyName: "Please enter a name."
        case .longName: "Please use a shorter name, at most \(EntryText.longestName) characters."
        case .categoryNameIsTaken(let name): "There is already a category called “\(name)”. Please choose another name."
        case .unknownDiet: "Please choose what the animal eats."
        case .missingCategory: "Please choose a category."
        case .saveFailed(let reason): "The changes could not be saved and are still waiting. \(reason)"
        }
    }
}
