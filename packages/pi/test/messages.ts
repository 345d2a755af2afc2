import type { SessionManager as Pi } from "@earendil-works/pi-coding-agent"

type Message = Parameters<Pi["appendMessage"]>[0]

export const user = (content: string) => ({ role: "user" as const, content, timestamp: 1 })

export const assistant = (text: string) =>
  ({
    role: "assistant",
    content: [{ type: "text", text }],
    api: "faux",
    provider: "p",
    model: "m",
    usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: { total: 0 } },
    stopReason: "stop",
    timestamp: 2,
  }) as unknown as Message

/** Ids by their order, without times, which differ from run to run. */
export function comparable(text: string): string {
  const ids = new Map<string, string>()
  const known = (id: string) => {
    if (!ids.has(id)) ids.set(id, `id-${ids.size}`)
    return ids.get(id) as string
  }
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f-]{17}|(?<=")[0-9a-f]{8}(?=\\?")/g, known)
    .replace(/\d{4}-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\d[.-]\d{3}Z/g, "TIME")
    .replace(/(?<="timestamp\\?":)\d{13}/g, '"TIME"')
}
