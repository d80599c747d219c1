/// Survivors that lose the same references.
package struct ClearedPart {
    package let space: IDSpace
    /// The positions in `Entity.relationships`, ascending.
    package let relationships: [Int]
    package let keys: KeySet

    package init(space: IDSpace, relationships: [Int], keys: KeySet) {
        self.space = space
        self.relationships = relationships
        self.keys = keys
    }

    package static func parts(of links: [NullifiedLink]) -> [ClearedPart] {
        self.parts(
            of: links.map {
                ClearedPart(space: $0.space, relationships: [$0.relationshipIndex], keys: $0.keys)
            })
    }

    /// Merges parts of one relationship each into parts with equal survivors.
    package static func parts(of links: [ClearedPart]) -> [ClearedPart] {
        var parts: [ClearedPart] = []
        for link in links {
            var rest = link.keys
            for (index, part) in parts.enumerated() where part.space == link.space {
                let (both, only) = part.keys.split(by: rest)
                guard !both.isEmpty else { continue }
                parts[index] = ClearedPart(space: part.space, relationships: part.relationships, keys: only)
                let relationships = (part.relationships + link.relationships).sorted()
                parts.append(ClearedPart(space: part.space, relationships: relationships, keys: both))
                rest = rest.subtracting(both)
            }
            parts.append(ClearedPart(space: link.space, relationships: link.relationships, keys: rest))
        }
        return parts.filter { !$0.keys.isEmpty }
    }
}
