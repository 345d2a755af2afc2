import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import {
  type AgentName,
  findStores,
  Look,
  storeNamed,
  storePlaces,
  storesAt,
  unreadFiles,
  unreadPrograms,
} from "@treelog/stores"
import { expect, test } from "vitest"
import { temporaryBox } from "./box.js"

function home(more: Record<string, string> = {}) {
  const { folder, write } = temporaryBox()
  return { folder, write, here: { env: { HOME: folder, ...more }, cwd: folder } }
}

test("pi's sessions are where its variable says, else where its settings do", async () => {
  const { folder, write, here } = home()
  write(".pi/agent/settings.json", JSON.stringify({ sessionDir: "~/talks" }))
  mkdirSync(join(folder, "talks"))
  mkdirSync(join(folder, "others"))
  const placeOfPi = async (env: object) =>
    (await storePlaces({ ...here, env: { ...here.env, ...env } })).find(({ store }) => store === "pi")?.sessions
  expect(await placeOfPi({})).toBe(join(folder, "talks"))
  expect(await placeOfPi({ PI_CODING_AGENT_SESSION_DIR: "~/others" })).toBe(join(folder, "others"))
  expect(await findStores(here)).toEqual(["pi"])
  mkdirSync(join(folder, ".pi/agent/sessions"))
  expect(await findStores(here)).toEqual(["pi", "pi:default"])
  expect(storeNamed(here, "pi:default")).toEqual({ kind: "files", agentDir: join(folder, ".pi/agent"), preset: "pi" })
  write(".pi/agent/settings.json", "{}")
  expect(await findStores(here)).toEqual(["pi"])
})

test("all that is asked with one look is of one moment, and the next look sees what changed", async () => {
  const { folder, here } = home()
  const look = new Look(here)
  const named = async (look?: Look) => storesAt(await storePlaces(here, undefined, look))
  mkdirSync(join(folder, ".copilot-work/session-state"), { recursive: true })
  const before = await named(look)
  mkdirSync(join(folder, ".copilot-home/session-state"), { recursive: true })
  expect(await named(look)).toEqual(before)
  expect(await named()).not.toEqual(before)
  expect(await findStores(here)).toEqual(await named(new Look(here)))
})

test("settings of pi that are no JSON are an error of its store alone, not another folder", async () => {
  const { folder, write, here } = home()
  write(".pi/agent/settings.json", "{")
  mkdirSync(join(folder, ".claude/projects"), { recursive: true })
  const errors: string[] = []
  expect(await findStores(here, (store, error) => errors.push(`${store}: ${error}`))).toEqual(["claude-code"])
  expect(errors).toEqual([expect.stringMatching(/^pi: .*settings\.json/)])
})

test("the sessions that the settings of a project have pi keep in it are a store there, also below it", async () => {
  const { folder, write, here } = home()
  write("shop/.pi/settings.json", JSON.stringify({ sessionDir: ".pi/sessions" }))
  for (const name of ["shop/.pi/sessions", "shop/src", ".pi/agent/sessions"])
    mkdirSync(join(folder, name), { recursive: true })
  const inShop = { ...here, cwd: join(folder, "shop/src") }
  expect(await findStores(inShop)).toEqual(["pi", "pi:project"])
  expect(storeNamed(inShop, "pi:project")).toMatchObject({
    agentDir: join(folder, ".pi/agent"),
    preset: "pi",
    sessionDir: join(folder, "shop/.pi/sessions"),
  })
  expect(await findStores(here)).toEqual(["pi"])
})

test("relatives of pi, oh-my-pi in another folder, and a database are found", async () => {
  const { folder, write, here } = home({ PI_CONFIG_DIR: ".oh" })
  for (const name of [
    ".omo/agent/sessions",
    ".prime/agent/sessions",
    ".oh/agent/sessions",
    ".oh/profiles/work/agent/sessions",
  ])
    mkdirSync(join(folder, name), { recursive: true })
  write(".local/share/opencode/opencode.db", "")
  expect(await findStores(here)).toEqual(["omp", "omp:work", "omo", "prime-agent", "opencode"])
})

