// What the tests of this package import and its users cannot: CONTRIBUTING.md, "Tests".

export { messageMarkdown } from "../src/message-markdown.js"
export { readableMarkdown } from "../src/readable-markdown.js"
