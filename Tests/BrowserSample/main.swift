import Foundation

// Makes a store to view in the browser: cookbooks with recipes, always the same except for its identifier and times.
//
//     BrowserSample FILE [COOKBOOKS]     12 cookbooks by default, of about 700 rows each

guard CommandLine.arguments.count > 1 else {
    print("usage: BrowserSample FILE [COOKBOOKS]")
    exit(64)
}
let file = URL(fileURLWithPath: CommandLine.arguments[1])
let count = CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2]) ?? 12 : 12
do {
    try RecipeStore(file, cookbooks: max(1, count)).make()
} catch {
    print("BrowserSample: \(error)")
    exit(2)
}
