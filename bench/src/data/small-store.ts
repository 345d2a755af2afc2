import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const FOLDERS = 60
const MESSAGES = 6
const START = Date.UTC(2026, 0, 1)
const MINUTE = 60_000

/** A store of very many small sessions under `agent` in the folder: of about 2 KB each, in 60 folders. */
export function writeSmallStore(folder: string, sessions: number): void {
  for (let index = 0; index < sessions; index++) {
    const [project, time] = [`project-${index % FOLDERS}`, START + index * MINUTE]
    const bucket = join(folder, "agent", "sessions", `--home-dev-${project}--`)
    mkdirSync(bucket, { recursive: true })
    const [id, timestamp] = [`019b9a20-d280-7bb1-a556-${index.toString(16).padStart(12, "0")}`, isoOf(time)]
    const header = { type: "session", version: 3, id, timestamp, cwd: `/home/dev/${project}` }
    const lines = [header, ...Array.from({ length: MESSAGES }, (_, at) => message(at, time + at, index))]
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("")
    writeFileSync(join(bucket, `${timestamp.replace(/[:.]/g, "-")}_${id}.jsonl`), text)
  }
}

function message(at: number, timestamp: number, session: number): object {
  const text = `Message ${at} of session ${session}, which says what is to be done next, and why it was not done before.`
  const said = { role: at % 2 === 0 ? "user" : "assistant", content: [{ type: "text", text }] }
  const spoken = at % 2 === 0 ? { ...said, timestamp } : { ...said, stopReason: "stop", timestamp }
  return {
    type: "message",
    id: `e${at}`,
    parentId: at === 0 ? null : `e${at - 1}`,
    timestamp: isoOf(timestamp),
    message: spoken,
  }
}

function isoOf(time: number): string {
  return new Date(time).toISOString()
}
