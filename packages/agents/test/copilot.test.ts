import { appendFile, mkdir, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { openAgentStorage } from "@treelog/agents/kit"
import { agentContract } from "@treelog/agents/testing"
import { describe, it } from "vitest"
import { copilotEvents } from "./copilot-events.js"
import { copilot as agent } from "./door.js"

agentContract(
  { describe, it },
  {
    name: "copilot",
    ids: ["beb8d2ae-4c8f-4332-8278-9577f5f9a904", "0cd97e90-fd3f-4f2e-9d9e-399378a71848"],
    open: (dir, cacheDir, fs) => openAgentStorage(agent, { dir, cacheDir, env: {}, fs }),
    async write(dir, { id, cwd, said }) {
      const path = join(dir, "session-state", id, "events.jsonl")
      await mkdir(dirname(path), { recursive: true })
      const events = copilotEvents()
      await writeFile(path, events.start(id, cwd) + said.map((one) => events.turn(one)).join(""))
      return path
    },
    say: (_, key, said) => appendFile(key, copilotEvents().turn(said)),
    remove: (_, key) => rm(key),
    async addUnknown(_, key) {
      await appendFile(key, copilotEvents().event("hologram.shown", {}))
      return "hologram.shown"
    },
  },
)
