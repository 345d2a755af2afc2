// A separate entry point, so that a program can read and write JSON without loading the rest.
export { jsonText, parsedJson, readableResult } from "./entry/json-text.js"
