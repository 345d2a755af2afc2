// What the tests of this package import and its users cannot: CONTRIBUTING.md, "Tests".

export { convertRecords } from "../src/records/record-conversion.js"
export { yamlFields } from "../src/yaml-fields.js"
