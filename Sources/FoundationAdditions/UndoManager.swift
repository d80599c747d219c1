#if !canImport(Darwin)
import Foundation

/// Records operations that undo and redo changes. Replaces Foundation's class on platforms without it.
///
/// Actions are recorded in groups; one `undo()` undoes one outermost group. With `groupsByEvent`, an action outside a
/// group opens a group implicitly. As there is no event loop that closes it at the end of an event, it stays open until
/// `undo()`, `endUndoGrouping()`, or the next `beginUndoGrouping()`. An undo manager belongs to one thread.
nonisolated open class UndoManager: NSObject {
    private struct Action {
        weak var target: AnyObject?
        let perform: (AnyObject) -> Void
    }

    private struct Group {
        var actions: [Action] = []
        var name = ""
    }

    private enum Activity {
        case none, undoing, redoing
    }

    private var undoStack: [Group] = []
    private var redoStack: [Group] = []
    private var openGroups: [Group] = []
    /// Whether the outermost open group was opened implicitly.
    private var hasImplicitGroup = false
    private var activity = Activity.none
    private var disabledCount = 0

    /// The maximum number of groups that can be undone; 0 means no limit. The oldest groups are discarded first.
    open var levelsOfUndo = 0 {
        didSet { trim() }
    }

    /// Whether an action outside a group opens a group implicitly.
    open var groupsByEvent = true

    public override init() {
        super.init()
    }
}

// MARK: - Groups

extension UndoManager {
    public var groupingLevel: Int { openGroups.count }

    public func beginUndoGrouping() {
        if hasImplicitGroup && activity == .none { endUndoGrouping() }
        openGroups.append(Group())
        post(.NSUndoManagerDidOpenUndoGroup)
    }

    /// Closes an implicit group, so that earlier and later actions are undone separately.
    package func endEvent() {
        if hasImplicitGroup, activity == .none, groupingLevel == 1 { endUndoGrouping() }
    }

    /// Closes the innermost open group. Does nothing if no group is open.
    public func endUndoGrouping() {
        guard let group = openGroups.popLast() else { return }
        post(.NSUndoManagerWillCloseUndoGroup)
        if openGroups.isEmpty {
            hasImplicitGroup = false
            keep(group)
        } else {
            openGroups[openGroups.count - 1].actions += group.actions
            if !group.name.isEmpty { openGroups[openGroups.count - 1].name = group.name }
        }
        post(.NSUndoManagerDidCloseUndoGroup)
    }

    private func keep(_ group: Group) {
        guard !group.actions.isEmpty else { return }
        if activity == .undoing {
            redoStack.append(group)
        } else {
            undoStack.append(group)
            trim()
        }
    }

    private func trim() {
        guard levelsOfUndo > 0 else { return }
        undoStack.removeFirst(max(0, undoStack.count - levelsOfUndo))
        redoStack.removeFirst(max(0, redoStack.count - levelsOfUndo))
    }
}

// MARK: - Registration

extension UndoManager {
    public var isUndoRegistrationEnabled: Bool { disabledCount == 0 }

    public func disableUndoRegistration() { disabledCount += 1 }

    public func enableUndoRegistration() { disabledCount = max(0, disabledCount - 1) }

    /// Registers an action that undoes the current change. The target is referenced weakly; the action does nothing
    /// after its deallocation. A change made outside undo and redo clears the redo stack.
    public func registerUndo<TargetType>(withTarget target: TargetType, handler: @escaping (TargetType) -> Void)
    where TargetType: AnyObject {
        guard isUndoRegistrationEnabled else { return }
        let action = Action(target: target) { object in
            if let target = object as? TargetType { handler(target) }
        }
        if activity == .none { redoStack.removeAll() }
        let opensGroup = openGroups.isEmpty
        if opensGroup { beginUndoGrouping() }
        openGroups[openGroups.count - 1].actions.append(action)
        if opensGroup {
            if groupsByEvent { hasImplicitGroup = true } else { endUndoGrouping() }
        }
    }

    public func removeAllActions() {
        undoStack.removeAll()
        redoStack.removeAll()
        openGroups.removeAll()
        hasImplicitGroup = false
        disabledCount = 0
    }

