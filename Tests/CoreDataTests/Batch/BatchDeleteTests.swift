import CoreData
import SQLiteStore
import Testing

@Suite struct BatchDeleteTests {
    private func delete(
        _ stack: TestStack, _ entity: String, _ predicate: NSPredicate? = nil,
        _ resultType: NSBatchDeleteRequestResultType = .resultTypeCount
    ) throws -> Any? {
        let request = NSBatchDeleteRequest(fetchRequest: stack.request(entity, predicate))
        request.resultType = resultType
        return try (stack.context.execute(request) as? NSBatchDeleteResult)?.result
    }

    // MARK: Deleted rows

    @Test("An in-memory store without SQLite refuses the request")
    func inMemoryStoreRefuses() throws {
        let stack = try TestStack(addsStore: false)
        try stack.coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        stack.insert("Tag", ["label": "a"])
        try stack.context.save()
        let request = NSBatchDeleteRequest(fetchRequest: stack.request("Tag"))
        let error = #expect(throws: CocoaError.self) { try stack.context.execute(request) }
        #expect(error?.code == .persistentStoreUnsupportedRequestType)
        #expect(error?.localizedDescription.hasPrefix("Unknown command type <NSBatchDeleteRequest") == true)
        #expect(try stack.count("Tag") == 1)
    }

    @Test("Rows are deleted without reading an object", arguments: TestStack.Kind.allCases)
    func nothingIsRead(_ kind: TestStack.Kind) throws {
        let stack = try TestStack(kind)
        for number in 0..<50 { stack.insert("Tag", ["label": "\(number)"]) }
        try stack.context.save()
        let fresh = stack.newContext()
        let request = NSBatchDeleteRequest(fetchRequest: stack.request("Tag"))
        try fresh.execute(request)
        #expect(fresh.registeredObjects.isEmpty)
        #expect(try stack.count("Tag") == 0)
    }

    @Test("Predicate, order, limit and offset select the rows")
    func predicateAndOrder() throws {
        let stack = try TestStack()
        for age in 0..<10 { stack.insert("Animal", ["name": "a\(age)", "age": age]) }
        try stack.context.save()
        let fetch = stack.request("Animal", NSPredicate(format: "age >= %d", 4))
        fetch.sortDescriptors = [NSSortDescriptor(key: "age", ascending: false)]
        fetch.fetchLimit = 2
        fetch.fetchOffset = 1
        let request = NSBatchDeleteRequest(fetchRequest: fetch)
        request.resultType = .resultTypeCount
        #expect(try (stack.context.execute(request) as? NSBatchDeleteResult)?.result as? Int == 2)
        let left = try stack.newContext().fetch(NSFetchRequest<Animal>(entityName: "Animal"))
        #expect(Set(left.compactMap { $0.value(forKey: "age") as? Int }) == [0, 1, 2, 3, 4, 5, 6, 9])
    }

    @Test(
        "When all rows are deleted, links are nullified in exactly the rows that referred to them", arguments: [3, 60])
    func survivorsOfAll(_ count: Int) throws {
        let stack = try TestStack()
        let keepers = ["a", "b", "c"].map { stack.insert("Person", ["name": $0]) }
        for number in 0..<count {
            stack.insert("Animal", ["name": "\(number)", "keeper": number % 3 == 0 ? NSNull() : keepers[number % 3]])
        }
        try stack.context.save()
        let request = NSBatchDeleteRequest(fetchRequest: stack.request("Animal"))
        request.resultType = .resultTypeObjectIDs
        let done = try #require(try stack.context.execute(request) as? NSBatchDeleteResult)
        #expect((done.result as? [NSManagedObjectID])?.count == count)
        #expect(Set(done.updatedObjectIDs) == Set(keepers[1...].map(\.objectID)))
        let people = try stack.newContext().fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
        #expect(people.sorted { $0.record.id.key < $1.record.id.key }.map(\.record.version).sorted() == [1, 2, 2])
    }

    @Test("A predicate may follow relationships")
    func joinedPredicate() throws {
        let stack = try TestStack()
        try stack.saveFamily("Mammals", animals: 3)
        try stack.saveFamily("Birds", animals: 2)
        #expect(try delete(stack, "Animal", NSPredicate(format: "category.name == %@", "Birds")) as? Int == 2)
        #expect(try stack.count("Animal") == 3)
    }

