import type { Json } from "../json.js"
import { derivedUuid } from "./derived-id.js"
import type { WrittenStep, WrittenSubAgent } from "./written-steps.js"

/** What a writer makes its lines of. */
export interface CopySource {
  /** Of the copy. */
  readonly id: string
  readonly from: string
  readonly name: string | undefined
  /** For lists: the name, or a line of the first prompt. */
  readonly title: string
  readonly cwd: string
  /** ISO 8601. */
  readonly started: string
  readonly version: string
  readonly steps: readonly WrittenStep[]
}

/** What the files of a copy have. The head may change when a copy is written again. */
export interface CopyLines {
  readonly head: readonly [Json, ...Json[]]
  readonly body: readonly Json[]
}

/** The transcript of a sub-agent, in a file of its own. */
export interface CopyPart extends CopyLines {
  /** Where it stands, from the folder of the copy. */
  readonly path: string
}

/** The id of a sub-agent in a copy: a UUID. */
export function subAgentId({ id }: Pick<CopySource, "id">, { name }: Pick<WrittenSubAgent, "name">): string {
  return derivedUuid(id, "agent", name)
}

/** The sub-agents of a copy, each before its own. */
export function subAgentsIn(steps: readonly WrittenStep[]): WrittenSubAgent[] {
  return steps.flatMap((step) =>
    step.kind === "result" && step.subAgent ? [step.subAgent, ...subAgentsIn(step.subAgent.steps)] : [],
  )
}
