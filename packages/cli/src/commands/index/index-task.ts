import type { Task } from "../../program/make-command.js"
import { indexStatus } from "./status.js"
import { rebuildIndex, updateIndex } from "./update.js"
import { verifyIndex } from "./verify.js"

const TASKS: Readonly<Record<"status" | "update" | "verify" | "rebuild", Task>> = {
  status: indexStatus,
  update: updateIndex,
  verify: verifyIndex,
  rebuild: rebuildIndex,
}

/** What is done with the index of a store. */
export function indexTask(what: keyof typeof TASKS): Task {
  return TASKS[what]
}
