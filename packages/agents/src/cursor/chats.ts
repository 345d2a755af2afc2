import type { SqliteDatabase } from "@treelog-internal/sqlite"
import { type Json, objectsIn, parsedObject, type SessionRow, textIn } from "../kit.js"
import { itemIn } from "../vscode/window.js"
import { timeOf } from "./fields.js"

// What Cursor before 0.43 has in the database of each window: chats, which are tabs with bubbles, and composers with theirs.

const VALUES = ["workbench.panel.aichat.view.aichat.chatdata", "composer.composerData"]

export function chatRows(db: SqliteDatabase): SessionRow[] {
  return chatsIn(db).map((chat) => {
    const { lastUpdatedAt, createdAt } = chat
    const modified = timeOf(lastUpdatedAt) ?? timeOf(createdAt) ?? 0
    const size = JSON.stringify(chat).length
    return { id: String(chat.composerId), version: `${size} ${modified}`, size, modified }
  })
}

/** Composers, each with its `conversation`; of a value that is damaged one without anything. */
export function chatsIn(db: SqliteDatabase): Json[] {
  return VALUES.flatMap((key) => {
    const text = itemIn(db, key)
    if (text === undefined) return []
    const value = parsedObject(text)
    if (!value) return [{ composerId: key }]
    const composers = [...objectsIn(value.tabs).map(composerOf), ...objectsIn(value.allComposers)]
    return composers.filter((one) => textIn(one, "composerId") !== undefined && objectsIn(one.conversation).length > 0)
  })
}

/** A tab as a composer: of its times, only that of the last prompt is stored. */
function composerOf({ tabId, chatTitle, lastSendTime, bubbles }: Json): Json {
  const types: Record<string, number> = { user: 1, ai: 2 }
  const conversation = objectsIn(bubbles).map(({ id, type, text, rawText, modelType, ...fields }, at) => ({
    ...fields,
    bubbleId: id ?? `bubble:${at + 1}`,
    type: types[String(type)] ?? type,
    text: text || rawText,
    createdAt: lastSendTime,
    ...(modelType !== undefined && { modelInfo: { modelName: modelType } }),
  }))
  return { composerId: tabId, name: chatTitle, lastUpdatedAt: lastSendTime, conversation }
}
