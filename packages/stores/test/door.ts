// What the tests of this package import and its users cannot: CONTRIBUTING.md, "Tests".

export { loginOf, passwordIn, passwordInFile } from "../src/password-file.js"