test("oh-my-pi's sessions are in the shared folder for data once it has one there, those of each profile by themselves", async () => {
  const { folder, here } = home()
  for (const name of [".omp/agent/sessions", ".omp/profiles/a/agent/sessions", ".omp/profiles/b/agent/sessions"])
    mkdirSync(join(folder, name), { recursive: true })
  const there = { ...here, env: { ...here.env, XDG_DATA_HOME: join(folder, "data") } }
  const places = async () =>
    Object.fromEntries((await storePlaces(there)).map(({ store, sessions }) => [store, sessions]))
  expect(await places()).toMatchObject({ omp: join(folder, ".omp/agent/sessions") })
  for (const name of ["data/omp/sessions", "data/omp/profiles/b/sessions", "data/omp/profiles/c/sessions"])
    mkdirSync(join(folder, name), { recursive: true })
  expect(await places()).toMatchObject({
    omp: join(folder, "data/omp/sessions"),
    "omp:a": join(folder, ".omp/profiles/a/agent/sessions"),
    "omp:b": join(folder, "data/omp/profiles/b/sessions"),
    "omp:c": join(folder, "data/omp/profiles/c/sessions"),
  })
})

test("a variable names another database of an agent, in its folder or elsewhere", async () => {
  const { folder, here } = home()
  const placeOf = async (name: string) => {
    const env = { ...here.env, OPENCODE_DB: name }
    return (await storePlaces({ ...here, env })).find(({ store }) => store === "opencode")?.sessions
  }
  expect(await placeOf(":memory:")).toBe(join(folder, ".local/share/opencode/opencode.db"))
  expect(await placeOf("other.db")).toBe(join(folder, ".local/share/opencode/other.db"))
  expect(await placeOf("/data/other.db")).toBe("/data/other.db")
})

test("tasks of extensions are found in every editor, on hosts too, and in the folder of an older Cline", async () => {
  const { folder, here } = home()
  const inside = "User/globalStorage/rooveterinaryinc.roo-cline/tasks"
  for (const name of ["Code", "Code - Insiders", "Cursor"])
    mkdirSync(join(folder, ".config", name, inside), { recursive: true })
  mkdirSync(join(folder, ".config/Windsurf/User"), { recursive: true })
  mkdirSync(join(folder, ".vscode-server/data", inside), { recursive: true })
  mkdirSync(join(folder, ".cline/data/tasks"), { recursive: true })
  const found = (await findStores(here)).filter((store) => /^(?:roo|cline)/.test(store))
  expect(found).toEqual(["cline", "roo", "roo:server", "roo:Code - Insiders", "roo:Cursor"])
})

test("an agent's channels, remote hosts and archives are found, each by a name that every command takes", async () => {
  const { folder, write, here } = home()
  for (const name of ["opencode-dev.db", "opencode-fix.login.db", "opencode.db", "opencode-dev.db-wal"])
    write(`.local/share/opencode/${name}`, "")
  mkdirSync(join(folder, ".vscode-server/data/User/globalStorage/emptyWindowChatSessions"), { recursive: true })
  expect(await findStores(here)).toEqual(["opencode", "opencode:dev", "opencode:fix.login", "vscode:server"])
  expect(storeNamed(here, "opencode:dev")).toMatchObject({
    agent: "opencode",
    folder: join(folder, ".local/share/opencode"),
    sessions: ["opencode-dev.db"],
    variables: { OPENCODE_DB: join(folder, ".local/share/opencode/opencode-dev.db") },
  })
  expect(storeNamed(here, "vscode:server")).toMatchObject({
    agent: "vscode",
    folder: join(folder, ".vscode-server/data/User"),
    variables: undefined,
  })
  expect(storeNamed(here, "opencode:../dev")).toMatchObject({ kind: "files" })
})

test("a store with two names is found once, also by a link", async () => {
  const { folder, here } = home({ OPENCODE_DB: "opencode-dev.db" })
  mkdirSync(join(folder, "data"))
  symlinkSync(join(folder, "data"), join(folder, ".vscode-server"))
  mkdirSync(join(folder, "data/data/User/workspaceStorage"), { recursive: true })
  mkdirSync(join(folder, ".local/share/opencode"), { recursive: true })
  writeFileSync(join(folder, ".local/share/opencode/opencode-dev.db"), "")
  const named = { ...here, env: { ...here.env, VSCODE_AGENT_FOLDER: join(folder, "data") } }
  expect(await findStores(named)).toEqual(["opencode", "vscode:server"])
})

