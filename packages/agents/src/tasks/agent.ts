import { basename, dirname, join } from "node:path"
import type { LostResult } from "@treelog/session-core"
import {
  type AgentDefinition,
  type AgentPlace,
  countIn,
  type FactsBeside,
  isObject,
  type Json,
  objectsIn,
  parsedObject,
  type StoreOptions,
  sessionDatabase,
  sessionFiles,
  textIn,
  withFacts,
  without,
} from "../kit.js"
import { foundIn, itemIn } from "../vscode/window.js"
import { SUMS, TasksConverter } from "./convert.js"

/** Cline 3 and what came of earlier Clines: sessions are messages of Anthropic's API in a JSON document. */
export function tasksAgent(place: AgentPlace): AgentDefinition {
  return {
    place,
    store: (options) => {
      const files = sessionFiles(options, {
        paths: [`${options.sessions}/*/*.messages.json`, "tasks/*/api_conversation_history.json"],
        // Sub-agents of Cline 3 are in the folder of their session.
        partOf: ([session, file]) =>
          file === undefined || file === session
            ? undefined
            : { of: `${options.sessions}/${session}/${session}.messages.json`, role: "subagent" },
        // What a session of Cline 3 is, and what the window of the others shows, with usage.
        beside: (path) =>
          path.endsWith(MESSAGES)
            ? [
                ...["json", "compaction.json"].map((ending) => `${path.slice(0, -MESSAGES.length)}.${ending}`),
                // The task of Cline 2 that it goes on with, in whose place it is listed.
                join(dirname(path), "../../tasks", basename(dirname(path)), "api_conversation_history.json"),
              ]
            : BESIDE.map((name) => join(dirname(path), `${name}.json`)),
        hasPartsBeside: true,
        recordsOf,
      })
      const listed = listedByEditor(options)
      return withFacts(options, files, async ({ key, id = "" }, facts) => {
        if (key.endsWith(MESSAGES)) return {}
        const tasks = await facts.of(join(dirname(key), HISTORY), tasksIn)
        if (tasks) return (Object.hasOwn(tasks, id) && (tasks as Record<string, FactsBeside>)[id]) || {}
        return (await facts.of(join(dirname(key), "history_item.json"), () => ({}))) ? {} : listed(id)
      })
    },
    lostResult: place.name.startsWith("cline") ? LOST_OF_CLINE : LOST,
    converter: (session) => new TasksConverter(session, place.name),
  }
}

/** What Cline 3 gives its model for a call that was lost: it sends the blocks of an error as JSON. */
const LOST_OF_CLINE: LostResult = {
  text: '[{"type":"text","text":"Tool execution was interrupted before a result was produced. Tool: {tool}."}]',
  isError: true,
}
const LOST: LostResult = { text: "Task was interrupted before this tool call could be completed.", isError: false }

const MESSAGES = ".messages.json"
/** Beside the messages of a task. */
const BESIDE = ["ui_messages", "context_history", "history_item", "claude_messages", "task_metadata"]
/** The list of all tasks, from the folder of one. */
const HISTORY = "../../state/taskHistory.json"

/** What the list says of each task, by its id. */
function tasksIn(bytes: Uint8Array): object {
  const tasks = objectsIn(parsedObject(`{"tasks":${new TextDecoder().decode(bytes)}}`)?.tasks)
  return Object.fromEntries(tasks.map((task) => [String(task.id), factsOf(task)]))
}

/** Its folder, the task that it works for, and what it used. */
function factsOf(task: Json): FactsBeside {
  const cwd = ["cwdOnTaskInitialization", "shadowGitConfigWorkTree", "workspace"].map((name) => textIn(task, name))
  const named = ["parentTaskId", "status"].filter((name) => textIn(task, name) !== undefined)
  const facts = [...named, ...SUMS.filter((sum) => countIn(task, sum) > 0)].map((name) => [name, task[name]])
  const found = cwd.find((one) => one !== undefined)
  return { ...(found !== undefined && { cwd: found }), ...(facts.length > 0 && { facts: Object.fromEntries(facts) }) }
}

/** The list of all tasks of versions that had VS Code keep it: in its database, beside the folder of the extension. */
function listedByEditor(options: StoreOptions): (id: string) => Promise<FactsBeside> {
  const extension = basename(options.folder).toLowerCase()
  const file = "../state.vscdb"
  const databases = sessionDatabase(options, {
    file,
    sessions(db) {
      const tasks = objectsIn(parsedObject(itemIn(db, extension) ?? "")?.taskHistory)
      return tasks.map((task) => ({
        id: String(task.id),
        version: JSON.stringify(factsOf(task)),
        size: 0,
        modified: 0,
      }))
    },
    records: () => [],
  })
  return async (id) => {
    const found = await foundIn(databases, join(options.folder, file, encodeURIComponent(id)))
    return parsedObject(found?.version ?? "") ?? {}
  }
}

function recordsOf(document: unknown, [beside, other, item, older, noted]: readonly unknown[]): Json[] {
  const manifest = isObject(beside) ? beside : {}
  const head = isObject(document) ? { ...manifest, ...without(document, ["messages"]) } : {}
  const messages = objectsIn(isObject(document) ? document.messages : document)
  // A task is a list of messages, which has none until the first answer comes.
  const isTask = Array.isArray(document)
  if (messages.length === 0 && !isTask && (!isObject(document) || document.sessionId === undefined)) return []
  const shown = objectsIn(beside ?? older).map((one) => ({ record: String(one.say ?? one.ask), ...one }))
  const records: Json[] = messages.map((one) => ({ record: "message", ...one }))
  if (isObject(other)) records.splice(countIn(other, "source_message_count"), 0, { record: "compaction", ...other })
  const edits = Array.isArray(other) ? [{ record: "edits", edits: other }] : []
  return [
    {
      ...{ record: "session", ...head, isTask, hasTask: !isTask && Array.isArray(item) },
      ...(isObject(item) && { history: item }),
      ...(isObject(noted) && { models: noted.model_usage }),
    },
    ...shown,
    ...edits,
    ...records,
  ]
}
