// What a project of vitest needs before its tests run: `npm test` has it already, `npx vitest run FILE` in a new clone has not.
export { ensureInstalled as setup } from "../setup.mjs"