test("a database whose name can be no name of a store is an error, and hides no other", async () => {
  const { write, here } = home()
  write(".local/share/opencode/opencode.db", "")
  write(".local/share/opencode/opencode-\u202Edev.db", "")
  const errors: string[] = []
  expect(await findStores(here, (store, error) => errors.push(`${store}: ${error}`))).toEqual(["opencode"])
  expect(errors).toEqual([expect.stringMatching(/^opencode: .*is not read/)])
})

test("what is there and not read is named once, where it is", async () => {
  const { folder, write, here } = home()
  const stores = [storeNamed(here, "gemini") as AgentName]
  expect(await unreadFiles(here, stores)).toEqual([])
  for (const name of ["checkpoint-1.json", "checkpoint-2.json", "notes.txt"]) write(`.gemini/tmp/shop/${name}`, "{}")
  expect(await unreadFiles(here, stores)).toEqual([
    { store: "gemini", path: join(folder, ".gemini/tmp"), why: expect.any(String) },
  ])
})

test("second folders of Claude Code and Codex are stores of their own, and the usual one where a variable names another", async () => {
  const { folder, here } = home()
  for (const name of [
    ".claude/projects",
    ".claude-work/projects",
    ".claude/profiles/lab/projects",
    ".ccs/instances/shop/projects",
    ".config/claude/projects",
    ".codex/archived_sessions",
  ])
    mkdirSync(join(folder, name), { recursive: true })
  mkdirSync(join(folder, ".codex-work/sessions"), { recursive: true })
  mkdirSync(join(folder, ".claude-empty"))
  const switched = ["claude-code:lab", "claude-code:shop"]
  const all = ["claude-code", "claude-code:xdg", "claude-code:work", ...switched, "codex", "codex:work"]
  expect(await findStores(here)).toEqual(all)
  expect(storeNamed(here, "claude-code:shop")).toMatchObject({ folder: join(folder, ".ccs/instances/shop") })
  expect(storeNamed(here, "claude-code:work")).toMatchObject({
    folder: join(folder, ".claude-work"),
    variables: { CLAUDE_CONFIG_DIR: join(folder, ".claude-work") },
  })
  const named = { ...here, env: { ...here.env, CLAUDE_CONFIG_DIR: "~/.claude-work" } }
  expect(await findStores(named)).toEqual([
    "claude-code",
    "claude-code:default",
    "claude-code:xdg",
    ...switched,
    "codex",
    "codex:work",
  ])
})

test("what Xcode has Claude Code and Codex write is a store of each, which they continue with its folder", async () => {
  const { folder, here } = home()
  const xcode = join(folder, "Library/Developer/Xcode/CodingAssistant")
  mkdirSync(join(xcode, "ClaudeAgentConfig/projects"), { recursive: true })
  mkdirSync(join(xcode, "codex/sessions"), { recursive: true })
  mkdirSync(join(folder, ".codex_work/sessions"), { recursive: true })
  expect(await findStores(here)).toEqual(["claude-code:xcode", "codex:xcode", "codex:work"])
  const variables = { CLAUDE_CONFIG_DIR: join(xcode, "ClaudeAgentConfig") }
  expect(storeNamed(here, "claude-code:xcode")).toMatchObject({ variables })
  expect(storeNamed(here, "codex:xcode")).toMatchObject({ variables: { CODEX_HOME: join(xcode, "codex") } })
})

test("sessions of Cowork are a store of Claude Code, which no command continues, wherever its app is from", async () => {
  const { folder, write, here } = home()
  const own = "local-agent-mode-sessions/a/b/local_1/.claude/projects/p/s.jsonl"
  const store = "AppData/Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming"
  for (const at of [".config", "Library/Application Support", "AppData/Roaming", store])
    write(`${at}/Claude/${own}`, "")
  expect(await findStores(here)).toEqual(
    ["cowork", "cowork-package", "cowork-mac", "cowork-windows"].map((name) => `claude-code:${name}`),
  )
  expect(storeNamed(here, "claude-code:cowork")).toMatchObject({
    ...{ folder: join(folder, ".config/Claude"), sessions: ["local-agent-mode-sessions"], isOfApp: true },
    variables: undefined,
  })
})

