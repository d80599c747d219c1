extension Schema {
    /// The version number of a program's models; later versions are greater.
    public struct Version: Codable, Comparable, CustomStringConvertible, Hashable, Sendable {
        /// The first number.
        public let major: Int
        /// The second number.
        public let minor: Int
        /// The third number.
        public let patch: Int

        private enum CodingKeys: CodingKey {
            case major, minor, patch
        }

        /// Creates a version number.
        /// - Parameters:
        ///   - major: The first number.
        ///   - minor: The second number.
        ///   - patch: The third number.
        public init(_ major: Int, _ minor: Int, _ patch: Int) {
            self.major = major
            self.minor = minor
            self.patch = patch
        }

        /// Decodes a version number.
        /// - Parameter decoder: The decoder to read from.
        /// - Throws: `DecodingError` if the data is not a version number.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            major = try container.decode(Int.self, forKey: .major)
            minor = try container.decode(Int.self, forKey: .minor)
            patch = try container.decode(Int.self, forKey: .patch)
        }

        /// Encodes the version number.
        /// - Parameter encoder: The encoder to write to.
        /// - Throws: The encoder's error.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(major, forKey: .major)
            try container.encode(minor, forKey: .minor)
            try container.encode(patch, forKey: .patch)
        }

        /// Returns whether two versions are equal.
        public static func == (lhs: Schema.Version, rhs: Schema.Version) -> Bool {
            (lhs.major, lhs.minor, lhs.patch) == (rhs.major, rhs.minor, rhs.patch)
        }

        /// Returns whether one version is earlier than another.
        public static func < (lhs: Schema.Version, rhs: Schema.Version) -> Bool {
            (lhs.major, lhs.minor, lhs.patch) < (rhs.major, rhs.minor, rhs.patch)
        }

        /// Hashes the version.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(major)
            hasher.combine(minor)
            hasher.combine(patch)
        }

        /// The version in the form of a store's metadata, such as `1.0.0`.
        public var description: String { "\(major).\(minor).\(patch)" }
    }
}
