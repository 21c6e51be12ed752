/**
 * Arguments of a long call are easily mixed up. With more than six parameters, or more than four of one plain type, values travel
 * as a named object. `known.calls` lists the functions that have more, because they run for every order.
 */
import { isFunctionLikeDeclaration } from 'typescript/unstable/ast'
import type { FunctionLikeDeclaration, Node } from 'typescript/unstable/ast'
import { files, text } from './files.ts'
import { known, ratchetFaults } from './known.ts'
import { isTest } from './layers.ts'
import { eachTree } from './parse.ts'

export const parametersMax = 6
export const alikeMax = 4

const zones = /^(core|server|client|web|simulator|tools)\/.*\.tsx?$/
const brand = /\btype (\w+) = Brand</g

/** One sentence for each function with too many parameters, and for each entry of the list that is no longer right. */
export function callFaults(): readonly string[] {
  const paths = files(zones).filter((path) => !isTest(path))
  return ratchetFaults(
    'calls',
    longCalls(new Map(paths.map((path) => [path, text(path)]))),
    known.calls,
    (name, count) => `${name} has ${count} parameters: above ${parametersMax}, or ${alikeMax} of one type, they travel as a named object`,
  )
}

/** Counts of parameters of the functions that have too many, by path and name. */
export function longCalls(sources: ReadonlyMap<string, string>): ReadonlyMap<string, number> {
  const brands = [...sources.values()].flatMap((source) => [...source.matchAll(brand)].map((found) => found[1]!))
  const plain = new Set(['number', 'string', 'boolean', 'bigint', ...brands])
  const found = eachTree(sources, (tree, path) => longIn(tree, sources.get(path)!, plain))
  return new Map([...found].flatMap(([path, counts]) => [...counts].map(([name, count]) => [`${path} ${name}`, count] as const)))
}

function longIn(tree: Node, source: string, plain: ReadonlySet<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const visit = (node: Node): void => {
    if (isFunctionLikeDeclaration(node) && isLong(node, source, plain)) {
      const name = 'name' in node && node.name !== undefined ? textOf(node.name as Node, source) : 'a function without a name'
      counts.set(name, Math.max(counts.get(name) ?? 0, node.parameters.length))
    }
    node.forEachChild(visit)
  }
  visit(tree)
  return counts
}

function isLong({ parameters }: FunctionLikeDeclaration, source: string, plain: ReadonlySet<string>): boolean {
  if (parameters.length > parametersMax) return true
  const alike = new Map<string, number>()
  for (const { type } of parameters) {
    const name = type === undefined ? '' : textOf(type, source)
    if (plain.has(name)) alike.set(name, (alike.get(name) ?? 0) + 1)
  }
  return [...alike.values()].some((count) => count > alikeMax)
}

/** The text of a node without the comments before it. */
function textOf(node: Node, source: string): string {
  const [, found = ''] = /([#\w[\].<>| ]+)$/.exec(source.slice(node.pos, node.end)) ?? []
  return found.trim()
}
