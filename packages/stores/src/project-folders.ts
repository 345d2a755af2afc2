import { homedir } from "node:os"
import { basename, dirname, join } from "node:path"
import { isTreelogError } from "@treelog/session-core"
import { folderName, isOfWindows, isWholePath, plainPath } from "@treelog/session-core/adapter"
import { gitDirIn, type RealFolder, RealFolders, worktreesOf } from "@treelog-internal/fs"
import { nameOfRemote, remoteOf } from "./project-name.js"

/** Of a submodule, which is a project of its own; and of a worktree whose repository is gone. */
const WITHIN_GIT = /[/\\]\.git[/\\](?:modules|worktrees)[/\\]/
/** Folders of worktrees beside the repository: `shop.worktrees`, `shop-worktrees`. */
const BESIDE = /^(.+?)(?:\.|-|__?)worktrees$/

/** A repository on this machine. */
interface Project {
  readonly name: string
  /** An absolute path. */
  readonly folder: string
  readonly gitDir: string
}

/**
 * Names the projects of folders: a git repository is one for all its subfolders and worktrees, also those that are gone; a folder in no
 * repository is one by itself, by its real path and whatever its spelling. A repository that is the home folder or `/` is no project.
 * What it found it remembers, of each folder on the way. Does not run git.
 */
export class ProjectFolders {
  readonly #home: string
  readonly #folders: RealFolders
  /** The repositories of folders, by path. */
  readonly #found = new Map<string, Project | undefined>()
  /** By the names of the folders of their worktrees. */
  readonly #ofWorktrees = new Map<string, Project>()
  /** By the names of their remotes. */
  readonly #ofRemotes = new Map<string, Project>()
  readonly #unnamed: Project[] = []
  /** What is shown of a project, by its name. */
  readonly #titles = new Map<string, string>()
  /** The names of projects, by folder: those that can be no other. */
  readonly #names = new Map<string, string>()

  constructor({ home = homedir(), platform }: { home?: string; platform?: NodeJS.Platform } = {}) {
    this.#home = home
    this.#folders = new RealFolders(platform)
  }

  /** The name of a folder, the same for all its spellings. */
  readonly folderName = (cwd: string): string => this.#folders.nameOf(cwd)

  /** Whether it is in a repository. */
  isInRepository(cwd: string): boolean {
    const place = this.#folders.find(cwd)
    return place !== undefined && this.#projectOf(place) !== undefined
  }

  /** The name of its project: see `ProjectOf`. */
  readonly nameOf = (cwd: string, repositoryOf?: () => string | undefined): string => {
    const known = this.#names.get(cwd)
    if (known !== undefined) return known
    const place = this.#folders.find(cwd)
    const project = place && this.#projectOf(place)
    const name = project?.name ?? folderName(place?.path ?? cwd)
    if (project || place?.isThere) this.#names.set(cwd, name)
    const noted = project || place?.isThere ? undefined : repositoryOf?.()
    return noted ? this.#noted(noted, name) : name
  }

  /** The project as people see it: its folder as it is here, or as its own system spells it. */
  readonly titleOf = (cwd: string, repositoryOf?: () => string | undefined): string => {
    const name = this.nameOf(cwd, repositoryOf)
    const title = this.#titles.get(name) ?? (folderName(cwd) === name ? this.#titleOfFolder(cwd) : name)
    this.#titles.set(name, title)
    return title
  }

  #titleOfFolder(cwd: string): string {
    const place = this.#folders.find(cwd)
    const path = place?.isThere ? place.path : plainPath(cwd)
    return isOfWindows(path) ? path.replaceAll("/", "\\") : path
  }

  /** The project that the program of a session noted: a folder, or a remote. */
  #noted(repository: string, folder: string): string {
    if (isWholePath(repository)) return this.nameOf(repository)
    const remote = nameOfRemote(repository)
    if (remote === undefined) return folder
    for (const project of this.#unnamed.splice(0)) {
      const name = nameOfRemote(valueIfReadable(() => remoteOf(project.gitDir)) ?? "")
      if (name !== undefined && !this.#ofRemotes.has(name)) this.#ofRemotes.set(name, project)
    }
    return this.#ofRemotes.get(remote)?.name ?? remote
  }

  #projectOf({ path, isThere }: RealFolder): Project | undefined {
    const way: string[] = []
    let project: Project | undefined
    for (let folder = path; ; folder = dirname(folder)) {
      project = this.#found.get(folder)
      if (project || this.#found.has(folder)) break
      way.push(folder)
      project = this.#projectAt(folder)
      if (project || folder === dirname(folder)) break
    }
    for (const folder of way) this.#found.set(folder, project)
    return project ?? (isThere ? undefined : this.#formerProjectOf(path))
  }

  /** The project of a worktree that is gone, or of a folder in one. */
  #formerProjectOf(path: string): Project | undefined {
    for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
      const [, repository] = BESIDE.exec(basename(folder)) ?? []
      const project =
        this.#ofWorktrees.get(folderName(folder)) ??
        (repository === undefined ? undefined : this.#projectAt(join(dirname(folder), repository)))
      if (project) return project
    }
    return undefined
  }

  #projectAt(root: string): Project | undefined {
    const gitDir = valueIfReadable(() => gitDirIn(root, this.#home))
    if (gitDir === undefined) return undefined
    // `shop/.git`, and `shop/.bare` beside its worktrees; another name is that of a bare repository.
    const folder = WITHIN_GIT.test(gitDir) ? root : basename(gitDir).startsWith(".") ? dirname(gitDir) : gitDir
    const known = this.#found.get(folder)
    if (known) return known
    const project = { name: folderName(folder), folder, gitDir }
    this.#found.set(folder, project)
    this.#unnamed.push(project)
    this.#titles.set(project.name, folder)
    for (const worktree of valueIfReadable(() => worktreesOf(gitDir)) ?? [])
      this.#ofWorktrees.set(this.#folders.nameOf(worktree), project)
    return project
  }
}

/** A folder of another user: whether it is in a repository cannot be known, and its sessions are listed all the same. */
function valueIfReadable<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch (error) {
    if (isTreelogError(error, "StorageError")) return undefined
    throw error
  }
}
