import { TreelogError } from "@treelog/session-core"
import { appendLines, decodeLines, encodeLines } from "../objects/json-lines.js"
import { assertPart, type ObjectName } from "../objects/object-name.js"
import { ObjectStore, type ObjectStoreOptions } from "../objects/object-store.js"
import type { OpenAIHistoryTransaction, OpenAIHistoryTransactionArgs } from "./openai-types.js"

/** Which session, and where to store it. */
export interface OpenAISessionOptions extends ObjectStoreOptions {
  /** Identifies the session within the prefix. */
  readonly sessionId: string
}

/**
 * The `Session` of the OpenAI Agents SDK in any storage of treelog. The session is one object, with a line for each change. A change is
 * durable when its method resolves; the changes of one `OpenAISession` are stored in the order of the calls. Several processes may use
 * one session.
 */
export class OpenAISession<Item extends object> {
  readonly #sessionId: string
  readonly #objects: ObjectStore
  readonly #name: ObjectName

  /** @throws InvalidArgumentError for an invalid prefix or session id */
  constructor({ sessionId, ...options }: OpenAISessionOptions) {
    assertPart("sessionId", sessionId)
    this.#sessionId = sessionId
    this.#objects = new ObjectStore(options, "openai")
    this.#name = [this.#objects.prefix, sessionId]
  }

  async getSessionId(): Promise<string> {
    return this.#sessionId
  }

  /** @param limit returns the last items, at most so many; without it, all. @throws StorageError */
  async getItems(limit?: number): Promise<Item[]> {
    const { items } = await this.#read()
    if (limit === undefined) return items
    return limit <= 0 ? [] : items.slice(-limit)
  }

  /**
   * Appends items: all of them, or none.
   * @throws UnserializableEntryError for an item that JSON would change; SessionBusyError, StorageError
   */
  async addItems(items: readonly Item[]): Promise<void> {
    if (items.length > 0) await this.#change(encodeLines([{ type: "append_items", items }]))
  }

  /** Removes the last item and returns it; undefined if there is none. @throws SessionBusyError, StorageError */
  popItem(): Promise<Item | undefined> {
    return this.#objects.change(this.#name, async (held) => {
      const last = (await this.#read()).items.at(-1)
      if (last !== undefined) await appendLines(held, encodeLines([{ type: "pop_item" }]))
      return last
    })
  }

  /** Removes all items and all that is known of transactions. @throws SessionBusyError, StorageError */
  async clearSession(): Promise<void> {
    await this.#objects.change(this.#name, (held) => held.remove())
  }

  /**
   * Changes the history as a whole, and once: repeating an operation does nothing.
   * @throws InvalidArgumentError when the id belongs to another transaction, or the history does not end with `expectedSuffix`;
   *   UnserializableEntryError, SessionBusyError, StorageError
   */
  async applyHistoryTransaction({ operationId, transaction }: OpenAIHistoryTransactionArgs<Item>): Promise<void> {
    if (operationId.trim() === "") throw invalidHistoryChange("operationId", operationId, "is empty")
    const line = encodeLines([{ operationId, ...transaction }])
    // As it will be read: members that are undefined are not stored.
    const [asStored = transaction] = decodeLines<HistoryOperation<Item>>("", line)
    await this.#objects.change(this.#name, async (held) => {
      const { items, applied } = await this.#read()
      const earlier = applied.get(operationId)
      if (earlier) {
        if (isSameJson({ operationId, ...earlier }, asStored)) return
        throw invalidHistoryChange("operationId", operationId, "was used for another transaction")
      }
      if (asStored.type === "replace_suffix") {
        const { expectedSuffix } = asStored
        const suffix = items.slice(Math.max(items.length - expectedSuffix.length, 0))
        if (!isSameJson(suffix, expectedSuffix))
          throw invalidHistoryChange("expectedSuffix", expectedSuffix, "is not the end of the history")
      }
      await appendLines(held, line)
    })
  }

  async #change(lines: Uint8Array): Promise<void> {
    await this.#objects.change(this.#name, (held) => appendLines(held, lines))
  }

  async #read(): Promise<History<Item>> {
    const found = await this.#objects.read(this.#name)
    return historyOf(found ? decodeLines<HistoryOperation<Item>>(found.object.key, found.content) : [])
  }
}

function invalidHistoryChange(argument: string, value: unknown, fault: string): TreelogError<"InvalidArgumentError"> {
  const message = `${argument} ${fault}. Read the history again, and begin a new operation.`
  return new TreelogError("InvalidArgumentError", message, { argument, value })
}

/** A line of the stored history: what was done to it. */
type HistoryOperation<Item> = (OpenAIHistoryTransaction<Item> | { type: "pop_item" }) & { operationId?: string }

/** The history of a session, which results from its operations. */
interface History<Item> {
  readonly items: Item[]
  /** The transactions that were applied, by the ids of their operations. */
  readonly applied: Map<string, OpenAIHistoryTransaction<Item>>
}

function historyOf<Item>(operations: readonly HistoryOperation<Item>[]): History<Item> {
  const history: History<Item> = { items: [], applied: new Map() }
  for (const { operationId, ...operation } of operations) {
    apply(history.items, operation)
    if (operationId !== undefined && operation.type !== "pop_item") history.applied.set(operationId, operation)
  }
  return history
}

/** Whether two JSON values are equal, in whatever order their members are. */
function isSameJson(a: unknown, b: unknown): boolean {
  return sorted(a) === sorted(b)
}

function apply<Item>(items: Item[], operation: HistoryOperation<Item>): void {
  if (operation.type === "pop_item") items.pop()
  if (operation.type === "replace_suffix") items.length -= operation.expectedSuffix.length
  const added = operation.type === "append_items" ? operation.items : []
  for (const item of operation.type === "replace_suffix" ? operation.replacement : added) items.push(item)
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, member) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}