test("a variable of Claude Code may list folders, of which each is one store", async () => {
  const { folder, here } = home({ CLAUDE_CONFIG_DIR: "~/.claude, ~/other,~/.claude/" })
  for (const name of [".claude/projects", "other/projects"]) mkdirSync(join(folder, name), { recursive: true })
  expect(await findStores(here)).toEqual(["claude-code", "claude-code:2"])
  expect(storeNamed(here, "claude-code")).toMatchObject({ folder: join(folder, ".claude") })
  expect(storeNamed(here, "claude-code:2")).toMatchObject({
    folder: join(folder, "other"),
    variables: { CLAUDE_CONFIG_DIR: join(folder, "other") },
  })
})

test("what stands in the place of chats is named: databases of Copilot in JetBrains, prompts of the first Gemini CLI", async () => {
  const { folder, write, here } = home()
  write(".config/github-copilot/iu/chat-sessions/a/copilot-chat-nitrite.db", "")
  write(".gemini/tmp/shop/logs.json", "[]")
  const stores = ["copilot", "copilot:default", "gemini"].map((name) => storeNamed(here, name) as AgentName)
  const unread = () => unreadFiles(here, stores)
  expect((await unread()).map(({ path }) => path)).toEqual([
    join(folder, ".config/github-copilot"),
    join(folder, ".gemini/tmp"),
  ])
  write(".gemini/tmp/shop/chats/session-2026-11-25T10-00-aaaaaaaa.jsonl", "")
  expect(await unread()).toHaveLength(1)
})

test("sessions are named that have no reader: of Cursor's command, of the first Kimi CLI, of Codex in OpenClaw", async () => {
  const { folder, write, here } = home()
  const id = "0a1b2c3d-0000-4000-8000-000000000000"
  write(`.config/Cursor/chats/w/${id}/store.db`, "")
  write(`.kimi/sessions/0123/${id}.jsonl`, "")
  for (const home of ["codex-home", "cli-auth/codex/0123"])
    write(`.openclaw/agents/main/agent/${home}/sessions/2026/11/20/rollout-2026-11-20T13-00-00-${id}.jsonl`, "")
  const stores = ["cursor-agent", "kimi", "openclaw"].map((name) => storeNamed(here, name) as AgentName)
  expect((await unreadFiles(here, stores)).map(({ path }) => path)).toEqual(
    [".config/Cursor/chats", ".kimi/sessions", ".openclaw/agents"].map((path) => join(folder, path)),
  )
})

test("what Claude Code set aside is named by doctor alone, each with its reason", async () => {
  const { write, here } = home()
  for (const path of ["a.jsonl.superseded-1772000000000", "a/before-cleanup/1772000000000-0a1b2c3d.jsonl.replaced"])
    write(`.claude/projects/-shop/${path}`, "")
  const stores = [storeNamed(here, "claude-code") as AgentName]
  expect(await unreadFiles(here, stores)).toEqual([])
  const found = await unreadFiles(here, stores, new Look(here), true)
  expect(found.map(({ why }) => why)).toEqual([
    "what sessions were before Claude Code removed lines of them",
    "files that Claude Code set aside where it moved the one of another session to",
  ])
})

test.skipIf(process.platform !== "linux")(
  "stores of editors are found in a home of macOS or Windows that was copied to Linux",
  async () => {
    const { folder, here } = home()
    for (const user of ["Library/Application Support", "AppData/Roaming"])
      for (const path of ["Code/User/workspaceStorage/w/chatSessions", "Cursor/User/globalStorage/state.vscdb"])
        mkdirSync(join(folder, user, path), { recursive: true })
    mkdirSync(join(folder, "Library/Application Support/Trae/User/globalStorage/rooveterinaryinc.roo-cline/tasks"), {
      recursive: true,
    })
    expect(await findStores(here)).toEqual(["roo:Trae", "vscode:Code", "cursor:mac", "cursor:windows"])
  },
)

