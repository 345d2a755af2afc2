// What the tests of this package import and its users cannot: CONTRIBUTING.md, "Tests".

export { FileSummaries } from "../src/list/file-summaries.js"
export { bucketName, bucketNames } from "../src/place/bucket-name.js"
export { idOfFileName } from "../src/place/session-name.js"
export { terminalIdOf } from "../src/terminal-id.js"
