export { CrashError, type FaultKind, systemError } from "./fault.js"
export { FaultFs } from "./fault-fs.js"
export { type FaultRun, forEachFault } from "./for-each-fault.js"
export { expectTyped, twice } from "./twice.js"