    @Test("Subentities are included unless the request says otherwise")
    func subentities() throws {
        let stack = try TestStack()
        stack.insert("Animal", ["name": "worm"])
        stack.insert("Mammal", ["name": "cat"])
        try stack.context.save()
        let fetch = stack.request("Animal")
        fetch.includesSubentities = false
        try stack.context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
        #expect(try stack.count("Animal") == 1)
        try stack.context.execute(NSBatchDeleteRequest(fetchRequest: stack.request("Animal")))
        #expect(try stack.count("Animal") == 0)
    }

    @Test("Rows are selected by identifier")
    func byIdentifier() throws {
        let stack = try TestStack()
        let tags = (0..<4).map { stack.insert("Tag", ["label": "\($0)"]) }
        try stack.context.save()
        let request = NSBatchDeleteRequest(objectIDs: tags.prefix(3).map(\.objectID))
        request.resultType = .resultTypeObjectIDs
        let deleted = try (stack.context.execute(request) as? NSBatchDeleteResult)?.result as? [NSManagedObjectID]
        #expect(Set(deleted ?? []) == Set(tags.prefix(3).map(\.objectID)))
        #expect(request.fetchRequest.entityName == "Tag")
        #expect(try stack.count("Tag") == 1)
    }

    @Test("Identifiers of several entities fail with the known text, and nothing is deleted")
    func mixedIdentifiers() throws {
        let stack = try TestStack()
        let tag = stack.insert("Tag")
        let animal = stack.insert("Animal", ["name": "a"])
        let mammal = stack.insert("Mammal", ["name": "m"])
        try stack.context.save()
        for pair in [[tag, animal], [animal, mammal]] {
            let request = NSBatchDeleteRequest(objectIDs: pair.map(\.objectID))
            let error = #expect(throws: CocoaError.self) { try stack.context.execute(request) }
            #expect(error?.localizedDescription == "mismatched objectIDs in batch delete initializer")
        }
        #expect(try stack.count("Tag") == 1)
        #expect(try stack.count("Animal") == 2)
    }

    @Test("No identifiers, and temporary ones, delete nothing")
    func emptyAndTemporaryIdentifiers() throws {
        let stack = try TestStack()
        stack.insert("Tag")
        try stack.context.save()
        let unsaved = stack.insert("Tag")
        for ids in [[], [unsaved.objectID]] {
            let request = NSBatchDeleteRequest(objectIDs: ids)
            request.resultType = .resultTypeCount
            #expect(try (stack.context.execute(request) as? NSBatchDeleteResult)?.result as? Int == 0)
        }
        #expect(try stack.count("Tag") == 1)
    }

    @Test("Unsaved changes are ignored and stay unsaved")
    func unsavedChanges() throws {
        let stack = try TestStack()
        let saved = stack.insert("Tag", ["label": "old"])
        try stack.context.save()
        saved.setValue("new", forKey: "label")
        stack.insert("Tag", ["label": "old"])
        #expect(try delete(stack, "Tag", NSPredicate(format: "label == %@", "new")) as? Int == 0)
        #expect(stack.context.insertedObjects.count == 1)
        #expect(stack.context.updatedObjects == [saved])
        #expect(try delete(stack, "Tag", NSPredicate(format: "label == %@", "old")) as? Int == 1)
        #expect(stack.context.hasChanges)
    }

    // MARK: Contexts

    @Test("Neither the executing context nor others are updated; their objects stay valid")
    func contextsAreNotUpdated() throws {
        let stack = try TestStack()
        let tag = stack.insert("Tag", ["label": "x"])
        try stack.context.save()
        let other = stack.newContext()
        let twin = try other.existingObject(with: tag.objectID)
        #expect(twin.value(forKey: "label") as? String == "x")
        let changes = Recorded(.NSManagedObjectContextObjectsDidChange, object: other)
        let saves = Recorded(.NSManagedObjectContextDidSave, object: stack.context)
        try stack.context.execute(NSBatchDeleteRequest(fetchRequest: stack.request("Tag")))
        for object in [tag, twin] {
            #expect(!object.isDeleted)
            #expect(object.managedObjectContext != nil)
            #expect(object.value(forKey: "label") as? String == "x")
        }
        #expect(changes.notifications.isEmpty)
        #expect(saves.notifications.isEmpty)
    }

