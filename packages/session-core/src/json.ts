// A subpath of its own, so that a program can write JSON before it loads the rest.
export { jsonText } from "./entry/json-text.js"
