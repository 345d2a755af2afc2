// What the tests of this package import and its users cannot: CONTRIBUTING.md, "Tests".

export { entryText, messageLines } from "../src/entry-lines.js"
export { QUERY } from "../src/tools/search-sessions.js"
