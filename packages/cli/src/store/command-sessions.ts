import { join } from "node:path"
import type { SessionManager, SessionSource } from "@treelog/session-core"
import type { ProjectOf } from "@treelog/session-core/adapter"
import { type Agent, type FileStore, madeIn, ownFolder } from "@treelog/stores"
import type { CommandContext } from "../io/command-context.js"
import type { StoreOptions } from "../io/global-options.js"
import { type BlobPlace, chosenPlace, folderPlace } from "./blob-place.js"
import { chosenStore } from "./chosen-store.js"
import { openNamedStore } from "./open-named-store.js"
import { cwdIn, projectsOf } from "./scope.js"
import { managerWith, storedBlobs } from "./session-blobs.js"

/** What the options amount to: a store, its sessions, and the folder that is meant. What writes needs the `Sessions<SessionStorage>` of `requireWritable`. */
export interface Sessions<Storage extends SessionSource = SessionSource> {
  readonly storage: Storage
  /** Undefined where sessions are no files: see `requireFiles`. */
  readonly files: FileStore | undefined
  /** The agent whose sessions they are, if they can only be read. */
  readonly agent: Agent | undefined
  /** The store, for people: its folder, or its address without a password. */
  readonly address: string
  /** The agent of sessions whose headers name none. */
  readonly madeBy: string
  /** Loads what makes new sessions. Those that exist are opened by a manager with their own blobs: see session-blobs.ts. */
  readonly manager: () => Promise<SessionManager<Storage>>
  /** The place of all blobs, if one is named. */
  readonly blobs: BlobPlace | undefined
  /** Where the prompt history is: the folder of the store, or of treelog's own on this machine. An absolute path. */
  readonly historyDir: string
  /** The folder that new sessions belong to. An absolute path. */
  readonly cwd: string
  /** How the store groups sessions: a shared one by project, files by folder. */
  readonly projectOf: ProjectOf
}

/** @param options that name the store. Default: those of the command */
export async function commandSessions(
  context: CommandContext,
  options: StoreOptions = context.options,
): Promise<Sessions> {
  const chosen = chosenStore({ io: context.io, options })
  const kept = chosen.name.kind === "files" && chosen.name.keptOf ? chosen.name.agentDir : undefined
  const blobs = chosenPlace(context, chosen) ?? (kept === undefined ? undefined : folderPlace(join(kept, "blobs")))
  const { storage, files, agent, address } = await openNamedStore(context, chosen.name)
  const projectOf = projectsOf(context, { files, agent })
  return {
    storage,
    files,
    agent,
    address,
    madeBy: madeIn(context.io, options.store, { files, agent, address }),
    manager: async () => managerWith({ storage, projectOf }, await storedBlobs({ blobs, files })?.open()),
    blobs,
    historyDir: files?.agentDir ?? ownFolder(context.io, "treelog"),
    cwd: cwdIn(context),
    projectOf,
  }
}
