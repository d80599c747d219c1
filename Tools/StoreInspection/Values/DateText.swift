/// Formats and parses dates in UTC without losing precision. Written without a formatter for speed, as an export may
/// contain a million dates.
package enum DateText {
    /// Seconds from 1970-01-01 to 2001-01-01.
    private static let referenceSeconds: Int64 = 978_307_200
    private static let day: Int64 = 86_400

    /// `2024-03-01T12:00:00Z`, with as many digits of the second as needed to parse the same number again.
    /// - Parameter seconds: since 2001-01-01 UTC.
    /// - Returns: `nil` for NaN, infinity, or a date millions of years away.
    package static func exact(_ seconds: Double) -> String? {
        guard let (whole, fraction) = parts(seconds) else { return nil }
        let text = dateAndTime(whole, separator: "T")
        if fraction == 0 { return text + "Z" }
        for digits in [3, 6, 7, 8, 9, 12, 15, mostDigits] {
            let candidate = text + fractionText(fraction, digits) + "Z"
            if Self.seconds(candidate) == seconds { return candidate }
        }
        return text + fractionText(fraction, mostDigits) + "Z"
    }

    /// Returns the text of `exact(_:)` if parsing it gives the same number. Within a second of the reference date, some
    /// numbers have no text that is exact enough.
    package static func lossless(_ seconds: Double) -> String? {
        guard let text = exact(seconds) else { return nil }
        return seconds == seconds.rounded() || Self.seconds(text) == seconds ? text : nil
    }

    /// Sufficient for any fraction above a tenth of a second.
    private static let mostDigits = 17

    /// `2024-03-01 12:00:00`, for readers.
    package static func readable(_ seconds: Double) -> String {
        parts(seconds).map { dateAndTime($0.whole, separator: " ") } ?? String(describing: seconds)
    }

    private static func parts(_ seconds: Double) -> (whole: Int64, fraction: Double)? {
        guard seconds.isFinite, abs(seconds) < 1e11 else { return nil }
        let whole = seconds.rounded(.down)
        return (Int64(whole) + referenceSeconds, seconds - whole)
    }

    private static func fractionText(_ fraction: Double, _ digits: Int) -> String {
        var text = ""
        var rest = fraction
        for _ in 0..<digits {
            rest *= 10
            let digit = min(9, Int(rest))
            text += String(digit)
            rest -= Double(digit)
        }
        return "." + text
    }

    /// - Parameter seconds: since 1970.
    private static func dateAndTime(_ seconds: Int64, separator: String) -> String {
        let days = floorDivide(seconds, day)
        let (year, month, dayOfMonth) = civil(days)
        let time = seconds - days * day
        var text = ""
        // The usual length of a text with a fraction of a second.
        text.reserveCapacity(24)
        append(year < 0 ? "-" : "", abs(year), digits: 4, to: &text)
        append("-", month, to: &text)
        append("-", dayOfMonth, to: &text)
        append(separator, time / 3600, to: &text)
        append(":", time / 60 % 60, to: &text)
        append(":", time % 60, to: &text)
        return text
    }

    private static func append(_ mark: String, _ number: Int64, digits: Int = 2, to text: inout String) {
        let plain = String(number)
        text += mark
        for _ in plain.utf8.count..<max(digits, plain.utf8.count) { text += "0" }
        text += plain
    }

    private static func floorDivide(_ number: Int64, _ divisor: Int64) -> Int64 {
        number >= 0 ? number / divisor : -((-number + divisor - 1) / divisor)
    }

    /// Proleptic Gregorian calendar with years that begin in March, so that the leap day comes last.
    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = floorDivide(shifted, 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Parses the output of `exact` and `readable`, and dates without a time. Other time zones than UTC are written as
    /// `+02:00`.
    /// - Returns: seconds since 2001-01-01 UTC; `nil` for other texts.
    package static func seconds(_ text: String) -> Double? {
        var rest = Substring(text)
        let isNegative = rest.first == "-"
        if isNegative { rest = rest.dropFirst() }
        guard let year = number(&rest, 4...7), take("-", &rest), let month = number(&rest, 2...2), take("-", &rest),
            let day = number(&rest, 2...2), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        let days = days(isNegative ? -year : year, month, day)
        // Rejects days that the month does not have, which would overflow into the next month.
        guard civil(days).day == day else { return nil }
        var time: Int64 = 0
        var fraction = 0.0
        if take("T", &rest) || take(" ", &rest) {
            guard let hour = number(&rest, 2...2), take(":", &rest), let minute = number(&rest, 2...2),
                take(":", &rest), let second = number(&rest, 2...2), hour < 24, minute < 60, second < 61
            else { return nil }
            time = hour * 3600 + minute * 60 + second
            if take(".", &rest) {
                let digits = rest.prefix { $0.isASCII && $0.isNumber }
                guard !digits.isEmpty, let found = Double("0." + digits) else { return nil }
                fraction = found
                rest = rest.dropFirst(digits.count)
            }
            guard let shift = zone(&rest) else { return nil }
            time -= shift
        }
        guard rest.isEmpty else { return nil }
        return Double(days * Self.day + time - referenceSeconds) + fraction
    }

    private static func zone(_ rest: inout Substring) -> Int64? {
        if rest.isEmpty || take("Z", &rest) { return 0 }
        let sign: Int64 = rest.first == "-" ? -1 : 1
        guard take("+", &rest) || take("-", &rest), let hours = number(&rest, 2...2) else { return nil }
        _ = take(":", &rest)
        guard let minutes = number(&rest, 2...2), hours < 24, minutes < 60 else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }

    private static func take(_ mark: Character, _ rest: inout Substring) -> Bool {
        guard rest.first == mark else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func number(_ rest: inout Substring, _ digits: ClosedRange<Int>) -> Int64? {
        let found = rest.prefix(digits.upperBound).prefix { $0.isASCII && $0.isNumber }
        guard digits.contains(found.count), let number = Int64(found) else { return nil }
        rest = rest.dropFirst(found.count)
        return number
    }
}
