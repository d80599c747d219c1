extension Schema {
    /// The number of a version of a program's models; later versions are greater.
    public struct Version: Codable, Comparable, CustomStringConvertible, Hashable, Sendable {
        public let major: Int
        public let minor: Int
        public let patch: Int

        private enum CodingKeys: CodingKey {
            case major, minor, patch
        }

        public init(_ major: Int, _ minor: Int, _ patch: Int) {
            self.major = major
            self.minor = minor
            self.patch = patch
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            major = try container.decode(Int.self, forKey: .major)
            minor = try container.decode(Int.self, forKey: .minor)
            patch = try container.decode(Int.self, forKey: .patch)
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(major, forKey: .major)
            try container.encode(minor, forKey: .minor)
            try container.encode(patch, forKey: .patch)
        }

        public static func == (lhs: Schema.Version, rhs: Schema.Version) -> Bool {
            (lhs.major, lhs.minor, lhs.patch) == (rhs.major, rhs.minor, rhs.patch)
        }

        public static func < (lhs: Schema.Version, rhs: Schema.Version) -> Bool {
            (lhs.major, lhs.minor, lhs.patch) < (rhs.major, rhs.minor, rhs.patch)
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(major)
            hasher.combine(minor)
            hasher.combine(patch)
        }

        /// The form a store keeps in its metadata, such as `1.0.0`.
        public var description: String { "\(major).\(minor).\(patch)" }
    }
}
