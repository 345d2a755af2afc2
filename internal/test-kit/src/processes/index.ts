export { killProcess, nextMessage, type OtherProcesses, otherProcesses } from "./other-processes.js"
export { testOnEachRuntime } from "./suite-on-runtimes.js"
