import SwiftData

@Model
final class Team {
    @Relationship(minimumModelCount: 2, maximumModelCount: 3, inverse: \Player.team) var members: [Player] = []
    init() {}
}

@Model
final class Player {
    var team: Team?
    init() {}
}
