// What the tests of this package import and its users cannot: CONTRIBUTING.md, "Tests".

export { viewsOf } from "../src/views.js"
