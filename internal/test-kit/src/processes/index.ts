export { killProcess, nextMessage, type OtherProcesses, otherProcesses } from "./other-processes.js"
