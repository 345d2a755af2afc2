// What the tests of this package import and its users cannot: CONTRIBUTING.md, "Tests".

export { loadDriver } from "../src/load-driver.js"
export { PromptQueue } from "../src/prompt-queue.js"
