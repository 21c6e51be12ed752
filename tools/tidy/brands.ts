/**
 * In rooms that handle money, numbers have branded types. This check counts the exceptions room by room: parameters of type `number`,
 * and casts with `as never`, which let any number pass for any other. The counts only fall.
 */
import { createVirtualFileSystem } from 'typescript/unstable/fs'
import { API } from 'typescript/unstable/sync'
import { isAsExpression, isParameterDeclaration, isUnionTypeNode, SyntaxKind } from 'typescript/unstable/ast'
import type { Node, TypeNode } from 'typescript/unstable/ast'
import { files, text } from './files.ts'
import { isTest } from './layers.ts'

export type Count = { readonly bareNumbers: number; readonly asNever: number }

/** The exceptions that are left. A commit that removes some lowers the count here. */
const left: Readonly<Record<string, Count>> = {
  'core/ledger': { bareNumbers: 23, asNever: 0 },
  'core/book': { bareNumbers: 36, asNever: 0 },
  'core/risk': { bareNumbers: 73, asNever: 0 },
  'core/exchange': { bareNumbers: 370, asNever: 0 },
  'core/protocol/codec': { bareNumbers: 149, asNever: 0 },
  'core/market-data': { bareNumbers: 32, asNever: 0 },
  'server/store/projection': { bareNumbers: 108, asNever: 0 },
}

const config = '/tsconfig.json'

/** One sentence for each count that differs from the table. */
export function brandFaults(): readonly string[] {
  const counts = countsOf(new Map(Object.keys(left).flatMap((room) => sourcesOf(room))))
  return Object.entries(left).flatMap(([room, said]) => {
    const found = { bareNumbers: 0, asNever: 0 }
    for (const [path, count] of counts) {
      if (!path.startsWith(`${room}/`)) continue
      found.bareNumbers += count.bareNumbers
      found.asNever += count.asNever
    }
    return [
      ...faultOf(room, 'bare `number` parameters', found.bareNumbers, said.bareNumbers),
      ...faultOf(room, '`as never`', found.asNever, said.asNever),
    ]
  })
}

function faultOf(room: string, what: string, found: number, said: number): readonly string[] {
  if (found > said) return [`${room} has ${found} ${what}, more than the ${said} of tools/tidy/brands.ts: give the new ones a brand`]
  if (found < said) return [`${room} has ${found} ${what}: write that into tools/tidy/brands.ts, which says ${said}`]
  return []
}

function sourcesOf(room: string): readonly (readonly [string, string])[] {
  return files(/\.ts$/)
    .filter((path) => path.startsWith(`${room}/`) && !isTest(path))
    .map((path) => [path, text(path)] as const)
}

/** Counts of each source, by path. The compiler parses them without following imports. */
export function countsOf(sources: ReadonlyMap<string, string>): ReadonlyMap<string, Count> {
  const paths = [...sources.keys()]
  const options = { noResolve: true, noLib: true, types: [], allowImportingTsExtensions: true, noEmit: true }
  const disk: Record<string, string> = { [config]: JSON.stringify({ compilerOptions: options, files: paths }) }
  for (const [path, source] of sources) disk[`/${path}`] = source
  const api = new API({ cwd: '/', fs: createVirtualFileSystem(disk) })
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
    return new Map(paths.map((path) => [path, countIn(project?.program.getSourceFile(`/${path}`), path)]))
  } finally {
    api.close()
  }
}

function countIn(source: Node | undefined, path: string): Count {
  if (source === undefined) throw new Error(`the compiler has not parsed ${path}`)
  let [bareNumbers, asNever] = [0, 0]
  const visit = (node: Node): void => {
    if (isParameterDeclaration(node) && isBareNumber(node.type)) bareNumbers++
    if (isAsExpression(node) && node.type.kind === SyntaxKind.NeverKeyword) asNever++
    node.forEachChild(visit)
  }
  visit(source)
  return { bareNumbers, asNever }
}

/** Whether the type is `number`, or a union with it. */
function isBareNumber(type: TypeNode | undefined): boolean {
  if (type === undefined) return false
  if (isUnionTypeNode(type)) return type.types.some(isBareNumber)
  return type.kind === SyntaxKind.NumberKeyword
}
