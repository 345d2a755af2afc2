// By itself, so that only commands with agents of the setting `agents` load it.
export { loadPlugIns } from "@treelog/stores"
