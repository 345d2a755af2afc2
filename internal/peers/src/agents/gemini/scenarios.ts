import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { openAgent } from "@treelog/agents"
import type { Scenario } from "../frame/agent.js"
import { checkRecords } from "../frame/check-records.js"
import { collected, runAgent } from "../frame/run-agent.js"
import type { Json } from "../model/blocks.js"
import { PIXEL } from "../model/pixel.js"

const MODEL = "gemini-2.5-pro"
const call = (name: string, args: object): string => `CALL ${name} ${JSON.stringify(args)}`

/** Calls that succeed and fail, a picture and a compaction, in a session that is gone on with. */
export const talk: Scenario = {
  name: "talk",
  async run(place, model) {
    const file = join(place.project, "one.txt")
    writeFileSync(file, "one\n")
    writeFileSync(join(place.project, "pixel.png"), Buffer.from(PIXEL, "base64"))
    mkdirSync(join(place.home, ".gemini"))
    const settings = { security: { auth: { selectedType: "gemini-api-key" } }, general: { disableAutoUpdate: true } }
    writeFileSync(join(place.home, ".gemini", "settings.json"), JSON.stringify(settings))
    const api = { GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: model.url }
    const local = { ...place, env: { ...place.env, ...api } }
    const prompts = [
      "Why is it wrong?",
      `${call("run_shell_command", { command: "echo one", description: "x" })}\n${call("read_file", { file_path: "one.txt" })}`,
      call("replace", { file_path: file, old_string: "one", new_string: "two", instruction: "x" }),
      call("read_file", { file_path: "none.txt" }),
      call("read_file", { file_path: "pixel.png" }),
      "What is @pixel.png",
      "What now?",
    ]
    for (const [at, prompt] of prompts.entries()) {
      const resume = at > 0 ? ["--resume", "latest"] : []
      await runAgent(local, "gemini", ["-m", MODEL, "-y", "--skip-trust", ...resume, "-p", prompt])
    }
    const storage = await openAgent("gemini", { env: { HOME: place.home }, cacheDir: null })
    const sent = messagesOf((model.requests.at(-1)?.contents ?? []) as Json[])
    // To go on begins files that have nothing yet.
    const files = await collected(storage.list())
    return checkRecords(storage, {
      prompts: [prompts[0] ?? "", ...files.slice(1).map(() => "")],
      sent: (id) => (id.startsWith("session-") ? undefined : sent),
      answers: model.requests.length,
      target: { provider: "google", model: MODEL },
    })
  },
}

/**
 * Gemini's contents as messages of Anthropic's API. A session that is gone on with has the results of its calls several times, and no thoughts, as
 * the README of the reader says.
 */
function messagesOf(contents: readonly Json[]): Json[] {
  const seen = new Set<string>()
  return contents.map(({ role, parts }) => {
    const content: Json[] = role === "model" ? [{ type: "text", text: THOUGHT }] : []
    for (const { text, functionCall, functionResponse, inlineData } of parts as Record<string, Json>[]) {
      const last = content.at(-1)
      if (text !== undefined) content.push({ type: "text", text })
      if (functionCall) {
        const { id, name, args } = functionCall
        content.push({ type: "tool_use", id: `${name}__${id}`, name, input: args })
      }
      if (functionResponse) {
        const { id, name, response } = functionResponse
        const { output, error } = response as Json
        const result = { type: "tool_result", tool_use_id: `${name}__${id}`, is_error: error !== undefined }
        content.push({ ...result, content: [{ type: "text", text: error ?? output }] })
      }
      if (inlineData) {
        const image = {
          type: "image",
          source: { type: "base64", media_type: inlineData.mimeType, data: inlineData.data },
        }
        if (last?.type === "tool_result") (last.content as Json[]).push(image)
        else content.push(image)
      }
    }
    return { role: role === "model" ? "assistant" : "user", content: content.filter(isNew) }
  })

  function isNew({ type, tool_use_id }: Json): boolean {
    if (type !== "tool_result") return true
    const id = String(tool_use_id)
    return !seen.has(id) && seen.add(id) !== undefined
  }
}

const THOUGHT = "<thinking>\n**Think** I think.\n</thinking>"
