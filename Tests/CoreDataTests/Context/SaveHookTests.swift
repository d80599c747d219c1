import CoreData
import Testing

/// Changes that hooks and validators make during a save.
@Suite struct SaveHookTests {
    @Test("Changes made in willSave are posted and saved")
    func willSave() throws {
        let stack = try TestStack()
        let tag = stack.insert("Tag", ["label": "a"])
        let animal = try #require(stack.insert("Animal", ["name": "a"]) as? Animal)
        try stack.context.save()
        animal.onSave = { animal in
            animal.onSave = nil
            tag.setValue("b", forKey: "label")
        }
        animal.name = "b"
        stack.context.processPendingChanges()
        let changes = Recorded(.NSManagedObjectContextObjectsDidChange, object: stack.context)
        try stack.context.save()
        #expect(changes.objects(NSUpdatedObjectsKey) == [tag])
        #expect(try stack.count("Tag", NSPredicate(format: "label == 'b'")) == 1)
        #expect(animal.changedValuesForCurrentEvent().isEmpty)
    }

    @Test("refreshAllObjects notifies the objects that become faults, and no others")
    func refreshing() throws {
        let stack = try TestStack(model: Zoo.model(tag: HookedTag.self))
        let tags = ["read", "edited"].compactMap { stack.insert("Tag", ["label": $0]) as? HookedTag }
        try stack.context.save()
        tags[1].setValue("more", forKey: "label")
        let new = try #require(stack.insert("Tag", ["label": "new"]) as? HookedTag)
        for _ in 0..<2 { stack.context.refreshAllObjects() }
        #expect(tags[0].hooks == ["will false", "did true"])
        #expect(tags[1].hooks.isEmpty && new.hooks.isEmpty)
        #expect(tags[1].value(forKey: "label") as? String == "more")
    }

    @Test("A save runs in order: hooks, will-save, validation, hooks again, did-save")
    func order() throws {
        let stack = try TestStack()
        let animal = try #require(stack.insert("Animal", ["name": "a"]) as? Animal)
        animal.hooks = []
        animal.onValidation = { $0.hooks.append("validation") }
        let center = NotificationCenter.default
        let names: [Notification.Name] = [.NSManagedObjectContextWillSave, .NSManagedObjectContextDidSave]
        let tokens = names.map { name in
            center.addObserver(forName: name, object: stack.context, queue: nil) { [hooks = Weak(animal)] _ in
                hooks.object?.hooks.append(name.rawValue)
            }
        }
        defer { tokens.forEach(center.removeObserver) }
        try stack.context.save()
        let order = [
            "willSave", NSNotification.Name.NSManagedObjectContextWillSave.rawValue, "validation", "didSave",
            NSNotification.Name.NSManagedObjectContextDidSave.rawValue,
        ]
        #expect(animal.hooks == order)
    }

    /// Used only on the thread that saves.
    private struct Weak: @unchecked Sendable {
        weak var object: Animal?
        init(_ object: Animal) { self.object = object }
    }

    @Test("Changes made by a validator are posted, and validated again")
    func validators() throws {
        let model = Zoo.model()
        let age = try #require(model.entitiesByName["Animal"]?.attributesByName["age"])
        age.setValidationPredicates([NSPredicate(format: "SELF < 100")], withValidationWarnings: [1610])
        let stack = try TestStack(model: model)
        let animal = try #require(stack.insert("Animal", ["name": "a"]) as? Animal)
        let other = try #require(stack.insert("Animal", ["name": "b"]) as? Animal)
        try stack.context.save()
        // In either order of validation, each object is validated with its final values.
        for (first, second) in [(animal, other), (other, animal)] {
            first.onValidation = { _ in second.setValue(200, forKey: "age") }
            (first.name, second.name) = ("c", "d")
            #expect(code { try stack.context.save() } == 1610)
            first.onValidation = nil
            stack.context.rollback()
        }
        animal.name = "trimmed "
        stack.context.processPendingChanges()
        let changes = Recorded(.NSManagedObjectContextObjectsDidChange, object: stack.context)
        try stack.context.save()
        #expect(changes.objects(NSUpdatedObjectsKey) == [animal])
        #expect(try stack.count("Animal", NSPredicate(format: "name == 'trimmed'")) == 1)
    }

    @Test("Validators that change values forever do not keep a save from ending")
    func restlessValidators() throws {
        let stack = try TestStack()
        let animal = try #require(stack.insert("Animal", ["name": "a"]) as? Animal)
        var round = 0
        animal.onValidation = { animal in
            round += 1
            animal.setValue(2 + round % 50, forKey: "age")
        }
        try stack.context.save()
        #expect(round > 1)
        #expect(try stack.count("Animal") == 1)
    }
}

/// Records when it becomes a fault.
final class HookedTag: NSManagedObject {
    var hooks: [String] = []

    override func willTurnIntoFault() { hooks.append("will \(isFault)") }
    override func didTurnIntoFault() { hooks.append("did \(isFault)") }
}
