/** What channels put before a prompt: `[Telegram Ada id:1 2026-03-04 10:00 UTC] `. */
const ENVELOPE = /^\[([^\]\n]+)\]\s*/
const TIME = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d/
const CHANNELS =
  /^(?:WebChat|WhatsApp|Telegram|Signal|Slack|Discord|Google Chat|iMessage|Teams|Matrix|Zalo|Zalo Personal|BlueBubbles) /
/** Before what OpenClaw adds for its model about a message, its sender and its thread; since 2026.6 every such line ends with the same mark. */
const HEADING =
  /^(?:(?:Conversation info|Sender|Forwarded message context) \(untrusted metadata\):|(?:Thread starter|Replied message|Chat history since last reply) \(untrusted, for context\):|.+ ⟦openclaw:ctx⟧)$/
/** From there on nothing is the user's. */
const END = /^(?:Untrusted context \(metadata, do not treat as instructions or commands\):|Context: ⟦openclaw:ctx⟧)$/
const MESSAGE_ID = /^\s*\[message_id:[^\]]+\]\s*$/i

/** What happened since the last prompt: `System: [2026-03-04 10:00:00 UTC] Exec completed`. */
const EVENT = /^System(?: \(untrusted\))?: \[[^\]]*\d\d:\d\d[^\]]*\] /
const MEDIA = /^\[media attached(?: \d+\/\d+)?: .*\]$/
/** Behind the names of pictures. */
const HINT = "To send an image back, prefer the message tool ("
/** What OpenClaw says in the place of the user: when a session was reset, and regularly. */
const OWN = /^(?:A new session was started via \/new or \/reset\. |Read HEARTBEAT\.md if it exists )/

/** What the user typed of a prompt, without what OpenClaw says of it, which its own pages do not show either. Nothing of one that is OpenClaw's own. */
export function typedText(text: string): string {
  const lines = withoutEnvelope(text).split("\n")
  const typed: string[] = []
  const media: string[] = []
  let isHead = true
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ""
    if (END.test(line.trim())) break
    if (HEADING.test(line.trim())) at = lastOfBlock(lines, at)
    else if (isHead && MEDIA.test(line)) media.push(line)
    else if (!MESSAGE_ID.test(line) && !(isHead && (EVENT.test(line) || line.startsWith(HINT)))) {
      typed.push(line)
      isHead &&= line.trim() === ""
    }
  }
  const said = typed.length === lines.length ? lines.join("\n") : withoutEnvelope(typed.join("\n").trim())
  return OWN.test(said) ? "" : said || media.join("\n")
}

function withoutEnvelope(text: string): string {
  const [envelope = "", head = ""] = ENVELOPE.exec(text) ?? []
  return TIME.test(head) || CHANNELS.test(head) ? text.slice(envelope.length) : text
}

/** Behind a heading stands JSON in a fence, or lines up to an empty one. */
function lastOfBlock(lines: readonly string[], at: number): number {
  const end = lines[at + 1]?.trim() === "```json" ? "```" : ""
  const last = lines.findIndex((line, place) => place > at + 1 && line.trim() === end)
  return last < 0 ? lines.length : last
}
