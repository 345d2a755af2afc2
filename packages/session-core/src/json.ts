// A separate entry point, so that a program can write JSON without loading the rest.
export { jsonText } from "./entry/json-text.js"