test("the database of an older Claude Code is named, also where there are no other sessions", async () => {
  const { folder, write, here } = home()
  write(".claude/__store.db", "")
  expect(await unreadFiles(here, [storeNamed(here, "claude-code") as AgentName])).toEqual([
    { store: "claude-code", path: join(folder, ".claude/__store.db"), why: expect.stringMatching(/database/) },
  ])
})

test("what is in a folder within that of a project of Claude Code is named by doctor alone", async () => {
  const { folder, write, here } = home()
  write(".claude/projects/-shop/old/a.jsonl", "")
  const stores = [storeNamed(here, "claude-code") as AgentName]
  expect(await unreadFiles(here, stores)).toEqual([])
  const found = await unreadFiles(here, stores, new Look(here), true)
  expect(found.map(({ path }) => path)).toEqual([join(folder, ".claude/projects")])
})

test("second folders of Copilot CLI and Qwen Code are stores with their names", async () => {
  const { folder, here } = home()
  for (const name of [".copilot-work/session-state", ".qwen-work/projects", ".qwen-empty"])
    mkdirSync(join(folder, name), { recursive: true })
  expect(await findStores(here)).toEqual(["copilot:work", "qwen:work"])
  expect(storeNamed(here, "copilot:work")).toMatchObject({ variables: { COPILOT_HOME: join(folder, ".copilot-work") } })
})

test("flat documents of the first Codex are named, and not read", async () => {
  const { folder, write, here } = home()
  write(".codex/sessions/rollout-2025-04-20-0c1f.json", "{}")
  expect(await unreadFiles(here, [storeNamed(here, "codex") as AgentName])).toEqual([
    { store: "codex", path: join(folder, ".codex/sessions"), why: expect.stringMatching(/first Codex/) },
  ])
})

test("an older tree is named as long as its agent has not taken it over", async () => {
  const { folder, write, here } = home()
  write(".local/share/kilo/project/shop/storage/session/info/ses_1.json", "{}")
  const stores = [storeNamed(here, "kilo") as AgentName]
  expect(await unreadFiles(here, stores)).toMatchObject([{ path: join(folder, ".local/share/kilo/project") }])
  write(".local/share/kilo/storage/session/project/ses_1.json", "{}")
  expect(await unreadFiles(here, stores)).toEqual([])
  expect(await findStores(here)).toEqual(["kilo"])
})

test("a folder that a setting of VS Code names for an extension is a store, of each editor and profile", async () => {
  const { folder, write, here } = home()
  const setting = (path: string) => `"roo-cline.customStoragePath": ${JSON.stringify(join(folder, path))},`
  const before = `// "roo-cline.customStoragePath": "/commented/out"\n"x": "http://a", /* "roo-cline.customStoragePath": "/no" */`
  write(".config/Code/User/settings.json", `{${before} ${setting("talks")}\n}`)
  write(".config/Code/User/profiles/-5f/settings.json", `{${setting("of profile")}}`)
  write(".config/Code/User/profiles/-6a/settings.json", `{${setting("talks")} damaged`)
  write(".config/Cursor/User/profiles/-7b/settings.json", `{${setting("of cursor")}}`)
  write(".vscode-server/data/Machine/settings.json", `{${setting("of host")}}`)
  write(
    ".config/Zed/User/settings.json",
    '{"roo-cline.customStoragePath": "relative", "kilo-code.customStoragePath": 1}',
  )
  const folders = {
    custom: "talks",
    "custom-2": "of profile",
    "server custom": "of host",
    "Cursor custom": "of cursor",
  }
  for (const path of Object.values(folders)) mkdirSync(join(folder, path, "tasks/1"), { recursive: true })
  const names = Object.keys(folders).map((name) => `roo:${name}`)
  expect(await findStores(here)).toEqual(names)
  for (const [name, path] of Object.entries(folders))
    expect(storeNamed(here, `roo:${name}`)).toMatchObject({
      agent: "roo",
      folder: join(folder, path),
      sessions: ["tasks"],
    })
})

