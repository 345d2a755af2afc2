export { sessionIndexContract } from "./contract.js"
