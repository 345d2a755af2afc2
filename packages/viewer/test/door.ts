// What the tests of this package import and its users cannot: CONTRIBUTING.md, "Tests".

export { BeginningReader, beginningText, followedTranscript } from "../src/deliver/agents/followed-transcript.js"
export { sendRates } from "../src/deliver/call-rates.js"
export { CallPrices } from "../src/page/session/call-prices.js"
