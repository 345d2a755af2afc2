let count = 0

const TIME = "2026-11-22T14:49:54.000Z"

const line = (type: string, payload: object): string => `${JSON.stringify({ timestamp: TIME, type, payload })}\n`

const message = (role: string, type: string, text: string): string =>
  line("response_item", { type: "message", role, content: [{ type, text }] })

/** Turns of Codex: what the user says, the reply, and its usage. */
export function codexTurns(...said: readonly string[]): string {
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }
  return said
    .map(
      (text) =>
        message("user", "input_text", text) +
        line("turn_context", { model: "gpt-x" }) +
        message("assistant", "output_text", `Reply to ${text}`) +
        line("token_usage_record", { response_id: `resp_${++count}`, usage }),
    )
    .join("")
}

/**
 * What was said in a thread, one turn after the other, as the content of its rollout.
 * @param fields more of the first line
 */
export function codexFile(id: string, cwd: string, said: readonly string[], fields: object = {}): string {
  const meta = { id, timestamp: TIME, cwd, originator: "codex_cli", cli_version: "0.169.0", source: "cli" }
  const head = { ...meta, model_provider: "openai", history_mode: "paginated", ...fields }
  return line("session_meta", head) + codexTurns(...said)
}

/** The largest block of a frame. Bytes. */
const BLOCK = 64 * 1024

/** A zstd frame with these bytes, in blocks that are not compressed: Node 20 has no compressor. */
export function zstdFrame(bytes: Uint8Array): Uint8Array {
  // The magic number, no optional fields, a window of 128 KB.
  const parts: Uint8Array[] = [Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38)]
  for (let at = 0; at === 0 || at < bytes.length; at += BLOCK) {
    const block = bytes.subarray(at, at + BLOCK)
    const head = (block.length << 3) | (at + BLOCK >= bytes.length ? 1 : 0)
    parts.push(Uint8Array.of(head & 0xff, (head >> 8) & 0xff, (head >> 16) & 0xff), block)
  }
  return Buffer.concat(parts)
}
