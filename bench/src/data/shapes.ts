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

const COMPACTED_EVERY = 500
const KEPT = 20

/** A chain with a compaction after every 500 messages, which keeps the last 20: in pi's words, or with treelog's checkpoint. */
export function* compacted(entries: number, checkpoints: boolean): Generator<string> {
  yield header()
  const model = { provider: "anthropic", modelId: "claude-sonnet-4-5" }
  const models = { default: "anthropic/claude-sonnet-4-5" }
  const set = {
    thinkingLevel: "high",
    model,
    models,
    mode: "none",
    injectedTtsrRules: [],
    defaultModelIsExplicit: true,
  }
  for (let index = 0; index < entries; index++) {
    if (index === 0) yield line({ type: "model_change", ...head(0, -1), ...model })
    else if (index === 1) yield line({ type: "thinking_level_change", ...head(1, 0), thinkingLevel: "high" })
    else if (index % COMPACTED_EVERY > 0) yield message(index, index - 1)
    else {
      const summary = `What was said up to entry ${index}. `.repeat(80)
      const fields = { summary, firstKeptEntryId: idOf(index - KEPT), tokensBefore: 150_000 }
      yield line({ type: "compaction", ...head(index, index - 1), ...fields, ...(checkpoints && { settings: set }) })
    }
  }
}

const FILLER = "All that a command put out, on one line. "

/** Ten small messages, with one of so many bytes among them. */
export function* longLine(bytes: number): Generator<string> {
  yield header()
  for (let index = 0; index < 10; index++) {
    if (index !== 5) yield message(index, index - 1)
    else {
      const content = FILLER.repeat(Math.ceil(bytes / FILLER.length)).slice(0, bytes)
      yield line({ type: "message", ...head(5, 4), message: { role: "user", content, timestamp: START } })
    }
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
