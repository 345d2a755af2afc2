export { answersAsNew } from "./as-new.js"
export { sessionIndexContract } from "./contract.js"
