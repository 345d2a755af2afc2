/** The position of a string inside a JSON value, linked to the positions above it. */
export interface JsonPlace {
  readonly holder: object
  readonly key: string | number
  readonly value: unknown
  /** The place of `holder`; undefined if that is the top. */
  readonly up: JsonPlace | undefined
}

/** An object or array, with its position in the one above it. */
class Container implements JsonPlace {
  constructor(
    readonly value: object,
    readonly key: string | number,
    readonly parent: Container | undefined,
    readonly ordinal: number,
  ) {}

  get holder(): object {
    return this.parent?.value ?? this
  }

  get up(): JsonPlace | undefined {
    return this.parent?.asPlace
  }

  /** The place, or undefined for the top value and its wrapper. */
  get asPlace(): JsonPlace | undefined {
    return this.ordinal > 1 ? this : undefined
  }
}

/** A string in a value, or the name of a field. */
export interface Leaf {
  readonly container: Container
  readonly key: string | number
  readonly isKey: boolean
  readonly text: string
  /** The name of its field, or a name beside it. */
  readonly name?: string | undefined
  /** The strings before it in its array, where they show what it is. */
  readonly before?: string | undefined
}

/** Shorter strings are not recognized as secrets, with and without a name. Characters. */
const SHORTEST_NAMED = 8
const SHORTEST = 12

/** Names of fields that contain secrets. */
const SECRET_NAME =
  /secret|token|passw|passphrase|passcode|pwd|pass$|key$|auth|credential|webhook|cookie|key-data$|docker/i
const PLAIN_NAME = /^[\w.:-]{2,80}$/
/** A string that shows what the next one is: a flag, or one that ends with a name. */
const LEADS = /^--?[\w-]{1,80}$|[\w"'`][:=]\s{0,3}$|\b(?:bearer|basic)\s{0,3}$/i
/** How much of the strings before another is searched with it. Characters. */
const MOST_BEFORE = 1000

/** The strings of a JSON value, which can be replaced in a copy. Not recursive, since nesting may be deep. */
export class JsonLeaves {
  readonly leaves: Leaf[] = []
  readonly #containers: Container[] = []
  /** Keyed by the ordinal of the container. */
  readonly #edits = new Map<number, Edits>()

  /** @param skip whether to skip a string @throws TypeError for a value that holds itself */
  constructor(value: unknown, skip: (place: JsonPlace) => boolean) {
    const open = [this.#opened([value], 0, undefined)]
    const holders = new Set<object>()
    for (let next = open.at(-1); next; next = open.at(-1)) {
      const step = next.keys.next()
      if (step.done) {
        open.pop()
        holders.delete(next.container.value)
      } else {
        const inner = this.#take(next.container, step.value, skip)
        if (!inner) continue
        if (holders.has(inner.container.value)) throw new TypeError("The value holds itself: it is no JSON.")
        holders.add(inner.container.value)
        open.push(inner)
      }
    }
  }

  /** Replaces the text of a leaf. */
  replace({ container, key, isKey }: Leaf, text: string): void {
    const edits = this.#editsOf(container)
    if (isKey) edits.keys.set(String(key), text)
    else edits.values.set(key, text)
  }

  /** The changed copy, which shares unchanged parts with the original; the original itself if nothing changed. */
  result(): unknown {
    for (let at = this.#containers.length - 1; at > 0; at--) {
      const edits = this.#edits.get(at)
      const { value, key, parent } = this.#containers[at] as Container
      if (edits && parent) this.#editsOf(parent).values.set(key, changed(value, edits))
    }
    const [top] = this.#containers
    const [original] = (top?.value ?? []) as unknown[]
    const edits = this.#edits.get(0)
    return edits?.values.has(0) ? edits.values.get(0) : original
  }

  /** The path, such as `message.content[0].text`, with the names after `replace`. */
  pathOf({ container, key }: Pick<Leaf, "container" | "key">): string {
    const steps: string[] = []
    let place: { container: Container; key: string | number } | undefined = { container, key }
    while (place?.container.parent) {
      const name: string | number = this.#edits.get(place.container.ordinal)?.keys.get(String(place.key)) ?? place.key
      steps.push(stepTo(name))
      place = { container: place.container.parent, key: place.container.key }
    }
    return steps.reverse().join("").replace(/^\./, "")
  }

  #opened(value: object, key: string | number, parent: Container | undefined): Opened {
    const container = new Container(value, key, parent, this.#containers.length)
    this.#containers.push(container)
    return { container, keys: Array.isArray(value) ? value.keys() : Object.keys(value).values() }
  }

  /** Processes the next value of a container; returns the container to process before the one after it. */
  #take(container: Container, key: string | number, skip: (place: JsonPlace) => boolean): Opened | undefined {
    const value: unknown = (container.value as Record<string | number, unknown>)[key]
    if (typeof key === "string" && key.length >= SHORTEST) this.leaves.push({ container, key, isKey: true, text: key })
    if (typeof value === "object" && value !== null) return this.#opened(value, key, container)
    if (typeof value !== "string" || value.length < SHORTEST_NAMED) return undefined
    const name = nameOf(container.value, key)
    const before = beforeIn(container, key)
    if (value.length < SHORTEST && name === undefined && before === undefined) return undefined
    if (!skip({ holder: container.value, key, value, up: container.asPlace }))
      this.leaves.push({ container, key, isKey: false, text: value, name, before })
    return undefined
  }

  #editsOf({ ordinal }: Container): Edits {
    const edits = this.#edits.get(ordinal) ?? { values: new Map(), keys: new Map() }
    this.#edits.set(ordinal, edits)
    return edits
  }
}

