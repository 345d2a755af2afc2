import { type AtRule, Declaration, type Plugin, Rule } from "postcss"

/** Rules for the document, which do not apply to a part. */
const DOCUMENT = /^(?:body|#app)\b/

/**
 * Makes the styles of the page those of a part, which is in a shadow tree: the root is the part's element, its variables can be set from
 * outside with `--treelog-` before their names, lengths do not depend on the page's font size, and queries ask for the part's width.
 */
export function partStyles(): Plugin {
  return {
    postcssPlugin: "treelog-part-styles",
    OnceExit(root) {
      root.walkRules((rule) => {
        if (DOCUMENT.test(rule.selector)) rule.remove()
        else if (isRoot(rule)) makeHost(rule)
      })
      // A part inherits no text styles of the page around it.
      root.prepend(new Rule({ selector: ":host", nodes: [new Declaration({ prop: "all", value: "initial" })] }))
      root.walkAtRules("media", widthOfPart)
      root.walkDecls((declaration) => {
        declaration.value = declaration.value.replace(/(-?[\d.]+)rem\b/g, "calc($1 * var(--size))")
      })
    },
  }
}

function isRoot({ selector }: Rule): boolean {
  return /^(?::root|html)\b/.test(selector)
}

function makeHost(rule: Rule): void {
  rule.selector = rule.selector.replace(/^(?::root|html)(\[[^\]]*\])?/, (_, state) =>
    state ? `:host(${state})` : ":host",
  )
  rule.walkDecls(/^--/, (declaration) => {
    declaration.value = `var(--treelog-${declaration.prop.slice(2)}, ${declaration.value})`
  })
}

function widthOfPart(query: AtRule): void {
  const width = /^\((?:max|min)-width: \d+px\)$/.exec(query.params)
  if (!width) return
  query.name = "container"
  query.params = `main ${query.params}`
}
