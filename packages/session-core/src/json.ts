// A separate entry point, so that a program can write JSON without loading the rest.
export { indentedJson, jsonText } from "./entry/json-text.js"
