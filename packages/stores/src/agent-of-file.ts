import { isTreelogError } from "@treelog/session-core"
import { isGone, nodeFs, openPlain, readWhole, withStorageErrors } from "@treelog-internal/fs"
import type { Agent } from "./programs.js"

/** The first lines tell; images come later. Bytes. */
const HEAD = 64 * 1024

/** The agent that wrote a file, by its first lines; undefined for a session file, and for what no agent wrote. */
export async function agentOfFile(path: string): Promise<Agent | undefined> {
  for (const written of (await firstText(path)).split("\n")) {
    // Some programs write spaces between names and values.
    const line = written.replace(/(?<=[:,]) +(?=["{[])/g, "")
    if (/^\s*\{"type":"session"[,}]/.test(line)) return undefined
    if (/"responderUsername":"/.test(line)) return "vscode"
    if (/"projectHash":"/.test(line)) return "gemini"
    if (/"parentUuid":.*"message":\{"role":"(?:user|model)","parts":/.test(line)) return "qwen"
    if (/^\s*\{ ?"type":"metadata","protocol_version":"/.test(line)) return "kimi"
    if (/"type":"session_start"/.test(line)) return "droid"
    if (/"type":"session_meta"/.test(line)) return "codex"
    if (/"type":"session\.start".*"copilotVersion":/.test(line))
      return line.includes('"vscodeVersion":') ? "vscode" : "copilot"
    if (
      /"sessionId":"/.test(line) &&
      /"type":"(?:user|assistant|system|summary|file-history-snapshot|queue-operation|progress)"/.test(line)
    )
      return "claude-code"
  }
  return undefined
}

/** Whether a file is a trajectory of Harbor's Agent Trajectory Interchange Format, by its start. */
export async function isTrajectory(path: string): Promise<boolean> {
  return /^\s*\{.*?"schema_version"\s*:\s*"ATIF-v\d/s.test(await firstText(path))
}

/** Empty where there is no such file: its reader says so. @throws StorageError */
function firstText(path: string): Promise<string> {
  return withStorageErrors(path, "read", async () => {
    try {
      const { file } = await openPlain(nodeFs, path)
      try {
        const bytes = new Uint8Array(HEAD)
        return new TextDecoder().decode(bytes.subarray(0, await readWhole(file, bytes, 0)))
      } finally {
        await file.close()
      }
    } catch (error) {
      if (isGone(error) || isTreelogError(error, "StorageError")) return ""
      throw error
    }
  })
}
