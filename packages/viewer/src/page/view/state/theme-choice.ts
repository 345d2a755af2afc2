import { withStorage } from "./browser-storage.js"

export type Theme = "light" | "dark"

const KEY = "treelog-theme"

/** Dark or light: as in the system until you choose. The choice is stored if the browser allows it; otherwise it lasts as long as the page. */
export class ThemeChoice {
  readonly #system = window.matchMedia("(prefers-color-scheme: dark)")
  #chosen = rememberedTheme()

  constructor() {
    this.#system.addEventListener("change", () => this.#apply())
    this.#apply()
  }

  get theme(): Theme {
    return this.#chosen ?? (this.#system.matches ? "dark" : "light")
  }

  change(): void {
    this.#chosen = this.theme === "dark" ? "light" : "dark"
    withStorage("localStorage", (storage) => storage.setItem(KEY, this.theme))
    this.#apply()
  }

  #apply(): void {
    document.documentElement.dataset.theme = this.theme
  }
}

function rememberedTheme(): Theme | undefined {
  const theme = withStorage("localStorage", (storage) => storage.getItem(KEY))
  return theme === "light" || theme === "dark" ? theme : undefined
}
