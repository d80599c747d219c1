/// The content of a page for the templates: texts and addresses, no models.
struct Page {
    /// The column that a phone shows.
    enum Depth: String {
        case categories
        case animals
        case detail
    }

    var title: String
    var revision: String
    /// The time of the counts on the page; see `AnimalCounts.time`.
    var time: Int
    var depth: String
    /// The animal shown or edited.
    var selectedKey: String?
    /// The category whose animals are listed, or that is edited.
    var shownKey: String?
    /// The category of the animal shown or edited. Deleting the category deletes the animal.
    var homeKey: String?
    /// The address that a window opens when the model it shows is deleted.
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
    /// "Unsaved changes", "Saved" or similar.
    var stateText: String
    var unsavedCount: Int
    /// The value that the autosave switch sends.
    var switchValue: String
}

struct SidebarView {
    var all: CategoryRow
    var categories: [CategoryRow]
    /// `h1` if a phone shows this column.
    var headingTag: String
    var hasNoCategories: Bool
    var bigSampleText: String
    /// Whether a running long task prevents other ones.
    var isBusy: Bool
    var canDeleteAll: Bool
}

struct CategoryRow {
    var rowName: String
    var rowCount: String
    var countKey: String
    var rowAddress: String
    var rowIcon: String
    var rowHue: String
    var isShown: Bool
    var isRowUnsaved: Bool
}

struct ListView {
    var heading: String
    /// `h1` if a phone shows this column.
    var headingTag: String
    var summary: String
    /// Identifies the number in the summary; `nil` for a search result.
    var countKey: String?
    var search: SearchView
    var addAddress: String
    /// `nil` for the list of all animals.
    var editAddress: String?
    var deleteAddress: String?
    var canDelete: Bool
    var rows: [AnimalRow]
    var isEmpty: Bool
    var canAdd: Bool
    /// `nil` if all animals fit on one page.
    var paging: PagingView?
}

struct SearchView {
    /// The address that the search form is sent to, which lists all animals of the list.
    var place: String
    var text: String
    var label: String
    var longest: Int
    var isActive: Bool
    /// The address of the same search in all animals; `nil` if these are all.
    var everywhereAddress: String?
}

struct PagingView {
    var rangeText: String
    var countText: String
    /// The same as that of the list.
    var countKey: String?
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

/// The content of the last column: exactly one of these, or a hint that nothing is selected.
struct DetailView {
    var animal: AnimalView?
    var animalForm: AnimalFormView?
    var categoryForm: CategoryFormView?
    var confirmation: ConfirmationView?

    var isNothing: Bool
    /// Whether it contains typed text, which a live update must not replace.
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
    /// The address where the typed values can be saved if the form's model has been deleted.
    var onceDeletedAddress: String
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
    let onceDeletedAddress = "/categories/new?deleted=category"
    var enteredName: String
    let longestName = EntryText.longestName
    var problem: String?
    var isNameProblem: Bool

    init(
        formHeading: String, formAction: String, cancelAddress: String, submitLabel: String, enteredName: String,
        problem: ZooProblem?
    ) {
        (self.formHeading, self.formAction, self.cancelAddress) = (formHeading, formAction, cancelAddress)
        (self.submitLabel, self.enteredName) = (submitLabel, enteredName)
        self.problem = problem?.description
        isNameProblem = problem != nil && problem != .editedCategoryIsGone
    }
}

struct ConfirmationView {
    var question: String
    var consequence: String
    var confirmAction: String
    var confirmLabel: String
    var cancelAddress: String
    var isDestructive: Bool
    /// Whether the action can be confirmed.
    var canConfirm = true
    var preview: PreviewView?
    /// The model that windows must leave first: the key of an animal or a category, or `*` for all.
    var leavingKey: String?
}
