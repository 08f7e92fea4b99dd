import { hashContent } from '@audit-tools/shared/core'

/** Something with a place in the tree of directories and a weight. */
export interface TreeItem {
  /** Segments of the place; equal places keep their given order. */
  readonly place: readonly string[]
  readonly weight: number
}

interface TreeNode<Item> {
  readonly name: string
  /** A hash of the whole place. */
  readonly place: string
  readonly items: Item[]
  readonly children: Map<string, TreeNode<Item>>
  weight: number
}

/**
 * Cuts items into groups of at most `limit`, whole directories where they fit; an item above the limit is a group of
 * its own.
 *
 * Where a cut may fall depends on places alone and is searched from the root down, so that one item's weight decides
 * only about the groups it is in: when it grows, only its own group is cut further; when it shrinks, its group at most
 * takes in whole neighbouring groups. Filling bins one after the other would move every later group instead.
 */
export function cutTree<Item extends TreeItem>(items: readonly Item[], limit: number): Item[][] {
  const groups: Item[][] = []
  const open: TreeNode<Item>[][] = [[buildTree(items)]]
  for (let nodes = open.pop(); nodes !== undefined; nodes = open.pop()) {
    const [first] = nodes
    if (first === undefined) continue
    if (sumWeights(nodes) <= limit) groups.push(nodes.flatMap(listItems))
    else if (nodes.length > 1) open.push(...splitSiblings(nodes))
    else if (first.children.size > 0) open.push(listParts(first))
    else groups.push(...first.items.map((item) => [item]))
  }
  return groups.filter((group) => group.length > 0)
}

function buildTree<Item extends TreeItem>(items: readonly Item[]): TreeNode<Item> {
  const root = createNode<Item>('', '')
  for (const item of items) {
    let node = root
    node.weight += item.weight
    for (const name of item.place) {
      let child = node.children.get(name)
      if (!child) {
        child = createNode(name, `${node.place}/${name}`)
        node.children.set(name, child)
      }
      child.weight += item.weight
      node = child
    }
    node.items.push(item)
  }
  return root
}

function createNode<Item>(name: string, place: string): TreeNode<Item> {
  return { name, place, items: [], children: new Map(), weight: 0 }
}
