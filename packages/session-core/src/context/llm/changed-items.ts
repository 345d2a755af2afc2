/** The changed items, without those that `change` returns undefined for; the list itself if none differs. */
export function changedItems<Item>(items: readonly Item[], change: (item: Item) => Item | undefined): readonly Item[] {
  const changed = items.map(change)
  return changed.every((item, index) => item === items[index]) ? items : changed.filter((item) => item !== undefined)
}
