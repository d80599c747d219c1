extension String {
    /// The name in quotes with its article, for messages: `an 'Item'`.
    package var quotedWithArticle: String {
        let isVowel = first.map { "AEIOaeio".contains($0) } ?? false
        return "\(isVowel ? "an" : "a") '\(self)'"
    }
}
