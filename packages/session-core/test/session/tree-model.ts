import type { SessionEntry } from "@treelog/session-core"

/** An entry as the model knows it. */
export interface ModelEntry {
  readonly id: string
  readonly parentId: string | null
  readonly type: string
  /** Of labels: what they label, and with what. */
  readonly targetId?: string | undefined
  readonly label?: string | undefined
}

/** A session as simply as it can be thought of: a list, a leaf, a name. What is asked of it is worked out anew each time. */
export class TreeModel {
  readonly entries: ModelEntry[] = []
  leaf: string | null = null
  name: string | undefined

  add(id: string, type: string, fields: { parentId?: string | null; targetId?: string; label?: string } = {}): void {
    const { parentId = this.leaf, targetId, label } = fields
    this.entries.push({ id, parentId, type, targetId, label })
    this.leaf = id
  }

  pathTo(id: string | null): string[] {
    const path: string[] = []
    for (let at = id; at !== null; at = this.entries.find((entry) => entry.id === at)?.parentId ?? null)
      path.unshift(at)
    return path
  }

  children(id: string | null): string[] {
    return this.entries.filter((entry) => entry.parentId === id).map((entry) => entry.id)
  }

  labels(): Map<string, string> {
    const labels = new Map<string, string>()
    for (const { type, targetId, label } of this.entries) {
      if (type !== "label" || targetId === undefined) continue
      if (label) labels.set(targetId, label)
      else labels.delete(targetId)
    }
    return labels
  }

  messagesTo(id: string | null): string[] {
    return this.pathTo(id).filter((one) => {
      const type = this.entries.find((entry) => entry.id === one)?.type
      return type === "message" || type === "branch_summary"
    })
  }

  /** The model of a branch at an entry, up to what the branch writes behind it by itself. */
  branchedAt(id: string): TreeModel {
    const branch = new TreeModel()
    branch.name = this.name
    for (const one of this.pathTo(id)) {
      const entry = this.entries.find((candidate) => candidate.id === one)
      if (entry && entry.type !== "label") branch.add(entry.id, entry.type)
    }
    return branch
  }

  /** Takes over entries that the session made by itself. */
  adopt(entries: readonly SessionEntry[]): void {
    for (const entry of entries) {
      const { id, parentId, type, targetId, label } = entry as SessionEntry & { targetId?: string; label?: string }
      this.entries.push({ id, parentId, type, targetId, label })
      this.leaf = id
    }
  }
}
