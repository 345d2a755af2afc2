import {
  type AssistantMessage,
  type Context,
  type FauxContentBlock,
  fauxAssistantMessage,
  fauxText,
  fauxThinking,
  fauxToolCall,
  registerFauxProvider,
} from "@earendil-works/pi-ai"

export const PROVIDER = "faux"

/** pi-ai's own provider without a network, with a model that does what a prompt says. It never runs out of answers. */
export function registerFakeModel() {
  const provider = registerFauxProvider({
    api: PROVIDER,
    provider: PROVIDER,
    models: [{ id: "faux-1" }, { id: "faux-2", reasoning: true }],
    // One piece each: the pieces of an answer are random otherwise.
    tokenSize: { min: 100_000, max: 100_000 },
  })
  const answerOnce = (context: Context): Promise<AssistantMessage> => {
    provider.appendResponses([answerOnce])
    return answer(context)
  }
  provider.setResponses([answerOnce])
  return provider
}

const never = () => new Promise<AssistantMessage>(() => setInterval(() => {}, 1_000))

/**
 * `run …`, `read …` call a tool; `think …` thinks; `fail …` fails; `wait …` never answers; anything else is repeated. A summary never ends
 * that was asked for with `wait`.
 */
async function answer({ systemPrompt = "", messages }: Context): Promise<AssistantMessage> {
  const last = messages.at(-1)
  if (systemPrompt.includes("summar")) {
    if (textOf(last?.content).includes("Additional focus: wait")) return never()
    return fauxAssistantMessage("## Goal\nSay things.\n\n## Progress\nSome were said.")
  }
  const call = (name: string, input: Record<string, unknown>) =>
    fauxAssistantMessage([fauxText("I look."), fauxToolCall(name, input, { id: `call_${messages.length}` })], {
      stopReason: "toolUse",
    })
  if (last?.role === "toolResult") return fauxAssistantMessage(`The tool said ${textOf(last.content)}`)
  const text = textOf(last?.content)
  const [verb, rest] = split(text)
  if (verb === "run") return call("bash", { command: rest })
  if (verb === "read") return call("read", { path: rest })
  if (verb === "fail") return fauxAssistantMessage([], { stopReason: "error", errorMessage: rest })
  if (verb === "wait") return never()
  if (verb === "think") return fauxAssistantMessage([fauxThinking(`About ${rest}.`), fauxText(`I thought of ${rest}.`)])
  return fauxAssistantMessage(`You said ${text}`)
}

function textOf(content: string | readonly (FauxContentBlock | { type: string })[] | undefined): string {
  if (typeof content === "string") return content
  return (content ?? [])
    .map((block) => ("text" in block ? block.text : `[${block.type}]`))
    .join(" ")
    .trim()
}

function split(text: string): [string, string] {
  const at = text.indexOf(" ")
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)]
}
