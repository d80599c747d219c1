/// Everything a page shows, ready for the templates: text and addresses, no models.
struct Page {
    /// The column a phone shows.
    enum Depth: String {
        case categories
        case animals
        case detail
    }

    var title: String
    var revision: String
    var depth: String
    /// The animal whose page or form this is.
    var selectedKey: String?
    /// The category whose animals are listed, or whose form this is.
    var shownKey: String?
    /// The category of the animal whose page or form this is: the animal goes with it.
    var homeKey: String?
    /// Where a window goes when what it shows is deleted.
    var listAddress: String
    var notice: NoticeView?
    var saving: SavingView
    var work: WorkView?
    var sidebar: SidebarView
    var list: ListView
    var detail: DetailView
}

struct SavingView {
    var isAutosaving: Bool
    var isDirty: Bool
    /// "Unsaved changes", "Saved" and the like.
    var stateText: String
    var unsavedCount: Int
    /// The value the autosave switch sends.
    var switchValue: String
}

struct SidebarView {
    var all: CategoryRow
    var categories: [CategoryRow]
    var hasNoCategories: Bool
    var bigSampleText: String
    /// Whether a long task keeps others from being started.
    var isBusy: Bool
}

struct CategoryRow {
    var rowName: String
    var rowCount: String
    var rowAddress: String
    var rowIcon: String
    var rowHue: String
    var isShown: Bool
    var isRowUnsaved: Bool
}

struct ListView {
    var heading: String
    var summary: String
    var addAddress: String
    /// `nil` for the list of all animals.
    var editAddress: String?
    var deleteAddress: String?
    var rows: [AnimalRow]
    var isEmpty: Bool
    var canAdd: Bool
    /// `nil` when one page has them all.
    var paging: PagingView?
}

struct PagingView {
    var rangeText: String
    var previousAddress: String?
    var nextAddress: String?
}

struct AnimalRow {
    var key: String
    var rowName: String
    var rowSummary: String
    var rowAddress: String
    var rowDeleteAddress: String
    var rowIcon: String
    var rowHue: String
    var isSelected: Bool
    var isRowUnsaved: Bool
}

/// What the last column shows: exactly one of these, or a hint that nothing is selected.
struct DetailView {
    var animal: AnimalView?
    var animalForm: AnimalFormView?
    var categoryForm: CategoryFormView?
    var confirmation: ConfirmationView?

    var isNothing: Bool
    /// Whether there is typed text that a live update must not replace.
    var isForm: Bool

    init(
        animal: AnimalView? = nil, animalForm: AnimalFormView? = nil, categoryForm: CategoryFormView? = nil,
        confirmation: ConfirmationView? = nil
    ) {
        self.animal = animal
        self.animalForm = animalForm
        self.categoryForm = categoryForm
        self.confirmation = confirmation
        isForm = animalForm != nil || categoryForm != nil
        isNothing = animal == nil && confirmation == nil && !isForm
    }
}

struct AnimalView {
    var name: String
    var diet: DietView
    var icon: String
    var hue: String
    var categoryName: String
    var categoryAddress: String?
    var companyText: String
    var savedText: String
    var savedHint: String
    var changeAddress: String
    var removeAddress: String
    var relatives: [AnimalRow]
    var hasRelatives: Bool
}

struct DietView {
    var label: String
    var hint: String
    var dietIcon: String
    var isChosen: Bool
}

struct CategoryChoice {
    var choiceKey: String
    var choiceName: String
    var isChosen: Bool
}

struct AnimalFormView {
    var formHeading: String
    var formAction: String
    var cancelAddress: String
    var submitLabel: String
    var enteredName: String
    var longestName: Int
    var diets: [DietView]
    var choices: [CategoryChoice]
    var hasChosenCategory: Bool
    var problem: String?
    var isNameProblem: Bool
}

struct CategoryFormView {
    var formHeading: String
    var formAction: String
    var cancelAddress: String
    var submitLabel: String
    var enteredName: String
    var longestName: Int
    var problem: String?
}

struct ConfirmationView {
    var question: String
    var consequence: String
    var confirmAction: String
    var confirmLabel: String
    var cancelAddress: String
    var isDestructive: Bool
    /// Whether nothing stands in the way.
    var canConfirm = true
    var preview: PreviewView?
    /// The model a window must let go of first: an animal's or category's key, or `*` for all.
    var leavingKey: String?
}
