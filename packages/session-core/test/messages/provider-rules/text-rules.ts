const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

/** Texts that no provider takes, anywhere in what is sent. */
export function textFaults(value: unknown, path = "$"): string[] {
  if (typeof value === "string") return LONE_SURROGATE.test(value) ? [`${path}: a lone surrogate`] : []
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => {
    const here = `${path}.${key}`
    return [...textFaults(key, here), ...textFaults(member, here)]
  })
}

/** True for a text that is nothing but white space. */
export function isBlank(text: string): boolean {
  return /^\s*$/.test(text)
}

const ID = /^[a-zA-Z0-9_-]+$/

/** The same texts, in whatever order. */
export function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  return [...some].sort().join("\n") === [...others].sort().join("\n")
}

/** The stricter of the providers' rules for ids of calls. */
export function idFaults(id: string): string[] {
  return ID.test(id) && id.length <= 40 ? [] : [`id ${JSON.stringify(id)}`]
}

/** The stricter of the providers' rules for names of tools. */
export function nameFaults(name: string): string[] {
  return ID.test(name) && name.length <= 64 ? [] : [`name ${JSON.stringify(name)}`]
}
