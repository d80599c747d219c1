import Foundation

/// Requests kept in the model.
extension NSManagedObjectModel {
    /// Keeps a copy of the request; `nil` removes the one of that name.
    public func setFetchRequestTemplate(
        _ fetchRequestTemplate: NSFetchRequest<any NSFetchRequestResult>?, forName name: String
    ) {
        setTemplate(fetchRequestTemplate.map { ModelTemplate($0) }, forName: name)
    }

    /// A copy of the request, with its variables as they are.
    public func fetchRequestTemplate(forName name: String) -> NSFetchRequest<any NSFetchRequestResult>? {
        templates[name]?.request(in: self)
    }

    /// The request with values in place of the variables of its predicate.
    public func fetchRequestFromTemplate(
        withName name: String, substitutionVariables variables: [String: Any]
    ) -> NSFetchRequest<any NSFetchRequestResult>? {
        let request = templates[name]?.request(in: self)
        request?.predicate = request?.predicate?.withSubstitutionVariables(variables)
        return request
    }

    public var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] {
        templates.mapValues { $0.request(in: self) }
    }
}
