import type { Page } from "playwright-core"

/** Elements and attributes in the page that it never makes itself: somebody's text became markup. */
export function strangersIn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const own = new Set([
      ...[
        "A",
        "ARTICLE",
        "ASIDE",
        "BDI",
        "BLOCKQUOTE",
        "BR",
        "BUTTON",
        "CODE",
        "DD",
        "DEL",
        "DIALOG",
        "DIV",
        "DL",
        "DT",
      ],
      ...["EM", "FIELDSET", "FIGCAPTION", "FIGURE", "H1", "H2", "H3", "H4", "H5", "H6", "HEADER", "HR", "IMG", "INPUT"],
      ...[
        "KBD",
        "LABEL",
        "LI",
        "MAIN",
        "MARK",
        "NAV",
        "OL",
        "OPTION",
        "P",
        "PRE",
        "SEARCH",
        "SECTION",
        "SELECT",
        "SPAN",
      ],
      ...["STRONG", "TABLE", "TBODY", "TD", "TH", "THEAD", "TIME", "TR", "UL", "svg", "path", "circle", "rect"],
    ])
    const found: string[] = []
    for (const element of document.querySelectorAll("#app *")) {
      if (!own.has(element.tagName)) found.push(`element ${element.outerHTML.slice(0, 200)}`)
      for (const { name, value } of element.attributes) {
        if (/^on/i.test(name) || name === "srcdoc" || name === "action") found.push(`attribute ${name}=${value}`)
        if (name === "href" && !/^(?:#|https?:\/\/|mailto:)/.test(value)) found.push(`link ${value}`)
        if (name === "src" && !/^data:image\/(?:png|jpeg|gif|webp|avif|bmp);base64,/.test(value))
          found.push(`source ${value}`)
      }
    }
    // Nothing that turns the reading direction, or is no character, is in any text of the page.
    const text = document.getElementById("app")?.textContent ?? ""
    // biome-ignore lint/suspicious/noControlCharactersInRegex: They are what is looked for.
    const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/.exec(text)
    if (controls) found.push(`control character ${controls[0].charCodeAt(0).toString(16)}`)
    return [...new Set(found)]
  })
}
