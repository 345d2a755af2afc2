// What the tests of this package import and its users cannot: CONTRIBUTING.md, "Tests".

export { bucketName, bucketNames } from "../src/bucket-name.js"
export { FileSummaries } from "../src/file-summaries.js"
export { idOfFileName } from "../src/session-name.js"
export { terminalIdOf } from "../src/terminal-id.js"