test("a folder that a setting of a workspace names for an extension is a store", async () => {
  const { folder, write, here } = home()
  const settings = (path: string) => `{"roo-cline.customStoragePath": ${JSON.stringify(path)}}`
  const opened = (name: string, document: object) =>
    write(`.config/Code/User/workspaceStorage/${name}/workspace.json`, JSON.stringify(document))
  opened("1", { folder: `file://${folder}/my%20shop` })
  opened("2", { workspace: `file://${folder}/all.code-workspace` })
  opened("3", { folder: `vscode-remote://wsl%2BUbuntu${folder}/inside` })
  opened("4", { folder: "vscode-remote://ssh-remote%2Bhost/srv/far" })
  opened("5", { folder: `file://${folder}/gone` })
  write(".config/Code/User/workspaceStorage/6/workspace.json", "{")
  write("my shop/.vscode/settings.json", settings(join(folder, "talks")))
  write("all.code-workspace", `{"folders": [{"path": "my shop"}], "settings": ${settings(join(folder, "of all"))}}`)
  write("inside/.vscode/settings.json", settings("relative"))
  write("inside/settings.json", settings(join(folder, "not read")))
  for (const path of ["talks", "of all", "not read"]) mkdirSync(join(folder, path, "tasks/1"), { recursive: true })
  expect(await findStores(here)).toEqual(["roo:custom", "roo:custom-2", "vscode"])
  expect(storeNamed(here, "roo:custom-2")).toMatchObject({ folder: join(folder, "of all") })
})

test("what variables and settings move is found: OpenClaw's home, Cline's sessions, what Qwen Code writes", async () => {
  const { folder, write, here } = home()
  const env = { ...here.env, OPENCLAW_HOME: join(folder, "claw"), CLINE_SESSION_DATA_DIR: join(folder, "cline talks") }
  write(".qwen/settings.json", JSON.stringify({ advanced: { runtimeOutputDir: "~/qwen-data" } }))
  for (const name of [
    ...["claw/.openclaw/agents", "claw/.openclaw-work/agents", ".openclaw/agents", "cline talks"],
    ...[".cline/data/sessions", "qwen-data/projects", ".qwen/projects"],
  ])
    mkdirSync(join(folder, name), { recursive: true })
  expect(await findStores({ ...here, env })).toEqual([
    ...["openclaw", "openclaw:default", "openclaw:work", "qwen", "qwen:custom", "cline", "cline:default"],
  ])
  expect(storeNamed(here, "qwen:custom")).toMatchObject({
    folder: join(folder, "qwen-data"),
    variables: { QWEN_RUNTIME_DIR: join(folder, "qwen-data") },
  })
})

test("Crush is found by its list of projects, pi-durable by its folder or the store that a variable names", async () => {
  const { folder, write, here } = home()
  write(".local/share/crush/projects.json", '{"projects":[]}')
  mkdirSync(join(folder, ".pi/agent/durable"), { recursive: true })
  expect(await findStores(here)).toEqual(["crush", "pi-durable"])
  write("work/talk.sqlite", "")
  const env = { ...here.env, PI_DURABLE_STORE: join(folder, "work/talk.sqlite") }
  expect(await findStores({ ...here, env })).toEqual(["crush", "pi-durable", "pi-durable:default"])
})

test("a channel of Kilo may go on with the database of its former name", async () => {
  const { write, here } = home()
  for (const name of ["opencode-dev.db", "kilo-dev.db", "opencode-pr.db"]) write(`.local/share/kilo/${name}`, "")
  expect(await findStores(here)).toEqual(["kilo:dev", "kilo:pr"])
})

test("every host that an editor works on is found, chats of VS Code only where there are some", async () => {
  const { folder, here } = home()
  for (const name of ["vscode-server-oss", "windsurf-server", "vscode-server-insiders", "vscode-server"]) {
    const user = join(folder, `.${name}/data/User`)
    mkdirSync(join(user, "globalStorage/saoudrizwan.claude-dev/tasks"), { recursive: true })
    mkdirSync(join(user, "workspaceStorage/w/chatSessions"), { recursive: true })
  }
  mkdirSync(join(folder, ".config/Cursor/User/workspaceStorage/w"), { recursive: true })
  mkdirSync(join(folder, ".config/Trae/User/workspaceStorage/w/chatSessions"), { recursive: true })
  mkdirSync(join(folder, ".config/Code - Insiders/User/workspaceStorage/w/chatSessions"), { recursive: true })
  const hosts = ["vscode-server-insiders", "vscode-server-oss", "windsurf-server"]
  expect(await findStores(here)).toEqual([
    ...["server", ...hosts].map((name) => `cline-vscode:${name}`),
    ...["server", "Trae", "vscode-server-oss", "windsurf-server"].map((name) => `vscode:${name}`),
    ...["vscode-insiders", "vscode-insiders:server", "cursor"],
  ])
  expect(storeNamed(here, "vscode:windsurf-server")).toMatchObject({
    folder: join(folder, ".windsurf-server/data/User"),
  })
  expect(storeNamed(here, "vscode:Trae")).toMatchObject({ folder: join(folder, ".config/Trae/User") })
})

