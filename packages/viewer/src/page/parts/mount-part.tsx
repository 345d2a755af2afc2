/// <reference types="vite/client" />
import { type ComponentChild, render } from "preact"
import css from "./part.css?inline"
import type { Part, PartOptions } from "./part.js"

/** The element of each part. No style sheet of the page has rules for it, unless they are for parts. */
const ELEMENT = "treelog-part"

let sheet: CSSStyleSheet | undefined

/**
 * Shows a part at the end of an element, in a shadow tree: no style of the page applies in it, and none of its own outside. The style
 * sheet is made by script, which a content security policy allows without `unsafe-inline`.
 * @param name for style sheets, as `[data-part]`
 * @throws TypeError for no element, which `querySelector` may return
 */
export function mountPart(
  place: Element,
  name: string,
  options: PartOptions,
  content: ComponentChild,
): Part<PartOptions> {
  if (!place) throw new TypeError("A part is shown in an element of the page: there is none.")
  const host = document.createElement(ELEMENT)
  host.dataset.part = name
  const root = host.attachShadow({ mode: "open" })
  root.adoptedStyleSheets = [partSheet()]
  const system = matchMedia("(prefers-color-scheme: dark)")
  let { theme } = options
  const applyTheme = (): void => {
    host.dataset.theme = theme ?? (system.matches ? "dark" : "light")
  }
  system.addEventListener("change", applyTheme)
  applyTheme()
  place.append(host)
  render(content, root)
  return {
    update(changes) {
      if ("theme" in changes) theme = changes.theme
      applyTheme()
    },
    close() {
      system.removeEventListener("change", applyTheme)
      render(null, root)
      host.remove()
    },
  }
}

function partSheet(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
  }
  return sheet
}
