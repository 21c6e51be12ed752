/**
 * Test files that share a process. Each process loads and compiles what it tests: for a file with a whole exchange that takes longer than
 * most of its tests. Files of a group run one after the other, each as a suite of its own, so that its hooks are its own, too.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './tidy/files.ts'

/** What a process does for all its files: such a file has one of its own. */
const isAlone = /process\.(exit|env\b|on\(|once\(|chdir)|memoryUsage|totalmem|\bgc\(|globalThis|mock\.(timers|method|module)|setDefault/

export type Groups = Disposable & {
  /** Paths of files to run: groups of at most `size` paths, then those that need a process of their own. */
  of(paths: readonly string[], size: number): readonly string[]
}

/** `paths` are relative to the repository. Disposing removes the files that stand for groups. */
export function testGroups(): Groups {
  const folder = mkdtempSync(join(tmpdir(), 'candor-groups-'))
  const write = (paths: readonly string[]): string => {
    if (paths.length === 1) return paths[0]!
    // The name is printed when a group does not end.
    const file = join(folder, `${paths[0]!.replaceAll('/', '-').replace('.test.ts', '')}-and-${paths.length - 1}-more.test.mjs`)
    writeFileSync(file, textOf(paths))
    return file
  }
  return {
    of(paths, size) {
      const [alone, shared] = [paths.filter(needsProcess), paths.filter((path) => !needsProcess(path))]
      const groups = Array.from({ length: Math.ceil(shared.length / size) }, (_, n) => shared.slice(n * size, (n + 1) * size))
      return [...groups.map(write), ...alone]
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Tests of chains count what nodes and signers of their process do. */
const needsProcess = (path: string): boolean => path.startsWith('server/chains/') || isAlone.test(readFileSync(join(root, path), 'utf8'))

function textOf(paths: readonly string[]): string {
  const files = paths.map((path) => [path, join(root, path)])
  const seed = paths.some((path) => readFileSync(join(root, path), 'utf8').includes("from 'fast-check'"))
  return `import { describe } from 'node:test'
${seed ? `await import(${JSON.stringify(join(root, 'tools', 'property-seed.ts'))})\n` : ''}for (const [name, file] of ${JSON.stringify(files)}) await describe(name, async () => void (await import(file)))
`
}
