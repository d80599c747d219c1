/// File formats for downloads.
enum DownloadFormat: String, CaseIterable, Sendable {
    case csv, json

    var name: String { rawValue.uppercased() }

    var type: String {
        switch self {
        case .csv: "text/csv; charset=utf-8"
        case .json: "application/json; charset=utf-8"
        }
    }
}
