import { utimesSync } from "node:fs"
import { join } from "node:path"
import {
  type AgentSession,
  AuthStorage,
  createAgentSession,
  DefaultResourceLoader,
  ModelRegistry,
  SessionManager as PiSessionManager,
  SettingsManager,
} from "@earendil-works/pi-coding-agent"
import { SessionManager } from "@treelog/pi"
import { expect, test } from "vitest"
import { Comparable } from "./comparable.js"
import { registerFakeModel } from "./fake-model.js"
import { type Home, makeHome } from "./home.js"

/** pi's own agent on a session manager, with the fake model. */
async function agentOn(home: Home, sessionManager: PiSessionManager): Promise<AgentSession> {
  const agentDir = join(home.folder, "agent")
  const settingsManager = SettingsManager.inMemory()
  const resourceLoader = new DefaultResourceLoader({ cwd: home.project, agentDir, settingsManager })
  await resourceLoader.reload()
  const authStorage = AuthStorage.inMemory()
  authStorage.setRuntimeApiKey("faux", "none")
  const [model] = registerFakeModel().models
  const { session } = await createAgentSession({
    cwd: home.project,
    agentDir,
    model,
    sessionManager,
    settingsManager,
    resourceLoader,
    authStorage,
    modelRegistry: ModelRegistry.inMemory(authStorage),
  })
  return session
}

/** All that an agent does with its session. @returns what it holds on the way */
async function work(home: Home, managers: typeof PiSessionManager): Promise<unknown> {
  const dir = join(home.sessionsDir, "here")
  const states: unknown[] = []
  const note = ({ messages, sessionManager }: AgentSession): void => {
    const { messages: stored, ...settings } = sessionManager.buildSessionContext()
    expect(messages).toEqual(stored)
    states.push(
      structuredClone({ stored, settings, tree: sessionManager.getTree(), name: sessionManager.getSessionName() }),
    )
  }
  const manager = managers.create(home.project, dir)
  const agent = await agentOn(home, manager)
  await agent.prompt("hello")
  await agent.prompt("run echo one")
  await agent.executeBash("echo direct")
  note(agent)
  const [first, second] = agent.getUserMessagesForForking()
  agent.setSessionName("A name")
  manager.appendLabelChange(first?.entryId ?? "", "start")
  await agent.navigateTree(second?.entryId ?? "", { summarize: true, label: "left" })
  await agent.prompt("another way")
  note(agent)
  await agent.compact("Be short.")
  await agent.prompt("after the compaction")
  note(agent)
  states.push(agent.getSessionStats())
  agent.dispose()

  const path = manager.getSessionFile() ?? ""
  const resumed = await agentOn(home, managers.open(path))
  await resumed.prompt("think trees")
  note(resumed)
  resumed.dispose()

  const forked = managers.forkFrom(path, join(home.folder, "project"), join(home.sessionsDir, "there"))
  const inFork = await agentOn(home, forked)
  await inFork.prompt("in the fork")
  note(inFork)
  inFork.dispose()

  const branch = managers.open(path).createBranchedSession(second?.entryId ?? "")
  const inBranch = await agentOn(home, managers.open(branch ?? ""))
  await inBranch.prompt("in the branch")
  note(inBranch)
  inBranch.dispose()

  // Pi takes the file that was written last: both were, within one tick of the file system's clock.
  utimesSync(path, new Date(0), new Date(0))
  const latest = await agentOn(home, managers.continueRecent(home.project, dir))
  await latest.prompt("in the latest")
  note(latest)
  latest.dispose()

  const inMemory = await agentOn(home, managers.inMemory(home.project))
  await inMemory.prompt("nothing is stored")
  states.push(inMemory.messages, inMemory.sessionFile, inMemory.sessionManager.isPersisted())
  inMemory.dispose()

  states.push(await managers.list(home.project, dir))
  return states
}

test("pi's own agent works the same on treelog's session manager, and leaves the same files", async () => {
  const resultOn = async (managers: typeof PiSessionManager) => {
    const home = makeHome("pi")
    const states = await work(home, managers)
    const comparable = new Comparable(home)
    return { files: comparable.files(), states: comparable.value(states) }
  }
  const theirs = await resultOn(PiSessionManager)
  expect(Object.keys(theirs.files)).toHaveLength(3)
  const ours = await resultOn(SessionManager)
  expect(ours).toEqual(theirs)
})
