import type { Message } from "@treelog/session-core"
import type { repairContext } from "@treelog/session-core/messages"
import { TEST_START } from "@treelog-internal/test-kit"
import { answer, call, image, PIXEL, result, text, thinking, turn, user, wild } from "./histories.js"

type Change = ReturnType<typeof repairContext>["changes"][number]["kind"]

export interface BrokenHistory {
  readonly name: string
  readonly messages: readonly Message[]
  /** What a repair changes, in the order in which it says so. */
  readonly changes: readonly Change[]
  /** The roles that come out, `a` for an answer, `r` for a result, `s` for instructions, `u` for anything of the user. */
  readonly turns: string
}

const BLOB = `blob:sha256:${"0".repeat(64)}`
const at = { timestamp: TEST_START }
const deep = JSON.parse(`${'{"a":'.repeat(800)}1${"}".repeat(800)}`)

function broken(name: string, messages: Message[], changes: Change[], turns: string): BrokenHistory {
  return { name, messages, changes, turns }
}

/** Histories that at least one provider turns down, by what is wrong with them. */
export const BROKEN_HISTORIES: readonly BrokenHistory[] = [
  // calls without results
  broken("ends in a call", [user(), answer(call("c1"))], ["result-added"], "uar"),
  broken(
    "ends in three calls",
    [user(), answer(call("a"), call("b"), call("c"))],
    Array(3).fill("result-added"),
    "uarrr",
  ),
  broken("goes on with the user after a call", [user(), answer(call("c1")), user()], ["result-added"], "uaru"),
  broken(
    "has the result of one of two calls",
    [user(), answer(call("a"), call("b")), result("b"), user()],
    ["result-added"],
    "uarru",
  ),
  broken(
    "was aborted in a call, and went on",
    [user(), { ...answer(text("I"), call("c1")), stopReason: "aborted" }, ...turn("c2")],
    ["result-added"],
    "uaruara",
  ),
  broken(
    "answers again without the result",
    [user(), answer(call("c1")), answer(text("Well."))],
    ["result-added"],
    "uara",
  ),
  // results in other places
  broken(
    "has the user between call and result",
    [user(), answer(call("c1")), user("Wait."), result("c1")],
    ["result-moved"],
    "uaru",
  ),
  broken(
    "has a command between call and result",
    [
      user(),
      answer(call("c1")),
      { role: "bashExecution", command: "ls", output: "a", cancelled: false, truncated: false, ...at },
      result("c1"),
    ],
    ["result-moved"],
    "uaru",
  ),
  broken(
    "has another turn between call and result",
    [user(), answer(call("c1")), user(), answer(text("?")), result("c1")],
    ["result-moved"],
    "uarua",
  ),
  broken(
    "has the user between two results",
    [user(), answer(call("a"), call("b")), result("a"), user("Hm."), result("b")],
    ["result-moved"],
    "uarru",
  ),
  broken(
    "has instructions between call and result",
    [user(), answer(call("c1")), wild({ role: "developer", content: "Be brief.", ...at }), result("c1")],
    ["result-moved"],
    "uars",
  ),
  broken(
    "has the results of two answers in one place",
    [user(), answer(call("a")), answer(call("b")), result("a"), result("b")],
    ["result-moved"],
    "uarar",
  ),
  // results without calls
  broken("begins with a result", [result("c1"), ...turn("c2")], ["result-removed"], "uara"),
  broken("has nothing but a result", [result("c1")], ["result-removed"], ""),
  broken("has a result of an unknown call", [user(), result("c9"), ...turn()], ["result-removed"], "uuara"),
  broken(
    "has a result before its call",
    [user(), result("c1"), answer(call("c1"))],
    ["result-removed", "result-added"],
    "uar",
  ),
  broken(
    "has two results for a call",
    [user(), answer(call("c1")), result("c1"), result("c1", "again"), answer(text("Ok."))],
    ["result-removed"],
    "uara",
  ),
  broken(
    "has a second result much later",
    [...turn(), user(), result("c1", "again"), answer(text("Ok."))],
    ["result-removed"],
    "uaraua",
  ),
  broken(
    "has a result without an id",
    [user(), answer(call("c1")), wild({ role: "toolResult", toolName: "read", content: [text("x")], ...at })],
    ["result-removed", "result-added"],
    "uar",
  ),
  // ids and names
  broken("uses an id again in a later turn", [...turn(), ...turn()], ["call-renamed", "call-renamed"], "uarauara"),
  broken(
    "uses an id twice in one answer",
    [user(), answer(call("c1"), call("c1")), result("c1"), result("c1")],
    ["call-renamed", "call-renamed"],
    "uarr",
  ),
  broken(
    "uses an id again, without a result",
    [...turn(), user(), answer(call("c1"))],
    ["call-renamed", "result-added"],
    "uarauar",
  ),
  broken(
    "uses an id of OpenAI again",
    [...turn("call_1|fc_1"), ...turn("call_1|fc_1")],
    ["call-renamed", "call-renamed"],
    "uarauara",
  ),
  broken(
    "names another tool in the result",
    [user(), answer(call("c1")), result("c1", "x", "bash")],
    ["result-named"],
    "uar",
  ),
  broken(
    "names no tool in the result",
    [user(), answer(call("c1")), wild({ role: "toolResult", toolCallId: "c1", content: [text("x")], ...at })],
    ["result-named"],
    "uar",
  ),
  broken(
    "has a call without an id",
    [user(), answer(text("Ok."), wild({ type: "toolCall", name: "read", arguments: {} }) as never)],
    ["block-removed"],
    "ua",
  ),
  broken(
    "has a call without a name",
    [user(), answer(call("c1", "")), result("c1")],
    ["block-removed", "turn-removed", "result-removed"],
    "u",
  ),
  broken(
    "has arguments that are a text",
    [user(), answer(wild({ type: "toolCall", id: "c1", name: "read", arguments: "{" }) as never), result("c1")],
    ["arguments-replaced"],
    "uar",
  ),
  broken(
    "has arguments that are JSON",
    [
      user(),
      answer(wild({ type: "toolCall", id: "c1", name: "read", arguments: '{"path":"a.ts"}' }) as never),
      result("c1"),
    ],
    ["arguments-replaced"],
    "uar",
  ),
  broken(
    "has arguments of 800 levels",
    [user(), answer(call("c1", "read", deep)), result("c1")],
    ["arguments-replaced"],
    "uar",
  ),
  // empty things
  broken("has an empty text of the user", [user(""), user()], ["turn-removed"], "u"),
  broken("has white space of the user", [user(" \n\t"), user()], ["turn-removed"], "u"),
  broken("has a user without content", [wild({ role: "user" }), user()], ["content-changed", "turn-removed"], "u"),
  broken(
    "has an answer of null",
    [user(), wild({ role: "assistant", content: null })],
    ["content-changed", "turn-removed"],
    "u",
  ),
  broken(
    "has an empty answer after an error",
    [user(), { ...answer(), stopReason: "error" }, user()],
    ["turn-removed"],
    "uu",
  ),
  broken("ends in an answer of white space", [user(), answer(text(" \n"))], ["block-removed", "turn-removed"], "u"),
  broken(
    "has an empty text beside a call",
    [user(), answer(text(""), call("c1")), result("c1")],
    ["block-removed"],
    "uar",
  ),
  broken(
    "has an empty text in a result",
    [user(), answer(call("c1")), result("c1", "")],
    ["block-removed", "result-noted"],
    "uar",
  ),
  broken(
    "has a failed result without content",
    [user(), answer(call("c1")), { ...result("c1"), content: [], isError: true }],
    ["result-noted"],
    "uar",
  ),
  broken(
    "has a result of null",
    [user(), answer(call("c1")), wild({ ...result("c1"), content: null })],
    ["content-changed", "result-noted"],
    "uar",
  ),
  broken("has empty instructions", [wild({ role: "system", content: "" }), user()], ["turn-removed"], "u"),
  broken(
    "has an empty message between call and result",
    [user(), answer(call("c1")), user([]), result("c1")],
    ["turn-removed"],
    "uar",
  ),
  broken(
    "has an empty custom message",
    [user(), wild({ role: "custom", customType: "n", content: [] })],
    ["turn-removed"],
    "u",
  ),
  // thinking
  broken(
    "was aborted while it thought",
    [user(), answer(thinking("Hm", "c2ln"))],
    ["block-removed", "turn-removed"],
    "u",
  ),
  broken("ends an answer in thinking", [user(), answer(text("Ok."), thinking("And", "c2ln"))], ["block-removed"], "ua"),
  broken("has empty thinking without signature", [user(), answer(thinking(""), text("Ok."))], ["block-removed"], "ua"),
  broken(
    "ends in redacted thinking",
    [user(), answer(text("Ok."), { type: "redactedThinking", data: "c2VjcmV0" })],
    ["block-removed"],
    "ua",
  ),
  // blocks and content of other forms
  broken(
    "has a block of the future",
    [user(), answer(text("Ok."), { type: "hologram", data: 1 })],
    ["block-removed"],
    "ua",
  ),
  broken(
    "has blocks that are no objects",
    [wild({ role: "user", content: [null, 7, text("Hi")] })],
    ["block-removed", "block-removed"],
    "u",
  ),
  broken("has a call in a message of the user", [user([text("Hi"), call("c1")])], ["block-removed"], "u"),
  broken(
    "has an answer that is a text",
    [user(), wild({ role: "assistant", content: "Ok." })],
    ["content-changed"],
    "ua",
  ),
  broken(
    "has content that is a number",
    [user(), wild({ role: "user", content: 7 })],
    ["content-changed", "turn-removed"],
    "u",
  ),
  broken(
    "has what is no message",
    [user(), null, "text", { no: "role" }] as never,
    Array(3).fill("not-a-message"),
    "u",
  ),
  // images
  broken("has an image that was not restored", [user([text("See"), image(BLOB)])], ["image-noted"], "u"),
  broken("has an image that is not base64", [user([image("not base64!")])], ["image-noted"], "u"),
  broken("has an image without data", [user([image("")])], ["image-noted"], "u"),
  broken("has an image of another format", [user([image("SUkqAAgAAAA=", "image/tiff")])], ["image-noted"], "u"),
  broken("names an image as another format", [user([image(PIXEL, "image/jpeg")])], ["content-changed"], "u"),
  broken("names an image by the end of a file", [user([image("/9j/4AAQSkY=", "image/jpg")])], ["content-changed"], "u"),
  broken("has an image as a data URL", [user([image(`data:image/png;base64,${PIXEL}`)])], ["content-changed"], "u"),
  broken("has an image in lines", [user([image(PIXEL.replace(/.{76}/g, "$&\n"))])], ["content-changed"], "u"),
  broken("has an image in an answer", [user(), answer(image())], ["image-noted"], "ua"),
  broken(
    "has a lost image in a result",
    [user(), answer(call("c1")), { ...result("c1"), content: [image(BLOB)] }],
    ["image-noted"],
    "uar",
  ),
  // text
  broken("has half a surrogate pair of the user", [user("a \ud83d b")], ["text-replaced"], "u"),
  broken("has half a surrogate pair in a block", [user(), answer(text("\ude00"))], ["text-replaced"], "ua"),
  broken(
    "has half a surrogate pair in arguments",
    [user(), answer(call("c1", "write", { "\ud83d": [{ text: "\ude00" }] })), result("c1", "ok", "write")],
    ["text-replaced"],
    "uar",
  ),
  broken(
    "has half a surrogate pair in an id",
    [user(), answer(call("c\ud83d")), result("c\ud83d")],
    ["text-replaced", "text-replaced"],
    "uar",
  ),
  broken(
    "has half a surrogate pair in signed thinking",
    [user(), answer(thinking("a \ud83d", "c2ln"), text("Ok."))],
    ["text-replaced"],
    "ua",
  ),
  broken(
    "has half a surrogate pair in what a command put out",
    [{ role: "bashExecution", command: "cat", output: "\ude00", cancelled: false, truncated: false, ...at }],
    ["text-replaced"],
    "u",
  ),
  broken(
    "has half a surrogate pair in a summary",
    [{ role: "compactionSummary", summary: "\ud83d", tokensBefore: 1, ...at }],
    ["text-replaced"],
    "u",
  ),
  // turns
  broken("begins with an answer", [answer(text("Hi.")), user()], ["turn-added"], "uau"),
  broken(
    "begins with an answer after instructions",
    [wild({ role: "system", content: "Be brief." }), answer(call("c1")), result("c1")],
    ["turn-added"],
    "suar",
  ),
  broken("has two answers in a row", [user(), answer(text("I")), answer(text("Ok."))], ["turn-added"], "uaua"),
  broken(
    "has two answers with instructions of the beginning between them",
    [wild({ role: "system", content: "Be brief." }), answer(text("I")), wild({ role: "oracle" }), answer(text("Ok."))],
    ["turn-added", "turn-added"],
    "suaua",
  ),
  broken("has the first user turn empty", [user(""), answer(text("Hi."))], ["turn-removed", "turn-added"], "ua"),
  // several at once
  broken(
    "has everything wrong",
    [
      result("c0"),
      answer(thinking("Hm"), text(" ")),
      answer(call("c1"), call("c1")),
      user([text(""), image(BLOB)]),
      result("c1", "\ud83d"),
      answer(call("c1"), { type: "hologram" }),
    ],
    [
      "block-removed",
      "block-removed",
      "turn-removed",
      "block-removed",
      "image-noted",
      "text-replaced",
      "block-removed",
      "result-removed",
      "call-renamed",
      "result-moved",
      "result-added",
      "call-renamed",
      "result-added",
      "turn-added",
    ],
    "uarruar",
  ),
]
