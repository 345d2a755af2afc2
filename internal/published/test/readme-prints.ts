// What the examples in the READMEs of the packages print, wherever they run.

const PRINTS: Readonly<Record<string, readonly RegExp[]>> = {
  "@treelog/agent-sdks": [/^\[ ?['"]events.jsonl['"] ?\] \[\]\n$/],
  "@treelog/blob-store": [/^1\n$/],
  "@treelog/blob-store-s3": [/^$/],
  "@treelog/bundle": [/^sessions\/1\.jsonl created\n$/],
  "@treelog/export": [/^# Use .*Use postgres:\/\/\[redacted password in a URL\]@db\S*\n1 .*password in a URL/s],
  "@treelog/history-sqlite": [/^\d{4}-\S+Z Why does the discount field lose its focus\?\n$/],
  "@treelog/mcp": [/^$/],
  "@treelog/index-sqlite": [/^user Why is the retry test flaky\?\n\[\] \[\]\n$/],
  "@treelog/pi": [/^true 3\n$/],
  "@treelog/prices": [/^0\.0960\n5\.5 undefined\n2\n$/],
  "@treelog/secrets": [/^password in a URL 19 37\nLook at postgres:\/\/\[redacted password in a URL\]@db/],
  "@treelog/session-core": [
    /^[0-9a-f-]{36} Which way\?\n.*claude-opus-4-6/s,
    /^1\n$/,
    /path: \[ ?['"]targetId['"] ?\]/,
  ],
  "@treelog/storage-fs": [/^$/],
  "@treelog/storage-indexeddb": [/^$/],
  // A list of the stores that are on the machine.
  "@treelog/stores": [/^/],
  "@treelog/viewer": [/^$/, /^403\n$/],
}

/** What the example of a package prints, the first being number 1. */
export const printsOf = (name: string, number: number) => PRINTS[name]?.[number - 1] ?? /no example is known here/
