import ObjectGraph

/// Parses dates typed by users: `2024-05-01`, `2024-05-01 10:00`, `2024-05-01T10:00:00.5Z`, `2024-05-01 10:00:00 +0200`.
/// A time without a time zone is UTC.
enum FormatDate {
    /// Returns seconds since 2001-01-01 UTC; `nil` for a text that is not a date.
    static func seconds(of text: String) -> Double? {
        var reader = Reader(text)
        guard let year = reader.number(digits: 4), reader.take("-"), let month = reader.number(digits: 2),
            reader.take("-"), let day = reader.number(digits: 2), (1...12).contains(month),
            (1...daysInMonth(month, year)).contains(day)
        else { return nil }
        let days = Double(daysSince2001(year, month, day))
        if reader.isAtEnd { return days * 86400 }
        guard reader.take("T") || reader.take("t") || reader.take(" "), let time = reader.time(),
            let offset = reader.zone(), reader.isAtEnd
        else { return nil }
        return days * 86400 + time - Double(offset)
    }

    private static func daysInMonth(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Counts days in the Gregorian calendar, with years that begin in March so that the leap day is the last one.
    private static func daysSince2001(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = (shifted / 400, shifted % 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        // The last number is the days from 0000-03-01 to 2001-01-01.
        return era * 146_097 + dayOfEra - 730_791
    }

    private struct Reader {
        private var rest: Substring.UTF8View

        init(_ text: String) { rest = Substring(text).utf8 }

        var isAtEnd: Bool { rest.isEmpty }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard let first = rest.first, UInt32(first) == character.value else { return false }
            rest.removeFirst()
            return true
        }

        mutating func number(digits: Int) -> Int? {
            var number = 0
            for _ in 0..<digits {
                guard let byte = rest.first, (0x30...0x39).contains(byte) else { return nil }
                number = number * 10 + Int(byte - 0x30)
                rest.removeFirst()
            }
            return number
        }

        /// Returns seconds since midnight.
        mutating func time() -> Double? {
            guard let hour = number(digits: 2), hour < 24, take(":"), let minute = number(digits: 2), minute < 60 else {
                return nil
            }
            var seconds = Double(hour * 3600 + minute * 60)
            if take(":") {
                guard let second = number(digits: 2), second < 61 else { return nil }
                seconds += Double(second)
                if take(".") {
                    var scale = 0.1
                    guard let first = number(digits: 1) else { return nil }
                    seconds += Double(first) * scale
                    while let digit = number(digits: 1) {
                        scale /= 10
                        seconds += Double(digit) * scale
                    }
                }
            }
            return seconds
        }

        /// Returns seconds east of Greenwich.
        mutating func zone() -> Int? {
            if isAtEnd || take("Z") || take("z") { return 0 }
            _ = take(" ")
            let sign: Int
            if take("+") {
                sign = 1
            } else if take("-") {
                sign = -1
            } else {
                return nil
            }
            guard let hours = number(digits: 2) else { return nil }
            _ = take(":")
            guard let minutes = number(digits: 2) else { return nil }
            return sign * (hours * 3600 + minutes * 60)
        }
    }
}
