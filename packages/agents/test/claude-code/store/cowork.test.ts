import { appendFile, mkdir, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { ClaudeCodeStorage } from "@treelog/agents/claude-code"
import { SessionManager } from "@treelog/session-core"
import { agentContract } from "@treelog-internal/agent-files/testing"
import { claudeFile } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { folderOfTest } from "./claude-folder.js"

const COWORK = "local-agent-mode-sessions"
const ID = "6dfbc8e4-f399-4705-94fe-6d7cf3c8e18f"
const OTHER = "0b8e4f4c-1c9e-4f7b-9d3c-2a5b6c7d8e9f"
/** Of the machine that Cowork runs sessions in. */
const INSIDE = "/sessions/brave-otter"
const ACCOUNT = join("11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222")

const recordOf = (key: string): string => key.replace(/[/\\]\.claude[/\\].*/, ".json")

/** Writes a session of Cowork, with its record. */
async function write(dir: string, own: string, { id = ID, cwd = INSIDE, said = ["Hi"], record = {} as object }) {
  const projects = join(dir, COWORK, ACCOUNT, own, ".claude", "projects")
  const key = join(projects, cwd.replace(/[^a-zA-Z0-9]/g, "-"), `${id}.jsonl`)
  await mkdir(dirname(key), { recursive: true })
  await writeFile(key, claudeFile(id, cwd, ...said))
  await writeFile(`${join(dir, COWORK, ACCOUNT, own)}.json`, JSON.stringify({ cliSessionId: id, ...record }))
  return key
}

async function cowork() {
  const folder = await folderOfTest()
  const storage = folder.open({ sessions: COWORK })
  const sessions = new SessionManager({ storage })
  const listed = async () => {
    const infos = []
    for await (const { id, name, cwd, kind } of sessions.listAll()) infos.push({ id, name, cwd, kind })
    return infos.sort((a, b) => (a.id < b.id ? -1 : 1))
  }
  const opened = async (key: string) => {
    const session = await sessions.open(key, { access: "read" })
    const { cwd, source } = session.getHeader()
    const isArchived = (source as { archived?: boolean }).archived
    return { name: session.getSessionName(), cwd, isArchived, entries: session.getEntries() }
  }
  return { ...folder, sessions, listed, opened }
}

agentContract(
  { describe, it },
  {
    name: "ClaudeCodeStorage of Cowork",
    ids: [ID, OTHER],
    makesEmptyFiles: true,
    open: (dir, cacheDir, fs) => new ClaudeCodeStorage({ dir, sessions: COWORK, cacheDir, env: {}, fs }),
    async write(dir, { id, cwd, said }) {
      const record = { title: "Sort them", userSelectedFolders: [cwd] }
      return write(dir, `local_${id}`, { id, said: [...said], record })
    },
    say: (_, key, said) => appendFile(key, claudeFile(key.slice(-42, -6), INSIDE, said)),
    remove: (_, key) => rm(key),
    async addUnknown(_, key) {
      const sessionId = key.slice(-42, -6)
      await appendFile(key, `${JSON.stringify({ type: "hologram", uuid: "h", parentUuid: null, sessionId })}\n`)
      return "hologram"
    },
  },
)

describe("sessions of Cowork", () => {
  it("have the title, the folder and the archive of their record, in lists and when they are opened", async () => {
    const { dir, listed, opened } = await cowork()
    const record = { title: "Sort the invoices", userSelectedFolders: ["/home/ada/bills"], isArchived: true }
    const key = await write(dir, "local_1", { record })
    const plain = await write(dir, "agent/local_ditto_1", { id: OTHER, record: { title: "", userSelectedFolders: [] } })
    expect(await listed()).toEqual([
      { id: OTHER, name: undefined, cwd: INSIDE, kind: undefined },
      { id: ID, name: "Sort the invoices", cwd: "/home/ada/bills", kind: "archived" },
    ])
    expect(await opened(key)).toMatchObject({ name: "Sort the invoices", cwd: "/home/ada/bills", isArchived: true })
    expect(await opened(plain)).toMatchObject({ name: undefined, cwd: INSIDE, isArchived: undefined })
  })

  it("are listed in the folder that the person gave them", async () => {
    const { dir, sessions } = await cowork()
    await write(dir, "local_1", { record: { userSelectedFolders: ["/home/ada/bills", "/home/ada/other"] } })
    const of = async (cwd: string) => {
      const ids = []
      for await (const { id } of sessions.list(cwd)) ids.push(id)
      return ids
    }
    expect(await of("/home/ada/bills")).toEqual([ID])
    expect(await of(INSIDE)).toEqual([])
  })

  it("have their own title again where the record has none, and that of the record wherever it was renamed", async () => {
    const { dir, listed, opened } = await cowork()
    const key = await write(dir, "local_1", {})
    const say = (line: object) => appendFile(key, `${JSON.stringify(line)}\n`)
    await say({ type: "ai-title", aiTitle: "By a model", sessionId: ID })
    expect(await listed()).toMatchObject([{ name: "By a model" }])
    expect(await opened(key)).toMatchObject({ name: "By a model" })
    for (const title of ["Invoices", "Invoices of May"]) {
      await writeFile(recordOf(key), JSON.stringify({ cliSessionId: ID, title }))
      expect(await listed()).toMatchObject([{ name: title }])
      expect(await opened(key)).toMatchObject({ name: title })
    }
    await say({ type: "custom-title", customTitle: "Typed there", sessionId: ID })
    expect(await listed()).toMatchObject([{ name: "Invoices of May" }])
    expect(await opened(key)).toMatchObject({ name: "Invoices of May" })
    await rm(recordOf(key))
    expect(await listed()).toMatchObject([{ name: "Typed there" }])
    expect(await opened(key)).toMatchObject({ name: "Typed there" })
  })

  it("are read without their record where that is damaged, and are no work of a program", async () => {
    const { dir, listed } = await cowork()
    const key = await write(dir, "local_1", {})
    await writeFile(
      key,
      claudeFile(ID, INSIDE, "Hi").replaceAll('"type":"user"', '"entrypoint":"sdk-ts","type":"user"'),
    )
    expect(await listed()).toMatchObject([{ id: ID, kind: undefined }])
    await writeFile(recordOf(key), '{"title": "Inv')
    expect(await listed()).toMatchObject([{ id: ID, name: undefined, cwd: INSIDE }])
    await rm(recordOf(key))
    await mkdir(recordOf(key))
    expect(await listed()).toMatchObject([{ id: ID, name: undefined, cwd: INSIDE }])
    await rm(recordOf(key), { recursive: true })
    await writeFile(recordOf(key), JSON.stringify({ title: 7, userSelectedFolders: [7], isArchived: "no" }))
    expect(await listed()).toMatchObject([{ id: ID, name: undefined, cwd: INSIDE, kind: undefined }])
  })

  it("say what was typed behind the files that were given with it", async () => {
    const { dir, sessions } = await cowork()
    const files =
      "<uploaded_files>\n<file><file_path>/sessions/otter/mnt/uploads/may.pdf</file_path></file>\n</uploaded_files>"
    const key = await write(dir, "local_1", { said: [`${files}\n\nSum them up`] })
    const infos = []
    for await (const info of sessions.listAll()) infos.push(info)
    expect(infos).toMatchObject([{ id: ID, firstMessage: "Sum them up" }])
    const [message] = (await sessions.readContext(key)).messages
    expect(message).toMatchObject({
      role: "user",
      content: `${files}\n\nSum them up`,
      prompt: "Sum them up",
    })
  })

  it("have the title of the record only where it is of this session: others in its folder came before", async () => {
    const { dir, listed } = await cowork()
    const record = { title: "Invoices", userSelectedFolders: ["/home/ada/bills"] }
    const key = await write(dir, "local_1", { record })
    await writeFile(join(dirname(key), `${OTHER}.jsonl`), claudeFile(OTHER, INSIDE, "Before"))
    expect(await listed()).toMatchObject([
      { id: OTHER, name: undefined, cwd: "/home/ada/bills" },
      { id: ID, name: "Invoices", cwd: "/home/ada/bills" },
    ])
  })
})
