/**
 * Test files that share a process. Each process loads and compiles what it tests: for a file with a whole exchange that takes longer than
 * most of its tests. Files of a group run one after the other, each as a suite of its own, so that its hooks are its own, too.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
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
function needsProcess(path: string): boolean {
  const text = readFileSync(join(root, path), 'utf8')
  return path.startsWith('server/chains/') || isAlone.test(text) || helpersOf(path, text).some((helper) => hasHooks.test(helper))
}

/** A process loads a helper once, so that its hooks would run for the first of the files that import it alone. */
const hasHooks = /^(before|after)\(/m

/** The texts of files of the same folder that a test imports. */
function helpersOf(path: string, text: string): readonly string[] {
  return [...text.matchAll(/ from '\.\/([\w-]+\.ts)'/g)].map(([, name = '']) => readFileSync(join(root, dirname(path), name), 'utf8'))
}

function textOf(paths: readonly string[]): string {
  const files = paths.map((path) => [path, join(root, path)])
  const seed = paths.some((path) => readFileSync(join(root, path), 'utf8').includes("from 'fast-check'"))
  return `import { describe } from 'node:test'
${seed ? `await import(${JSON.stringify(join(root, 'tools', 'property-seed.ts'))})\n` : ''}for (const [name, file] of ${JSON.stringify(files)}) await describe(name, async () => void (await import(file)))
`
}
