import hljs from "highlight.js/lib/core"
import bash from "highlight.js/lib/languages/bash"
import c from "highlight.js/lib/languages/c"
import cpp from "highlight.js/lib/languages/cpp"
import csharp from "highlight.js/lib/languages/csharp"
import css from "highlight.js/lib/languages/css"
import diff from "highlight.js/lib/languages/diff"
import dockerfile from "highlight.js/lib/languages/dockerfile"
import go from "highlight.js/lib/languages/go"
import ini from "highlight.js/lib/languages/ini"
import java from "highlight.js/lib/languages/java"
import javascript from "highlight.js/lib/languages/javascript"
import json from "highlight.js/lib/languages/json"
import kotlin from "highlight.js/lib/languages/kotlin"
import makefile from "highlight.js/lib/languages/makefile"
import php from "highlight.js/lib/languages/php"
import python from "highlight.js/lib/languages/python"
import ruby from "highlight.js/lib/languages/ruby"
import rust from "highlight.js/lib/languages/rust"
import scss from "highlight.js/lib/languages/scss"
import sql from "highlight.js/lib/languages/sql"
import swift from "highlight.js/lib/languages/swift"
import typescript from "highlight.js/lib/languages/typescript"
import xml from "highlight.js/lib/languages/xml"
import yaml from "highlight.js/lib/languages/yaml"
import { cleanColours } from "./clean-html.js"

const LANGUAGES = {
  ...{ bash, c, cpp, csharp, css, diff, dockerfile, go, ini, java, javascript, json, kotlin, makefile, php, python },
  ...{ ruby, rust, scss, sql, swift, typescript, xml, yaml },
}

for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language)

/** File extensions that highlight.js does not know. */
const EXTENSIONS = { bash: ["zsh"], cpp: ["hpp"], ini: ["conf", "env"], json: ["jsonl"], xml: ["vue", "svelte", "svg"] }

for (const [languageName, extensions] of Object.entries(EXTENSIONS)) hljs.registerAliases(extensions, { languageName })

/** Longer code is not highlighted, since that takes time. Characters. */
const LONGEST = 30_000

/** Highlighted code; undefined if the language is unknown or the code is too long. */
export function highlighted(code: string, language: string | undefined): DocumentFragment | undefined {
  if (!language || code.length > LONGEST || !hljs.getLanguage(language)) return undefined
  return cleanColours(hljs.highlight(code, { language, ignoreIllegals: true }).value)
}