    @Test("A fault whose row was deleted reads as nil and is deleted")
    func faultWithoutRow() throws {
        let stack = try TestStack()
        let tag = stack.insert("Tag", ["label": "x"])
        try stack.context.save()
        let other = stack.newContext()
        let fault = other.object(with: tag.objectID)
        try stack.context.execute(NSBatchDeleteRequest(fetchRequest: stack.request("Tag")))
        #expect(fault.value(forKey: "label") == nil)
        #expect(fault.isDeleted)
        #expect(code { _ = try other.existingObject(with: tag.objectID) } == 133000)
    }

    @Test("The result is the status by default, identifiers and counts if requested")
    func resultTypes() throws {
        let stack = try TestStack()
        let tag = stack.insert("Tag")
        try stack.context.save()
        let request = NSBatchDeleteRequest(fetchRequest: stack.request("Tag"))
        #expect(request.resultType == .resultTypeStatusOnly)
        let id = tag.objectID
        request.resultType = .resultTypeObjectIDs
        let result = try stack.context.execute(request) as? NSBatchDeleteResult
        #expect(result?.result as? [NSManagedObjectID] == [id])
        #expect(result?.resultType == .resultTypeObjectIDs)
        #expect(try delete(stack, "Tag", nil, .resultTypeStatusOnly) as? Bool == true)
        #expect(try delete(stack, "Tag", nil, .resultTypeCount) as? Int == 0)
    }

