import ObjectGraph

/// Rows that others linked one to one since whoever saves read them.
extension SaveAttempt {
    /// Where an update leads a one-to-one relationship elsewhere, another row may lead to the updated one by now, of which the
    /// update does not tell. It lets go, as both ends of such a relationship always agree.
    /// - Throws: `ValidationError.missingValue` for a row that may not be without; nothing is written then.
    mutating func unlinkRivals() throws {
        if changes.updates.isEmpty { return }
        // What went into a row that was there is what counts of it, and was seen to already.
        let taken = Set(saved.inserted.lazy.filter(\.replaced).map(\.id))
        var new: Set<ObjectID>?
        for update in changes.updates where !saved.planned.deleted.contains(update.id) && !taken.contains(update.id) {
            let oneToOne = runner.plans[update.entityIndex].oneToOne
            if oneToOne.isEmpty { continue }
            for slot in update.changedSlots {
                guard let relationship = oneToOne[slot], let inverse = runner.map.model.inverse(of: relationship) else {
                    continue
                }
                let rivals = try rows(
                    leadingTo: update.id, along: inverse, declaredIn: relationship.destinationIndex,
                    except: resolved(update.values[slot]))
                if rivals.isEmpty { continue }
                let known = new ?? Set(saved.inserted.lazy.filter { !$0.replaced }.map(\.id))
                new = known
                for rival in rivals { try clear(inverse, of: rival, isNew: known.contains(rival)) }
            }
        }
    }
}
