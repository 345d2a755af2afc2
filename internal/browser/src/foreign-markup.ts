import type { Page } from "playwright-core"

/** Elements and attributes in the page that it never makes itself: stored text became markup. */
export function foreignMarkupIn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const own =
      "a,article,aside,bdi,blockquote,br,button,code,dd,del,dialog,div,dl,dt,em,fieldset,figcaption,figure,h1,h2,h3,h4,h5,h6," +
      "header,hr,img,input,kbd,label,li,main,mark,nav,ol,option,p,pre,search,section,select,small,span,strong,table,tbody,td,th," +
      "thead,time,tr,ul,svg,g,path,circle,rect,text"
    const app = document.getElementById("app")
    const found = [...document.querySelectorAll(`#app :not(${own})`)].map(({ outerHTML }) => `element ${outerHTML}`)
    const attributes = document.evaluate(
      "//*[@id='app']//@*[starts-with(name(), 'on') or name() = 'srcdoc' or name() = 'action']",
      document,
    )
    for (let attribute = attributes.iterateNext(); attribute; attribute = attributes.iterateNext())
      found.push(`attribute ${attribute.nodeName}=${attribute.nodeValue}`)
    const valuesOf = (name: string): (string | null)[] =>
      [...document.querySelectorAll(`#app [${name}]`)].map((element) => element.getAttribute(name))
    for (const href of valuesOf("href"))
      if (!/^(?:#|https?:\/\/|mailto:|open\/|data:text\/csv;)/.test(href ?? "")) found.push(`link ${href}`)
    for (const src of valuesOf("src"))
      if (!/^data:image\/(?:png|jpeg|gif|webp|avif|bmp);base64,/.test(src ?? "")) found.push(`source ${src}`)
    // Nothing that turns the reading direction, or is no character, is in any text of the page.
    const text = app?.textContent ?? ""
    // biome-ignore lint/suspicious/noControlCharactersInRegex: They are what is looked for.
    const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/.exec(text)
    if (controls) found.push(`control character ${controls[0].charCodeAt(0).toString(16)}`)
    return [...new Set(found)].map((stranger) => stranger.slice(0, 300))
  })
}
