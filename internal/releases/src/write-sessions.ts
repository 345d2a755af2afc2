import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { Clock, Session } from "@treelog/session-core"
import { inflateSession, migrateSession, repairSession, slimSession } from "@treelog/session-core/maintenance"
import { artifactsFolder } from "@treelog/storage-fs"
import { type AgentStore, PROJECT } from "./agent-store.js"
import { messagesWith, picture, type Said } from "./sample-messages.js"
import { writeEveryEntry } from "./write-every-entry.js"

export async function writeSessions(store: AgentStore, clock: Clock): Promise<void> {
  const said = messagesWith(clock)
  const whole = await store.sessions.create(PROJECT)
  writeEveryEntry(whole, said)
  const wholeFile = await closed(whole)
  await writeArtifacts(wholeFile)

  const fork = await store.sessions.forkFrom(wholeFile, `${PROJECT}-2`)
  fork.appendMessage(said.user("And in the other project?"))
  await closed(fork)

  const parent = await store.sessions.open(wholeFile, { access: "read" })
  const branch = await parent.createBranchedSession(parent.getEntries().at(-3)?.id ?? "")
  branch.appendSessionInfo("A branch of its own")
  await closed(branch)

  await writePictures(store, said)
  await repairOldOnes(store)
}

/** One session with its pictures among the blobs from the start, one slimmed later, one slimmed and inflated. */
async function writePictures({ sessions, plainSessions }: AgentStore, said: Said): Promise<void> {
  const show = (session: Session, seed: number): void => {
    session.appendMessage(
      said.user([
        { type: "text", text: `What is in picture ${seed}?` },
        { type: "image", data: picture(seed), mimeType: "image/png" },
      ]),
    )
    session.appendMessage(said.assistant("A form."))
  }
  const apart = await sessions.create(PROJECT)
  show(apart, 1)
  show(apart, 2)
  await closed(apart)
  for (const { seed, back } of [
    { seed: 2, back: false },
    { seed: 3, back: true },
  ]) {
    const inline = await plainSessions.create(PROJECT)
    show(inline, seed)
    const file = await closed(inline)
    await slimSession(sessions, file)
    if (back) await inflateSession(sessions, file)
  }
}

/** A session of version 1 that is migrated, and a damaged one that is repaired: each keeps what it was. */
async function repairOldOnes({ storage, sessions }: AgentStore): Promise<void> {
  const timestamp = "2026-03-07T13:00:00.000Z"
  const write = async (id: string, ...lines: (object | string)[]): Promise<string> => {
    const file = storage.keyFor({ cwd: PROJECT, id, timestamp })
    const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)))
    await writeFile(file, `${text.join("\n")}\n`)
    return file
  }
  const header = { type: "session", timestamp, cwd: PROJECT }
  const message = (content: string): object => ({ role: "user", content, timestamp: Date.parse(timestamp) })
  const old = await write(
    "01950000-0000-7000-8000-0000000000a1",
    { ...header, id: "01950000-0000-7000-8000-0000000000a1", provider: "anthropic", modelId: "claude-sonnet-4" },
    { type: "message", timestamp, message: message("From version 1") },
    { type: "message", timestamp, message: { ...message("ls"), role: "hookMessage", customType: "ls", display: true } },
  )
  await migrateSession(sessions, old)
  const damaged = await write(
    "01950000-0000-7000-8000-0000000000a2",
    { ...header, version: 3, id: "01950000-0000-7000-8000-0000000000a2" },
    { type: "message", id: "0000aaa1", parentId: null, timestamp, message: message("Before the damage") },
    '{"type":"message","id":"0000aaa2","parentId":"0000aaa1","timestamp":"2026-03-07T13:0',
    { type: "message", id: "0000aaa3", parentId: "0000aaa2", timestamp, message: message("After the damage") },
    { type: "message", id: "0000aaa3", parentId: "gone", timestamp, message: message("An id for the second time") },
  )
  await repairSession(sessions, damaged)
}

async function writeArtifacts(file: string): Promise<void> {
  const folder = artifactsFolder(file)
  if (folder === undefined) throw new Error(`${file} can have no artifacts`)
  await mkdir(join(folder, "agents"), { recursive: true })
  await writeFile(join(folder, "plan.md"), "# Plan\n\nOne field.\n")
  await writeFile(join(folder, "agents", "scout.txt"), "Nothing found.\n")
}

async function closed(session: Session): Promise<string> {
  await session.close()
  const file = session.getSessionFile()
  if (file === undefined) throw new Error(`Session ${session.getSessionId()} has no file in ${dirname(PROJECT)}`)
  return file
}
