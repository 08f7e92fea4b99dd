import { compareText, hashContent } from '@audit-tools/shared/core'

/** Something with a place of its own in a tree of names, such as the segments of its path. */
export interface TreeItem {
  readonly place: readonly string[]
  readonly weight: number
}

interface TreeNode<Item> {
  readonly name: string
  /** Orders the places where siblings may be parted: made from the whole place, so that nothing else moves it. */
  readonly rank: string
  readonly children: Map<string, TreeNode<Item>>
  item?: Item
  weight: number
}

/**
 * Cuts items into groups of at most `limit`, whole directories where they fit; an item above the limit is a group of
 * its own. Groups come in the order of their places.
 *
 * Where a cut may fall depends on places alone and is searched from the root down. So one item's weight decides about
 * its own group only: when it grows, that group is cut further; when it shrinks, that group at most takes in whole
 * neighbouring groups. Filling bins one after the other would move every later group instead.
 */
export function cutTree<Item extends TreeItem>(items: readonly Item[], limit: number): Item[][] {
  const groups: Item[][] = []
  const open: TreeNode<Item>[][] = [[buildTree(items)]]
  for (let nodes = open.pop(); nodes !== undefined; nodes = open.pop()) {
    const [first] = nodes
    if (first === undefined) continue
    if (sumWeights(nodes) <= limit || (nodes.length === 1 && first.children.size === 0)) {
      groups.push(nodes.flatMap(listItems))
    } else if (nodes.length > 1) {
      const at = findParting(nodes)
      open.push(nodes.slice(at), nodes.slice(0, at))
    } else {
      open.push(listChildren(first))
    }
  }
  return groups.filter((group) => group.length > 0)
}

function buildTree<Item extends TreeItem>(items: readonly Item[]): TreeNode<Item> {
  const root = createNode<Item>('', '')
  for (const item of items) {
    root.weight += item.weight
    let node = root
    // The last name is empty, so that an item may stand where other items have their directory.
    for (const name of [...item.place, '']) {
      const child = node.children.get(name) ?? createNode<Item>(name, node.rank)
      node.children.set(name, child)
      child.weight += item.weight
      node = child
    }
    node.item = item
  }
  return root
}

function createNode<Item>(name: string, parentRank: string): TreeNode<Item> {
  return { name, rank: hashContent(`${parentRank}/${name}`), children: new Map(), weight: 0 }
}

function sumWeights(nodes: readonly { readonly weight: number }[]): number {
  return nodes.reduce((sum, node) => sum + node.weight, 0)
}

function listChildren<Item>(node: TreeNode<Item>): TreeNode<Item>[] {
  return [...node.children.values()].toSorted((left, right) => compareText(left.name, right.name))
}

function listItems<Item>(node: TreeNode<Item>): Item[] {
  const own = node.item === undefined ? [] : [node.item]
  return [...own, ...listChildren(node).flatMap(listItems)]
}

/** Where to part siblings: `user.ts` and `user.css` stay together longest, all else falls by rank. */
function findParting(nodes: readonly TreeNode<unknown>[]): number {
  let best = { at: 1, key: '' }
  for (const [index, node] of nodes.entries()) {
    const before = nodes[index - 1]
    if (!before) continue
    const key = (stemOf(before.name) === stemOf(node.name) ? '1' : '0') + node.rank
    if (best.key === '' || key < best.key) best = { at: index, key }
  }
  return best.at
}

function stemOf(name: string): string {
  return name.replace(/(?<=.)\..*$/, '')
}
