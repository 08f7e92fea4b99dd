/** Groups in the order in which their keys first appear (`Map.groupBy` needs a newer Node). */
export function groupBy<Item, Key>(
  items: Iterable<Item>,
  readKey: (item: Item) => Key,
): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = readKey(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}
