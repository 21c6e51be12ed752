/**
 * In rooms that handle money, numbers have branded types. This check counts the parameters that are still of type `number`, room
 * by room; the counts only fall. A cast with `as never` lets anything pass for anything: no file has one, tests included.
 */
import { isAsExpression, isParameterDeclaration, isUnionTypeNode, SyntaxKind } from 'typescript/unstable/ast'
import type { Node, TypeNode } from 'typescript/unstable/ast'
import { files, text } from './files.ts'
import { isTest } from './layers.ts'
import { eachTree } from './parse.ts'

export type Count = { readonly bareNumbers: number; readonly asNever: number }

/** The exceptions that are left. A commit that removes some lowers the count here. */
const left: Readonly<Record<string, number>> = {
  'core/ledger': 23,
  'core/book': 34,
  'core/risk': 76,
  'core/exchange': 320,
  'core/protocol/codec': 137,
  'core/market-data': 11,
  'server/store/projection': 27,
}

/** One sentence for each count that differs from the table. */
export function brandFaults(): readonly string[] {
  const counts = countsOf(new Map(Object.keys(left).flatMap((room) => sourcesOf(room))))
  return Object.entries(left).flatMap(([room, said]) => {
    let found = 0
    for (const [path, { bareNumbers }] of counts) if (path.startsWith(`${room}/`)) found += bareNumbers
    return faultOf(room, found, said)
  })
}

function faultOf(room: string, found: number, said: number): readonly string[] {
  const what = `${room} has ${found} bare \`number\` parameters`
  if (found > said) return [`${what}, more than the ${said} in tools/tidy/brands.ts: brand the new ones`]
  if (found < said) return [`${what}: lower the count in tools/tidy/brands.ts, which is ${said}`]
  return []
}

/** One sentence for each file with a cast to `never`. Parses only the files that contain these words, which may also be in a text. */
export function neverFaults(): readonly string[] {
  const sources = files(/\.tsx?$/).map((path) => [path, text(path)] as const)
  const counts = countsOf(new Map(sources.filter(([, source]) => /\bas never\b/.test(source))))
  return [...counts]
    .filter(([, { asNever }]) => asNever > 0)
    .map(
      ([path, { asNever }]) => `${path} has ${asNever} \`as never\`: cast to the type that is meant, or use a maker such as \`commandOf\``,
    )
}

function sourcesOf(room: string): readonly (readonly [string, string])[] {
  return files(/\.ts$/)
    .filter((path) => path.startsWith(`${room}/`) && !isTest(path))
    .map((path) => [path, text(path)] as const)
}

/** Counts of each source, by path. */
export function countsOf(sources: ReadonlyMap<string, string>): ReadonlyMap<string, Count> {
  return eachTree(sources, countIn)
}

function countIn(tree: Node): Count {
  let [bareNumbers, asNever] = [0, 0]
  const visit = (node: Node): void => {
    if (isParameterDeclaration(node) && isBareNumber(node.type)) bareNumbers++
    if (isAsExpression(node) && node.type.kind === SyntaxKind.NeverKeyword) asNever++
    node.forEachChild(visit)
  }
  visit(tree)
  return { bareNumbers, asNever }
}

/** Whether the type is `number`, or a union with it. */
function isBareNumber(type: TypeNode | undefined): boolean {
  if (type === undefined) return false
  if (isUnionTypeNode(type)) return type.types.some(isBareNumber)
  return type.kind === SyntaxKind.NumberKeyword
}
