import { createHash } from "node:crypto"
import type { Plugin, Rollup } from "vite"
import { licencesOf } from "./licences.js"

/**
 * Makes one HTML file of the page: script and styles stand in it, and a policy that lets nothing else run or load. Nobody can put
 * markup into it either: what makes elements of text has to come from DOMPurify.
 */
export function oneFile(): Plugin {
  return {
    name: "treelog:one-file",
    enforce: "post",
    apply: "build",
    generateBundle(_, bundle) {
      const html = only(bundle, ".html")
      const chunk = only(bundle, ".js")
      const script = inScript(textOf(chunk))
      const style = textOf(only(bundle, ".css")).trim()
      for (const name of Object.keys(bundle)) if (name !== html.fileName) delete bundle[name]
      if (html.type !== "asset") throw new Error("The page is not an asset.")
      html.fileName = "index.html"
      if (chunk.type === "chunk")
        this.emitFile({ type: "asset", fileName: "licences.txt", source: licencesOf(chunk.moduleIds) })
      html.source = textOf(html)
        .replace(/[ \t]*<script[^>]*src=[^>]*><\/script>\n?/g, "")
        .replace(/[ \t]*<link[^>]*rel="stylesheet"[^>]*>\n?/g, "")
        .replace(
          "<!--treelog:policy-->",
          () => `<meta http-equiv="Content-Security-Policy" content="${policy(script, style)}" />`,
        )
        .replace("</head>", () => `  <style>${style}</style>\n  </head>`)
        .replace("<!--treelog:script-->", () => `<script>${script}</script>`)
    },
  }
}

function policy(script: string, style: string): string {
  return [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "img-src data:",
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types dompurify",
  ].join("; ")
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`
}

/**
 * In a string or a pattern of a script, these would be taken for the end of it, for a comment, or for another script. Elsewhere in
 * it, what is put in their place would be no JavaScript, and no test of the page would pass.
 */
function inScript(code: string): string {
  return code.trim().replace(/<(?=\/?script|!--)/gi, "\\x3c")
}

function only(bundle: Rollup.OutputBundle, end: string): Rollup.OutputAsset | Rollup.OutputChunk {
  const found = Object.values(bundle).filter(({ fileName }) => fileName.endsWith(end))
  const [one] = found
  if (!one || found.length > 1) throw new Error(`The page has ${found.length} files that end in ${end}, not one.`)
  return one
}

function textOf(file: Rollup.OutputAsset | Rollup.OutputChunk): string {
  if (file.type === "chunk") return file.code
  return typeof file.source === "string" ? file.source : new TextDecoder().decode(file.source)
}
