/** Limits the size of folders, files and functions. Printed files and texts don't count. */
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { files, root, text } from './files.ts'
import { known, ratchetFaults } from './known.ts'
import { isTest } from './layers.ts'

export const sourcesMax = 25
export const linesMax = 400
export const functionLinesMax = 80

const above = (sizes: ReadonlyMap<string, number>, most: number): ReadonlyMap<string, number> =>
  new Map([...sizes].filter(([, size]) => size > most))

const measured = (path: string): boolean => !path.includes('/texts/') && !path.includes('/printed/')

/** Folders with too many sources. Tests don't count, nor do migrations, which are a numbered list. */
export function folderFaults(): readonly string[] {
  const counts = new Map<string, number>()
  for (const path of files(/\.tsx?$/).filter((each) => measured(each) && !isTest(each))) {
    const folder = dirname(path)
    if (folder !== 'server/store/migrations') counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return ratchetFaults(
    'folders',
    above(counts, sourcesMax),
    known.folders,
    (path, count) => `${path} has ${count} sources, more than ${sourcesMax}: give it inner rooms`,
  )
}

/** Files with too many lines, tests among them. */
export function fileFaults(): readonly string[] {
  const lengths = new Map<string, number>()
  for (const path of files(/\.(ts|tsx|css)$/).filter(measured)) lengths.set(path, text(path).split('\n').length - 1)
  return ratchetFaults('files', above(lengths, linesMax), known.files, (path, lines) => `${path} has ${lines} lines, more than ${linesMax}`)
}

/** Functions with too many lines, as measured by the linter. */
export function functionFaults(): readonly string[] {
  const lengths = new Map<string, number>()
  const paths = new Map<string, string>()
  for (const { filename: path, message } of measuredFunctions()) {
    if (isTest(path) || !measured(path)) continue
    const name = /`(.*)` has too many lines/.exec(message)?.[1] ?? `a function without a name in ${path}`
    const lines = Number(/too many lines \((\d+)\)/.exec(message)?.[1])
    lengths.set(name, Math.max(lengths.get(name) ?? 0, lines))
    paths.set(name, path)
  }
  return ratchetFaults(
    'functions',
    lengths,
    known.functions,
    (name, lines) => `${name} in ${paths.get(name)} has ${lines} lines, more than ${functionLinesMax}`,
  )
}

type Diagnostic = { readonly filename: string; readonly message: string }

function measuredFunctions(): readonly Diagnostic[] {
  const config = join(import.meta.dirname, 'functions.json')
  const zones = ['core', 'server', 'client', 'web', 'simulator', 'tools']
  const linted = spawnSync(join(root, 'node_modules', '.bin', 'oxlint'), ['-c', config, '-f', 'json', ...zones], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  return (JSON.parse(linted.stdout) as { readonly diagnostics: readonly Diagnostic[] }).diagnostics
}
