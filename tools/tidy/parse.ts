/** Syntax trees of sources. The compiler parses them in memory and looks at nothing that they import. */
import { createVirtualFileSystem } from 'typescript/unstable/fs'
import { API } from 'typescript/unstable/sync'
import type { Node } from 'typescript/unstable/ast'

const config = '/tsconfig.json'

/** What `use` makes of each source's tree, by path. The trees are gone afterwards. */
export function eachTree<T>(sources: ReadonlyMap<string, string>, use: (tree: Node, path: string) => T): ReadonlyMap<string, T> {
  const paths = [...sources.keys()]
  const options = { noResolve: true, noLib: true, types: [], jsx: 'preserve', allowImportingTsExtensions: true, noEmit: true }
  const disk: Record<string, string> = { [config]: JSON.stringify({ compilerOptions: options, files: paths }) }
  for (const [path, source] of sources) disk[`/${path}`] = source
  const api = new API({ cwd: '/', fs: createVirtualFileSystem(disk) })
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
    return new Map(
      paths.map((path) => {
        const tree = project?.program.getSourceFile(`/${path}`)
        if (tree === undefined) throw new Error(`the compiler has not parsed ${path}`)
        return [path, use(tree, path)]
      }),
    )
  } finally {
    api.close()
  }
}
