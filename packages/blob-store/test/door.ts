// What the tests of this package import and its users cannot: CONTRIBUTING.md, "Tests".

export { isCutOff } from "../src/is-cut-off.js"
