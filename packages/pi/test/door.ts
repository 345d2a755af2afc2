// What the tests of this package import and its users cannot: CONTRIBUTING.md, "Tests".

export { withTreelogClass } from "../src/replace-class.js"
export { TreelogSessionManager } from "../src/session-manager.js"
