export { CrashError, type FaultKind, systemError } from "./fault.js"
export { FaultFs } from "./fault-fs.js"
export { expectTyped, type FaultRun, forEachFault, twice } from "./for-each-fault.js"
