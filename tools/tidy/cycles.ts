/**
 * Finds files that import each other's values in a circle: there, the order of execution decides what each file sees. Types don't
 * count, because they don't exist at run time, and neither do dynamic imports.
 */
import { files } from './files.ts'
import { known, ratchetFaults } from './known.ts'
import { importsOf, isTest } from './layers.ts'

/** One sentence for each group of files that import each other's values in a circle. */
export function cycleFaults(): readonly string[] {
  const paths = files(/^(core|server|client|web|console|simulator|tools)\/.*\.tsx?$/).filter((path) => !isTest(path))
  const sources = new Set(paths)
  const imports = new Map<string, readonly string[]>()
  for (const path of paths) {
    const targets = importsOf(path).filter(({ target, isType, isLate }) => !isType && !isLate && sources.has(target))
    imports.set(
      path,
      targets.map(({ target }) => target),
    )
  }
  const found = new Map(circlesOf(imports).map((circle) => [circle.join(' ↔ '), circle.length]))
  return ratchetFaults('cycles', found, known.cycles, (circle) => `${circle} import each other's values`)
}

/**
 * Groups of nodes that reach each other, and nodes that reach themselves (Tarjan). Each group and the list are sorted.
 * `edges` names every node that occurs.
 */
export function circlesOf(edges: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const entered = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const circles: string[][] = []

  const visit = (node: string): void => {
    entered.set(node, entered.size)
    lowest.set(node, entered.get(node)!)
    const place = stack.push(node) - 1
    for (const next of edges.get(node) ?? []) {
      if (!entered.has(next)) visit(next)
      if (stack.includes(next)) lowest.set(node, Math.min(lowest.get(node)!, lowest.get(next)!))
    }
    if (lowest.get(node) !== entered.get(node)) return
    const group = stack.splice(place)
    if (group.length > 1 || edges.get(node)?.includes(node)) circles.push(group.sort())
  }
  for (const node of edges.keys()) if (!entered.has(node)) visit(node)
  return circles.sort((a, b) => (a.join() < b.join() ? -1 : 1))
}
