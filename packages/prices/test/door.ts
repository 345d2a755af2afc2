// What the tests of this package import and its users cannot: CONTRIBUTING.md, "Tests".

export { TABLE } from "../src/table.js"