    @Test(
        "Merging the identifiers deletes the objects in memory and posts that objects changed",
        arguments: [NSDeletedObjectsKey, NSDeletedObjectIDsKey])
    func mergingIdentifiers(_ key: String) throws {
        let stack = try TestStack()
        let tag = stack.insert("Tag", ["label": "x"])
        try stack.context.save()
        let other = stack.newContext()
        let twin = try other.existingObject(with: tag.objectID)
        let changes = Recorded(.NSManagedObjectContextObjectsDidChange, object: other)
        let merges = Recorded(.NSManagedObjectContextDidMergeChangesObjectIDs, object: other)
        let request = NSBatchDeleteRequest(fetchRequest: stack.request("Tag"))
        request.resultType = .resultTypeObjectIDs
        let ids = try (stack.context.execute(request) as? NSBatchDeleteResult)?.result as? [NSManagedObjectID] ?? []
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [key: ids], into: [stack.context, other])
        for object in [tag, twin] {
            #expect(object.isDeleted)
            #expect(object.value(forKey: "label") as? String == "x")
        }
        #expect(changes.objects(NSDeletedObjectsKey) == [twin])
        #expect(merges.ids(NSDeletedObjectIDsKey) == Set(ids))
        #expect(other.deletedObjects == [twin])
        #expect(try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")).isEmpty)
        // The rows are gone; the next save accepts that.
        try other.save()
        #expect(!twin.isDeleted)
        #expect(twin.managedObjectContext == nil)
    }

    @Test("Merging identifiers that no context has registered does nothing")
    func mergingUnknownIdentifiers() throws {
        let stack = try TestStack()
        let tag = stack.insert("Tag")
        try stack.context.save()
        let other = stack.newContext()
        let changes = Recorded(.NSManagedObjectContextObjectsDidChange, object: other)
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: [tag.objectID]], into: [other])
        #expect(changes.notifications.isEmpty)
        #expect(!other.hasChanges)
        #expect(other.registeredObjects.isEmpty)
    }

    @Test("Merging accepts URIs and sets, too")
    func mergingURIs() throws {
        let stack = try TestStack()
        let tags = (0..<2).map { _ in stack.insert("Tag") }
        try stack.context.save()
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [
                NSDeletedObjectsKey: [tags[0].objectID.uriRepresentation()],
                NSDeletedObjectIDsKey: Set([tags[1].objectID]),
            ], into: [stack.context])
        #expect(stack.context.deletedObjects == Set(tags))
    }

    // MARK: Rules

    @Test("Nullify clears the keys of survivors and their join rows", arguments: TestStack.Kind.allCases)
    func nullify(_ kind: TestStack.Kind) throws {
        let stack = try TestStack(kind)
        let person = stack.insert("Person", ["name": "p"])
        let tag = stack.insert("Tag", ["label": "t"])
        let animal = stack.insert("Animal", ["name": "a", "keeper": person])
        animal.setValue(Set([tag]), forKey: "tags")
        try stack.context.save()
        #expect(try delete(stack, "Person") as? Int == 1)
        #expect(try delete(stack, "Tag") as? Int == 1)
        let fresh = try stack.newContext().existingObject(with: animal.objectID)
        #expect(fresh.value(forKey: "keeper") == nil)
        #expect((fresh.value(forKey: "tags") as? NSSet)?.count == 0)
    }

    @Test("Cascade deletes the destinations; the result names only the rows selected by the request")
    func cascade() throws {
        let stack = try TestStack()
        let category = try stack.saveFamily(animals: 3)
        let request = NSBatchDeleteRequest(fetchRequest: stack.request("Category"))
        request.resultType = .resultTypeObjectIDs
        let result = try stack.context.execute(request) as? NSBatchDeleteResult
        #expect(result?.result as? [NSManagedObjectID] == [category.objectID])
        #expect(result?.cascadedObjectIDs.count == 3)
        #expect(try stack.count("Animal") == 0)
    }

    @Test("Minimum counts are checked only if requested")
    func minimumCounts() throws {
        let stack = try TestStack()
        let team = stack.insert("Team", ["name": "t"])
        stack.insert("Player", ["name": "p", "team": team])
        try stack.context.save()
        let strict = NSBatchDeleteRequest(fetchRequest: stack.request("Player"))
        strict.enforcesMinimumCounts = true
        #expect(code { try stack.context.execute(strict) } == 1580)
        #expect(try stack.count("Player") == 1)
        #expect(try delete(stack, "Player") as? Int == 1)
    }

    @Test("A deny rule refuses the delete while its relationship has a destination; nothing is deleted")
    func deny() throws {
        let stack = try TestStack()
        let customer = stack.insert("Customer", ["name": "busy"])
        stack.insert("Order", ["number": 1, "customer": customer])
        stack.insert("Customer", ["name": "idle"])
        try stack.context.save()
        let error = #expect(throws: CocoaError.self) { _ = try delete(stack, "Customer") }
        #expect(error?.code == .validationRelationshipDeniedDelete)
        #expect(error?.validationKey == "orders")
        #expect(try stack.count("Customer") == 2)
        #expect(try delete(stack, "Customer", NSPredicate(format: "name == 'idle'")) as? Int == 1)
    }

    @Test("A mandatory inverse refuses the whole request, with the known texts")
    func mandatoryInverse() throws {
        let stack = try TestStack()
        let info = stack.insert("ContentSyncedInfo", ["state": "s"])
        stack.insert("Content", ["title": "c", "info": info])
        stack.insert("ContentSyncedInfo", ["state": "lonely"])
        try stack.context.save()
        let error = #expect(throws: CocoaError.self) { _ = try delete(stack, "ContentSyncedInfo") }
        #expect(error?.errorCode == 134050)
        let reason =
            "Constraint violation: Batch delete failed due to mandatory OTO nullify inverse on ContentSyncedInfo/content"
        #expect(error?.userInfo[NSLocalizedFailureReasonErrorKey] as? String == reason)
        #expect(error?.userInfo["_NSCoreDataOptimisticLockingFailureConflictsKey"] as? [String] == [""])
        #expect(
            BatchDeleteFailure.logLine(reason)
                == "CoreData: error: Unhandled error from executeBatchDeleteRequest \(reason) and userInfo "
                + "{ \"_NSCoreDataOptimisticLockingFailureConflictsKey\" = ( \"\" ); }")
        #expect(try stack.count("ContentSyncedInfo") == 2)
    }

    @Test("A mandatory inverse does not refuse if its owner is deleted first, or if there is none")
    func mandatoryInverseWithoutObstacle() throws {
        let stack = try TestStack()
        let info = stack.insert("ContentSyncedInfo")
        stack.insert("Content", ["info": info])
        stack.insert("ContentSyncedInfo", ["state": "lonely"])
        try stack.context.save()
        #expect(try delete(stack, "ContentSyncedInfo", NSPredicate(format: "state == 'lonely'")) as? Int == 1)
        #expect(try delete(stack, "Content") as? Int == 1)
        #expect(try stack.count("ContentSyncedInfo") == 0)
    }

    @Test("Entities can be emptied one after the other, owners before their mandatory destinations")
    func entitiesInOrder() throws {
        let stack = try TestStack()
        for number in 0..<3 {
            let info = stack.insert("ContentSyncedInfo", ["state": "\(number)"])
            stack.insert("Content", ["title": "\(number)", "info": info])
        }
        try stack.saveFamily(animals: 2)
        #expect(code { _ = try delete(stack, "ContentSyncedInfo") } == 134050)
        // Deleted contents cascade to their infos, deleted categories to their animals.
        for entity in ["Content", "ContentSyncedInfo", "Category", "Animal"] {
            let count = try stack.count(entity)
            #expect(try delete(stack, entity) as? Int == count, "\(entity)")
            #expect(try stack.count(entity) == 0, "\(entity)")
        }
    }

    @Test("Files of large values are deleted with their rows, including cascaded rows")
    func externalFiles() throws {
        let model = Zoo.model()
        for name in ["Animal", "Category"] {
            let picture = Zoo.attribute("picture", .binaryDataAttributeType)
            picture.allowsExternalBinaryDataStorage = true
            try #require(model.entitiesByName[name]).properties.append(picture)
        }
        let stack = try TestStack(.file, model: model)
        let large = Data(repeating: 7, count: 300_000)
        let category = stack.insert("Category", ["name": "c", "picture": large])
        stack.insert("Animal", ["name": "a", "category": category, "picture": large])
        stack.insert("Animal", ["name": "other", "picture": large])
        try stack.context.save()
        let files = stack.folder.appendingPathComponent(".zoo_SUPPORT/_EXTERNAL_DATA").path
        #expect(try FileManager.default.contentsOfDirectory(atPath: files).count == 3)
        #expect(try delete(stack, "Category") as? Int == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: files).count == 1)
        let left = try stack.newContext().fetch(NSFetchRequest<Animal>(entityName: "Animal"))
        #expect(left.map { $0.value(forKey: "picture") as? Data } == [large])
    }

    @Test("No hook runs and no save is posted")
    func noHooks() throws {
        let stack = try TestStack()
        let animal = try #require(stack.insert("Animal", ["name": "a"]) as? Animal)
        try stack.context.save()
        animal.hooks = []
        let saves = Recorded(.NSManagedObjectContextWillSave, object: stack.context)
        _ = try delete(stack, "Animal")
        #expect(animal.hooks.isEmpty)
        #expect(saves.notifications.isEmpty)
    }

    // MARK: Contexts and stores

    @Test("A child context sends the request to the stores of its root context")
    func childContext() throws {
        let stack = try TestStack()
        stack.insert("Tag")
        try stack.context.save()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = stack.context
        try child.execute(NSBatchDeleteRequest(fetchRequest: stack.request("Tag")))
        #expect(try stack.count("Tag") == 0)
    }

    @Test("A context without coordinator throws")
    func noCoordinator() {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        let request = NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Tag"))
        #expect(code { try context.execute(request) } == 134070)
    }

    @Test("A read-only store throws, and nothing is deleted")
    func readOnlyStore() throws {
        let stack = try TestStack(.file)
        stack.insert("Tag")
        try stack.context.save()
        let reader = try TestStack(addsStore: false)
        try reader.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: stack.fileURL(),
            options: [NSReadOnlyPersistentStoreOption: true])
        #expect(code { _ = try delete(reader, "Tag") } == 134030)
        #expect(try stack.count("Tag") == 1)
    }

    @Test("With several stores, affectedStores selects the stores; counts are summed")
    func severalStores() throws {
        let stack = try TestStack(.file)
        let second = try stack.add(.file, "second")
        for number in 0..<5 {
            let tag = stack.insert("Tag", ["label": "\(number)"])
            if number >= 3 { stack.context.assign(tag, to: second) }
        }
        try stack.context.save()
        let fetch = stack.request("Tag")
        fetch.affectedStores = [second]
        let request = NSBatchDeleteRequest(fetchRequest: fetch)
        request.affectedStores = [second]
        request.resultType = .resultTypeCount
        #expect(try (stack.context.execute(request) as? NSBatchDeleteResult)?.result as? Int == 2)
        for number in 0..<2 {
            let tag = stack.insert("Tag", ["label": "\(number)"])
            stack.context.assign(tag, to: second)
        }
        try stack.context.save()
        let all = NSBatchDeleteRequest(fetchRequest: fetch)
        all.resultType = .resultTypeCount
        #expect(try (stack.context.execute(all) as? NSBatchDeleteResult)?.result as? Int == 5)
        #expect(try stack.count("Tag") == 0)
    }

    @Test("Remote change is posted when the option is on")
    func remoteChange() throws {
        let stack = try TestStack(
            .file,
            options: [
                NSPersistentStoreRemoteChangeNotificationPostOptionKey: true, NSPersistentHistoryTrackingKey: true,
            ])
        stack.insert("Tag")
        try stack.context.save()
        let remote = Recorded(.NSPersistentStoreRemoteChange, object: stack.coordinator)
        _ = try delete(stack, "Tag")
        let userInfo = try #require(remote.notifications.first?.userInfo)
        #expect(userInfo[NSStoreUUIDKey] as? String == stack.coordinator.persistentStores.first?.identifier)
        #expect(userInfo[NSPersistentStoreURLKey] as? URL == stack.fileURL())
        #expect(userInfo[NSPersistentHistoryTokenKey] is NSPersistentHistoryToken)
    }

    @Test("The history has one transaction, with author and context name, and a delete for every row")
    func history() throws {
        let stack = try TestStack(.file, options: [NSPersistentHistoryTrackingKey: true])
        try stack.saveFamily(animals: 3)
        let store = try #require(stack.coordinator.persistentStores.first)
        let before = try #require(store.historyToken())
        stack.context.name = "cleaner"
        stack.context.transactionAuthor = "me"
        _ = try delete(stack, "Category")
        let transactions = try #require(store.sqlite).history(after: before.token)
        #expect(transactions.count == 1)
        #expect(transactions.first?.author == "me")
        #expect(transactions.first?.contextName == "cleaner")
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: before)
        request.resultType = .changesOnly
        let changes = (try stack.context.execute(request) as? NSPersistentHistoryResult)?.result
        #expect((changes as? [NSPersistentHistoryChange])?.map(\.changeType) == Array(repeating: .delete, count: 4))
    }

    @Test("An edited object whose row a batch deleted conflicts at its save; a rollback resolves it")
    func editedAfterwards() throws {
        let stack = try TestStack()
        let tag = stack.insert("Tag", ["label": "x"])
        try stack.context.save()
        _ = try delete(stack, "Tag")
        tag.setValue("y", forKey: "label")
        let error = #expect(throws: CocoaError.self) { try stack.context.save() }
        #expect(error?.code == .managedObjectMerge)
        let conflict = try #require(error?.persistentStoreSaveConflicts?.first)
        #expect(conflict.newVersionNumber == 0)
        #expect(conflict.description.contains("newVersion = <deleted>"))
        stack.context.rollback()
        try stack.context.save()
    }

    @Test("A survivor that only lost a link in the store does not conflict after the merge")
    func survivorSavesAfterMerge() throws {
        let stack = try TestStack()
        let person = stack.insert("Person", ["name": "p"])
        let animal = stack.insert("Animal", ["name": "a", "keeper": person])
        try stack.context.save()
        let request = NSBatchDeleteRequest(fetchRequest: stack.request("Person"))
        request.resultType = .resultTypeObjectIDs
        let ids = try (stack.context.execute(request) as? NSBatchDeleteResult)?.result as? [NSManagedObjectID] ?? []
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectIDsKey: ids], into: [stack.context])
        #expect(animal.value(forKey: "keeper") == nil)
        animal.setValue("b", forKey: "name")
        try stack.context.save()
        let fresh = try stack.newContext().existingObject(with: animal.objectID)
        #expect(fresh.value(forKey: "name") as? String == "b")
    }

    @Test("Versions are not compared: a row changed since it was read is deleted")
    func versions() throws {
        let stack = try TestStack()
        let tag = stack.insert("Tag", ["label": "a"])
        try stack.context.save()
        let other = stack.newContext()
        try other.existingObject(with: tag.objectID).setValue("b", forKey: "label")
        try other.save()
        let request = NSBatchDeleteRequest(objectIDs: [tag.objectID])
        request.resultType = .resultTypeCount
        #expect((try stack.context.execute(request) as? NSBatchDeleteResult)?.result as? Int == 1)
        #expect(try stack.count("Tag") == 0)
    }

    @Test("Derived counts are updated when rows are deleted", arguments: TestStack.Kind.allCases)
    func derivedCounts(_ kind: TestStack.Kind) throws {
        let model = Zoo.model()
        let count = NSDerivedAttributeDescription()
        count.name = "animalCount"
        count.attributeType = .integer64AttributeType
        count.derivationExpression = NSExpression(format: "animals.@count")
        model.entitiesByName["Category"]?.properties += [count]
        let stack = try TestStack(kind, model: model)
        let category = try stack.saveFamily(animals: 5)
        _ = try delete(stack, "Animal", NSPredicate(format: "age < 2"))
        let twin = try stack.newContext().existingObject(with: category.objectID)
        #expect(twin.value(forKey: "animalCount") as? Int == 3)
    }

    @Test("A plan shows examples of deleted rows and of survivors, and the cost of the delete")
    func planDetails() throws {
        let stack = try TestStack(.file)
        let category = try stack.saveFamily(animals: 7)
        let tag = stack.insert("Tag")
        tag.setValue(category.value(forKey: "animals"), forKey: "animals")
        try stack.context.save()
        let plan = try stack.context.deletionPlan(for: NSBatchDeleteRequest(fetchRequest: stack.request("Category")))
        #expect(plan.deleted.map(\.entityName) == ["Category", "Animal"])
        #expect(plan.deleted.map(\.count) == [1, 7])
        #expect(plan.deleted[0].examples == [RowIdentifier(category.objectID)] && plan.deleted[1].examples.count == 5)
        #expect(Set(plan.deleted[1].examples).isSubset(of: Array(plan.rows)))
        let cost = try plan.cost()
        #expect(cost.valueBytes > 0 && cost.externalFileCount == 0)
        #expect(cost.statements.contains { $0.contains("DELETE") })
        #expect(try stack.count("Animal") == 7)
        let keeper = stack.insert("Person")
        stack.insert("Animal", ["name": "k", "keeper": keeper])
        try stack.context.save()
        let loose = try stack.context.deletionPlan(for: NSBatchDeleteRequest(fetchRequest: stack.request("Person")))
        #expect(loose.clearedLinks.map(\.examples.count) == [1])
    }

    @Test("Identifiers of a result are created once, and stay the same after others were created")
    func identifiersOfResults() throws {
        let stack = try TestStack()
        let category = try stack.saveFamily(animals: 3)
        let animals = Set((category.value(forKey: "animals") as? Set<NSManagedObject> ?? []).map(\.objectID))
        let request = NSBatchDeleteRequest(fetchRequest: stack.request("Category"))
        request.resultType = .resultTypeObjectIDs
        let result = try #require(try stack.context.execute(request) as? NSBatchDeleteResult)
        let ids = try #require(result.result as? [NSManagedObjectID])
        #expect(ids == [category.objectID])
        #expect(Set(result.cascadedObjectIDs) == animals && animals.count == 3)
        #expect(result.updatedObjectIDs.isEmpty)
        #expect((result.result as? [NSManagedObjectID])?.first === ids.first)
        #expect(result.cascadedObjectIDs.first === result.cascadedObjectIDs.first)
    }
}
