/** Adds a value to the list under a key; in place, since lists may grow long. */
export function addToList<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
