import type { ServerResponse } from "node:http"
import type { Json } from "./blocks.js"
import { callsIn } from "./prompt-calls.js"

/** Gemini's API: `generateContent` and, as a stream, `streamGenerateContent`. */
export function answerGemini(
  { contents, generationConfig }: Json,
  response: ServerResponse,
  count: number,
  isStream: boolean,
): void {
  const parts = ((contents as Json[]).at(-1)?.parts ?? []) as Json[]
  const isResult = parts.some(({ functionResponse }) => functionResponse !== undefined)
  const calls = isResult ? [] : callsIn(parts.map(({ text }) => String(text ?? "")).join("\n"))
  const isCompaction = JSON.stringify(parts).includes("<state_snapshot>")
  const answered = isResult ? `I have the results ${count}` : calls.length > 0 ? "I call." : `Answer ${count}`
  const said = isCompaction ? `<state_snapshot>${answered}</state_snapshot>` : answered
  // What asks for JSON is not the session: who answers next, which model to take.
  const isAside = (generationConfig as Json | undefined)?.responseMimeType === "application/json"
  const answer = isAside
    ? [{ text: "{}" }]
    : [
        { text: "**Think** I think.", thought: true },
        { text: said, thoughtSignature: "c2lnbmF0dXJl" },
        ...calls.map(({ name, args }, at) => ({
          functionCall: { id: `call_${count}_${at}`, name, args: JSON.parse(args) },
        })),
      ]
  const tokens = {
    promptTokenCount: 1110,
    cachedContentTokenCount: 1000,
    candidatesTokenCount: 3,
    thoughtsTokenCount: 2,
  }
  const candidate = { content: { role: "model", parts: answer }, finishReason: "STOP", index: 0 }
  const body = JSON.stringify({ candidates: [candidate], usageMetadata: { ...tokens, totalTokenCount: 1115 } })
  response.write(isStream ? `data: ${body}\n\n` : body)
}
