// What the tests of this package import and its users cannot: CONTRIBUTING.md, "Tests".

export { RowFinder } from "../src/answers/find-rows.js"
export { idsEndAt } from "../src/tables/row-ids.js"
export { HAS_NEIGHBOURS, neighbourValues } from "../src/tokens/neighbours.js"
export { pairsOf } from "../src/tokens/pairs.js"
export { TextTokenizer } from "../src/tokens/text-tokens.js"
