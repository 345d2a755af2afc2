const HEADER = { type: "session", version: 3, id: "01a1ffe2-d280-7bb1-a556-12fe779ad53a" }
const START = Date.UTC(2026, 2, 2, 9)

/** Small messages, each the child of the one before. */
export function* chain(entries: number): Generator<string> {
  yield header()
  for (let index = 0; index < entries; index++) yield message(index, index - 1)
}

/** Small messages, all children of the first. */
export function* siblings(entries: number): Generator<string> {
  yield header()
  for (let index = 0; index < entries; index++) yield message(index, Math.min(0, index - 1))
}

/** A chain, each message of it followed by a label on it. */
export function* labelled(labels: number): Generator<string> {
  yield header()
  for (let index = 0; index < labels; index++) {
    yield message(2 * index, 2 * index - 1)
    const label = { targetId: idOf(2 * index), label: `mark ${index}` }
    yield line({ type: "label", ...head(2 * index + 1, 2 * index), ...label })
  }
}

export function idOf(index: number): string {
  return index.toString(16).padStart(8, "0")
}

function message(index: number, parent: number): string {
  const timestamp = START + index
  const text = [{ type: "text", text: `Entry ${index} of a session that has very many of them.` }]
  const asked = { role: "user", content: text, timestamp }
  const answered = { role: "assistant", content: text, provider: "anthropic", model: "claude-sonnet-4-5", timestamp }
  return line({ type: "message", ...head(index, parent), message: index % 2 === 0 ? asked : answered })
}

function head(index: number, parent: number) {
  const parentId = parent < 0 ? null : idOf(parent)
  return { id: idOf(index), parentId, timestamp: new Date(START + index).toISOString() }
}

function header(): string {
  return line({ ...HEADER, timestamp: new Date(START).toISOString(), cwd: "/home/dev/shop" })
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`
}