    public func removeAllActions(withTarget target: Any) {
        let object = target as AnyObject
        func removing(_ groups: [Group], keepingEmpty: Bool) -> [Group] {
            groups.compactMap { group in
                var group = group
                group.actions.removeAll { $0.target === object }
                return group.actions.isEmpty && !keepingEmpty ? nil : group
            }
        }
        undoStack = removing(undoStack, keepingEmpty: false)
        redoStack = removing(redoStack, keepingEmpty: false)
        openGroups = removing(openGroups, keepingEmpty: true)
    }
}

// MARK: - Undo and redo

extension UndoManager {
    public var canUndo: Bool { !undoStack.isEmpty || openGroups.contains { !$0.actions.isEmpty } }
    public var canRedo: Bool { !redoStack.isEmpty }
    public var isUndoing: Bool { activity == .undoing }
    public var isRedoing: Bool { activity == .redoing }
    /// The number of groups that can be undone, without the open one.
    public var undoCount: Int { undoStack.count }
    /// The number of groups that can be redone.
    public var redoCount: Int { redoStack.count }

    /// Closes the outermost group and undoes the last group. Does nothing while a nested group is open.
    public func undo() {
        guard activity == .none, groupingLevel <= 1 else { return }
        if groupingLevel == 1 { endUndoGrouping() }
        undoNestedGroup()
    }

    /// Undoes the last closed group.
    public func undoNestedGroup() {
        guard activity == .none, let group = undoStack.popLast() else { return }
        post(.NSUndoManagerCheckpoint)
        post(.NSUndoManagerWillUndoChange)
        perform(group, as: .undoing)
        post(.NSUndoManagerDidUndoChange)
    }

    /// Redoes the last undone group.
    public func redo() {
        guard activity == .none, openGroups.isEmpty, let group = redoStack.popLast() else { return }
        post(.NSUndoManagerCheckpoint)
        post(.NSUndoManagerWillRedoChange)
        perform(group, as: .redoing)
        post(.NSUndoManagerDidRedoChange)
    }

    /// Performs a group. Actions registered meanwhile become one group of the opposite stack.
    private func perform(_ group: Group, as activity: Activity) {
        let outer = (groups: openGroups, isImplicit: hasImplicitGroup)
        openGroups = [Group(actions: [], name: group.name)]
        hasImplicitGroup = false
        self.activity = activity
        for action in group.actions.reversed() {
            if let target = action.target { action.perform(target) }
        }
        while !openGroups.isEmpty { endUndoGrouping() }
        self.activity = .none
        (openGroups, hasImplicitGroup) = (outer.groups, outer.isImplicit)
    }
}

// MARK: - Names and notifications

extension UndoManager {
    /// Names the current group, or the last one if none is open.
    public func setActionName(_ actionName: String) {
        if !openGroups.isEmpty {
            openGroups[openGroups.count - 1].name = actionName
        } else if !undoStack.isEmpty {
            undoStack[undoStack.count - 1].name = actionName
        }
    }

    public var undoActionName: String { (openGroups.last ?? undoStack.last)?.name ?? "" }
    public var redoActionName: String { redoStack.last?.name ?? "" }
    public var undoMenuItemTitle: String { undoActionName.isEmpty ? "Undo" : "Undo \(undoActionName)" }
    public var redoMenuItemTitle: String { redoActionName.isEmpty ? "Redo" : "Redo \(redoActionName)" }

    private func post(_ name: Notification.Name) {
        NotificationCenter.default.post(name: name, object: self)
    }
}

extension Notification.Name {
    public static let NSUndoManagerCheckpoint = Notification.Name("NSUndoManagerCheckpointNotification")
    public static let NSUndoManagerDidOpenUndoGroup = Notification.Name("NSUndoManagerDidOpenUndoGroupNotification")
    public static let NSUndoManagerWillCloseUndoGroup =
        Notification.Name("NSUndoManagerWillCloseUndoGroupNotification")
    public static let NSUndoManagerDidCloseUndoGroup = Notification.Name("NSUndoManagerDidCloseUndoGroupNotification")
    public static let NSUndoManagerWillUndoChange = Notification.Name("NSUndoManagerWillUndoChangeNotification")
    public static let NSUndoManagerDidUndoChange = Notification.Name("NSUndoManagerDidUndoChangeNotification")
    public static let NSUndoManagerWillRedoChange = Notification.Name("NSUndoManagerWillRedoChangeNotification")
    public static let NSUndoManagerDidRedoChange = Notification.Name("NSUndoManagerDidRedoChangeNotification")
}
#else
import Foundation

extension UndoManager {
    /// Does nothing: the event loop closes implicit groups.
    package func endEvent() {}
}
#endif