test("the usual store of an agent is found where a variable names another", async () => {
  const { folder, write, here } = home()
  for (const name of ["mine/session-state", ".copilot/session-state", "mine/.gemini/tmp", ".gemini/tmp"])
    mkdirSync(join(folder, name), { recursive: true })
  for (const name of ["opencode.db", "other.db"]) write(`.local/share/opencode/${name}`, "")
  const env = { ...here.env, COPILOT_HOME: "~/mine", GEMINI_CLI_HOME: join(folder, "mine"), OPENCODE_DB: "other.db" }
  expect(await findStores({ ...here, env })).toEqual([
    ...["opencode", "opencode:default", "copilot", "copilot:default", "gemini", "gemini:default"],
  ])
  expect(await findStores(here)).toEqual(["opencode", "copilot", "gemini"])
})

test("session files among the other files of pi are a store of pi", async () => {
  const { write, here } = home()
  write(".pi/agent/run-history.jsonl", "{}")
  expect(await findStores(here)).toEqual([])
  write(".pi/agent/2025-12-26T10-00-00-000Z_8d2b6a0e.jsonl", "{}")
  expect(await findStores(here)).toEqual(["pi"])
})

test("in WSL, the stores of agents on the side of Windows are found, and those of pi are named", async () => {
  const { folder, write, here } = home()
  const there = { ...here, windowsUsers: join(folder, "c/Users") }
  const inside = "globalStorage/rooveterinaryinc.roo-cline/tasks"
  for (const path of [
    ...["c/Users/Ada/.claude/projects", "c/Users/Ada/.codex-work/sessions", "c/Users/Ada/.pi/agent/sessions"],
    `c/Users/Ada/AppData/Roaming/Cursor/User/${inside}`,
    ...["c/Users/Ada L/.copilot/session-state", "c/Users/Public", ".codex/sessions"],
  ])
    mkdirSync(join(folder, path), { recursive: true })
  symlinkSync(join(folder, "c/Users/Ada"), join(folder, "c/Users/All Users"))
  write(`c/Users/Ada/AppData/Roaming/Cursor/User/settings.json`, `{"roo-cline.customStoragePath": "relative"}`)
  write("c/Users/Ada L/AppData/Local/github-copilot/iu/chat-sessions/a/nitrite.db", "")
  expect(await findStores(there)).toEqual([
    ...["claude-code:windows-Ada", "codex", "codex:windows-Ada work"],
    ...["copilot:windows-Ada L", "roo:windows-Ada Cursor"],
  ])
  expect(storeNamed(there, "codex:windows-Ada work")).toMatchObject({
    agent: "codex",
    folder: join(folder, "c/Users/Ada/.codex-work"),
    variables: undefined,
  })
  const copilot = storeNamed(there, "copilot:windows-Ada L") as AgentName
  expect(copilot).toMatchObject({ folder: join(folder, "c/Users/Ada L/.copilot") })
  expect((await unreadFiles(there, [copilot])).map(({ path }) => path)).toEqual([
    join(folder, "c/Users/Ada L/AppData/Local/github-copilot"),
  ])
  expect(await unreadPrograms(there)).toEqual([
    { store: "pi", path: join(folder, "c/Users/Ada/.pi/agent/sessions"), why: expect.stringMatching(/--store/) },
  ])
  // Names of somebody who is not there are those of other stores.
  expect(storeNamed(there, "codex:windows-Bob")).toMatchObject({ folder: join(folder, ".codex-windows-Bob") })
})
