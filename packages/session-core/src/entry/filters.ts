import { foldText } from "./fold-text.js"
import { plainPath } from "./folder-name.js"

/** What is known of a session that filters look at. */
export interface FilteredSession {
  /** Empty or missing where it is not known. */
  readonly agent?: string | undefined
  readonly cwd: string
  /** As its storage names it. */
  readonly project?: string | undefined
  readonly name?: string | undefined
}

interface FilterText {
  /** What a value is called in help texts. */
  readonly value: string
  /** For help texts: what the filter leaves. */
  readonly help: string
}

interface SessionFilterRule extends FilterText {
  readonly of: "session"
  readonly fits: (session: FilteredSession, value: string) => boolean
}

/** A condition for the models of answers: of texts and usage, and of sessions in which one of them answered. */
interface ModelFilterRule extends FilterText {
  readonly of: "model"
  /** @param model `provider/model` */
  readonly fits: (model: string, value: string) => boolean
}

/**
 * What lists, searches, sums, the finder, the page and MCP can be limited by: a field of a query by this name, which is `--name` as an option, `name:` in a
 * text and `name=` in an address.
 */
export const FILTERS = {
  agent: {
    of: "session",
    value: "name",
    help: "only sessions of this agent, in whatever store they are, such as claude-code",
    fits: ({ agent = "" }, value) => foldText(agent) === foldText(value),
  },
  project: {
    of: "session",
    value: "text",
    help: "only sessions whose folder or project contains this",
    fits: ({ cwd, project = "" }, value) =>
      [cwd, plainPath(cwd), project].some(
        (name) => contains(name, value) || contains(slashed(name), slashed(plainPath(value))),
      ),
  },
  name: {
    of: "session",
    value: "text",
    help: "only sessions whose name contains this",
    fits: ({ name = "" }, value) => contains(name, value),
  },
  model: {
    of: "model",
    value: "text",
    help: "only answers of a model whose name contains this, and sessions with one",
    fits: (model, value) => contains(model, value),
  },
} as const satisfies Readonly<Record<string, SessionFilterRule | ModelFilterRule>>

export type FilterName = keyof typeof FILTERS

/** Values of filters, by their names. */
export type FilterValues = { readonly [Name in FilterName]?: string | undefined }

export const FILTER_NAMES = Object.keys(FILTERS) as readonly FilterName[]

/** The filters among other values. @param get the value of a name; undefined or null for none */
export function filterValues(get: (name: FilterName) => string | null | undefined): FilterValues {
  return Object.fromEntries(FILTER_NAMES.flatMap((name) => (get(name) == null ? [] : [[name, get(name)]])))
}

/** Whether a session fits those filters that are of sessions. */
export function fitsFilters(filters: FilterValues, session: FilteredSession): boolean {
  return asked(filters).every(([rule, value]) => rule.of !== "session" || rule.fits(session, value))
}

/** Whether a model fits those filters that are of models. @param model undefined for what is of none: it fits where no filter is of models */
export function fitsModel(filters: FilterValues, model: string | undefined): boolean {
  return asked(filters).every(
    ([rule, value]) => rule.of !== "model" || (model !== undefined && rule.fits(model, value)),
  )
}

function asked(filters: FilterValues): (readonly [rule: SessionFilterRule | ModelFilterRule, value: string])[] {
  return FILTER_NAMES.flatMap((name) => {
    const value = filters[name]
    return value === undefined ? [] : [[FILTERS[name], value] as const]
  })
}

function contains(text: string, part: string): boolean {
  return foldText(text).includes(foldText(part))
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/")
}
