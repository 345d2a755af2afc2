import type { ServerResponse } from "node:http"
import type { Json } from "./blocks.js"
import { answerIn, callsIn, HANG, stopIn } from "./prompt-calls.js"

/** Gemini's API: `generateContent` and, as a stream, `streamGenerateContent`. @returns whether the answer has an end */
export function answerGemini(
  { contents, generationConfig }: Json,
  response: ServerResponse,
  count: number,
  isStream: boolean,
): boolean {
  const parts = ((contents as Json[]).at(-1)?.parts ?? []) as Json[]
  const isResult = parts.some(({ functionResponse }) => functionResponse !== undefined)
  // Prompts that were not answered stand before the last one, in the same content.
  const { text, functionResponse } = parts.at(-1) ?? {}
  const asked = String(text ?? JSON.stringify(functionResponse))
  const calls = isResult ? [] : callsIn(asked)
  const isCompaction = JSON.stringify(parts).includes("<state_snapshot>")
  const answered = isResult ? `I have the results ${count}` : calls.length > 0 ? "I call." : `Answer ${count}`
  const said = isCompaction ? `<state_snapshot>${answered}</state_snapshot>` : answered
  // What asks for JSON is not the session: who answers next, which model to take.
  const isAside = (generationConfig as Json | undefined)?.responseMimeType === "application/json"
  const answer = isAside
    ? [{ text: "{}" }]
    : [
        ...(answerIn(asked) ?? [
          { text: "**Think** I think.", thought: true },
          { text: said, thoughtSignature: "c2lnbmF0dXJl" },
        ]),
        ...calls.map(({ name, args, mark }) => ({
          functionCall: { id: `call_${count}_${mark}`, name, args: JSON.parse(args) },
        })),
      ]
  const tokens = {
    promptTokenCount: 1110,
    cachedContentTokenCount: 1000,
    candidatesTokenCount: 3,
    thoughtsTokenCount: 2,
  }
  if (stopIn(asked) === "hang" || (isResult && asked.includes(HANG))) return false
  const candidate = { content: { role: "model", parts: answer }, finishReason: "STOP", index: 0 }
  const body = JSON.stringify({ candidates: [candidate], usageMetadata: { ...tokens, totalTokenCount: 1115 } })
  response.write(isStream ? `data: ${body}\n\n` : body)
  return true
}
