// What the tests of this package import and its users cannot: CONTRIBUTING.md, "Tests".

export { convertFile } from "../src/store/convert-file.js"