interface Opened {
  readonly container: Container
  readonly keys: Iterator<string | number>
}

interface Edits {
  readonly values: Map<string | number, unknown>
  /** The new names of fields, by the old ones. */
  readonly keys: Map<string, string>
}

/** The key, or the name beside it: `{ "name": "API_TOKEN", "value": "…" }`. */
function nameOf(holder: object, key: string | number): string | undefined {
  const { name, key: sibling } = holder as { readonly name?: unknown; readonly key?: unknown }
  const given = key === "value" ? (name ?? sibling) : key
  return typeof given === "string" && PLAIN_NAME.test(given) && SECRET_NAME.test(given) ? given : undefined
}

/** The strings before one in an array, or of the blocks before its own, as one text; undefined where they do not lead to it. */
function beforeIn({ value: holder, key: ofHolder, parent }: Container, key: string | number): string | undefined {
  const isBlock = key === "text" && Array.isArray(parent?.value)
  const [list, index] = isBlock ? [parent?.value, ofHolder] : [holder, key]
  if (!Array.isArray(list) || typeof index !== "number" || index === 0) return undefined
  const textAt = (at: number): unknown => (isBlock ? list[at]?.text : list[at])
  const last = textAt(index - 1)
  if (typeof last !== "string" || !LEADS.test(last.slice(-MOST_BEFORE))) return undefined
  let before = ""
  for (let at = index - 1; at >= 0 && before.length < MOST_BEFORE; at--) {
    const text = textAt(at)
    if (typeof text !== "string") break
    before = `${text.slice(-MOST_BEFORE)} ${before}`
  }
  return before
}

function changed(value: object, { values, keys }: Edits): object {
  if (Array.isArray(value)) return value.map((item, index) => (values.has(index) ? values.get(index) : item))
  const copy = {}
  for (const [key, item] of Object.entries(value)) {
    const field = values.has(key) ? values.get(key) : item
    setOwn(copy, freeName(copy, keys.get(key) ?? key), field)
  }
  return copy
}

/** A name that is not used in the object yet: two redacted names may be the same. */
function freeName(copy: object, name: string): string {
  let free = name
  for (let number = 2; Object.hasOwn(copy, free); number++) free = `${name} ${number}`
  return free
}

/** Plain assignment would call the setter of `__proto__`; a stored key of that name is data. */
function setOwn(holder: object, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true })
}

function stepTo(name: string | number): string {
  if (typeof name === "number") return `[${name}]`
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
}
