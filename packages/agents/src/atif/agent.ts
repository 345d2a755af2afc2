import { type AgentDefinition, isObject, type Json, objectsIn, sessionFiles, textIn, without } from "../kit.js"
import { AtifConverter } from "./convert.js"

/** Trajectories in files of Harbor's Agent Trajectory Interchange Format. They have no place of their own: each is imported from where it is. */
export const agent: AgentDefinition = {
  place: { name: "atif", folders: ["~"], sessions: "." },
  holdsTranscripts: true,
  store: (options) => sessionFiles(options, { paths: ["*"], recordsOf }),
  converter: (session) => new AtifConverter(session),
}

/** What the trajectory is, then its steps. */
function recordsOf(document: unknown): Json[] {
  if (!isObject(document) || !/^ATIF-/.test(textIn(document, "schema_version") ?? "")) return []
  const steps = objectsIn(document.steps).map((step) => ({ ...step, record: "step" }))
  return [{ ...without(document, ["steps"]), record: "trajectory" }, ...steps]
}
