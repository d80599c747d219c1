/// The reason why a file cannot be migrated. The file is unchanged.
package enum StoreMigrationError: Error, Hashable {
    /// The file contains no model that matches its version hashes, and no candidate does.
    case unknownSource
    case notEnoughDisk(needed: Int64, available: Int64)
    /// There are rows of an entity that the new model makes abstract.
    case rowsOfAbstractEntity(String)
    /// The table of this entity and its subentities has rows that belong to none of them.
    case rowsOfUnknownEntity(String)
    /// There are rows without a destination in a relationship that becomes mandatory.
    case missingDestinations(entity: String, relationship: String)
    /// Several rows refer to one row, and only one of the references can be kept.
    case severalOwners(entity: String, relationship: String)
    /// Rows have equal values in properties that become unique.
    case notUnique(entity: String, properties: [String])
    /// Another process wrote to the file while its copy was migrated.
    case changedMeanwhile
}

extension StoreMigrationError: CustomStringConvertible {
    package var description: String {
        "The store was not migrated and is as it was: \(reason)"
    }

    private var reason: String {
        switch self {
        case .unknownSource:
            "the model it was written with is not known; give the version of the model that the file has."
        case .notEnoughDisk(let needed, let available):
            "about \(needed) bytes are needed on the disk, and \(available) are free; free some space."
        case .rowsOfAbstractEntity(let entity):
            "entity '\(entity)' is to be abstract and has rows; delete them or give them another entity first."
        case .rowsOfUnknownEntity(let entity):
            "there are rows in the table of '\(entity)' that are neither its own nor of one of its subentities; a check of the "
                + "store names them. Give them an entity, or delete them, first."
        case .missingDestinations(let entity, let relationship):
            "relationship '\(entity).\(relationship)' is to be mandatory and rows have no destination; set it first."
        case .severalOwners(let entity, let relationship):
            "relationship '\(entity).\(relationship)' allows one row for each destination, and several rows have the same "
                + "one; give it an inverse that is to many."
        case .notUnique(let entity, let properties):
            "rows of '\(entity)' have equal values of \(properties.map { "'\($0)'" }.joined(separator: ", ")), which are "
                + "to be unique; make them different first."
        case .changedMeanwhile: "another process wrote to it meanwhile; try again."
        }
    }
}
