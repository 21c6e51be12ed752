/** The rooms whose tests are tested by mutants, and which tests each mutant of a room runs against. */
import { files } from '../tidy/files.ts'

export type MutatedRoom = {
  /** A folder with its subfolders, or single files. */
  readonly sources: readonly string[]
  /** Folders among them that are separate rooms. */
  readonly without?: readonly string[]
  /** Test files, or folders with test files. Cheap ones first: a run ends at the first failure. */
  readonly tests: readonly string[]
  /** A run of the tests that takes longer than this counts as failed. */
  readonly limitMs: number
  /** Whether all test files run in one process: for tests shorter than the start of a process. */
  readonly areTestsTogether?: true
  /** Whether its tests use the database, which is then prepared once for all runs. */
  readonly usesDatabase?: true
}

const desks = ['spot', 'perp', 'margin', 'option'].map((desk) => `core/exchange/${desk}`)
const programs = 'server/programs'

/** By name: what `npm run mutate -- NAME` takes. */
export const mutatedRooms: Readonly<Record<string, MutatedRoom>> = {
  'core/money': { sources: ['core/money'], tests: ['core/money'], limitMs: 15_000, areTestsTogether: true },
  'core/ledger': {
    sources: ['core/ledger'],
    tests: ['core/ledger/test/guards.test.ts', 'core/ledger/test/rows.test.ts', 'core/ledger'],
    limitMs: 15_000,
    areTestsTogether: true,
  },
  'core/book': { sources: ['core/book'], tests: ['core/book'], limitMs: 15_000, areTestsTogether: true },
  'core/risk': { sources: ['core/risk'], tests: ['core/risk'], limitMs: 15_000, areTestsTogether: true },
  'core/exchange/spot': { sources: ['core/exchange/spot'], tests: ['core/exchange/test'], limitMs: 180_000 },
  'core/exchange/perp': { sources: ['core/exchange/perp'], tests: ['core/exchange/perp'], limitMs: 180_000 },
  'core/exchange/margin': { sources: ['core/exchange/margin'], tests: ['core/exchange/margin'], limitMs: 180_000 },
  'core/exchange/option': { sources: ['core/exchange/option'], tests: ['core/exchange/option'], limitMs: 180_000 },
  'core/exchange': { sources: ['core/exchange'], without: desks, tests: ['core/exchange/test'], limitMs: 180_000 },
  'server/journal': { sources: ['server/journal'], tests: ['server/journal'], limitMs: 120_000, usesDatabase: true },
  'server/engine': { sources: ['server/engine'], tests: ['server/engine'], limitMs: 240_000, usesDatabase: true },
  'server/identity': { sources: ['server/identity'], tests: ['server/identity'], limitMs: 120_000, usesDatabase: true },
  'programs/auth': {
    sources: ['auth.ts', 'key-ring.ts', 'weights.ts', 'order-counts.ts'].map((name) => `${programs}/${name}`),
    tests: ['auth', 'auth-key', 'auth-socket', 'params', 'limits', 'refused-rate'].map((name) => `${programs}/test/${name}.test.ts`),
    limitMs: 120_000,
    usesDatabase: true,
  },
}

const isBelow = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`)
const isTest = (path: string): boolean => path.endsWith('.test.ts')
const isHelp = (path: string): boolean => path.includes('/test/')

/** The files of a room that are mutated. */
export function sourcesOf({ sources, without = [] }: MutatedRoom): readonly string[] {
  const isOf = (path: string, places: readonly string[]): boolean => places.some((place) => isBelow(path, place))
  return files(/\.ts$/).filter((path) => !isTest(path) && !isHelp(path) && isOf(path, sources) && !isOf(path, without))
}

/** The test files that a mutant of a room runs against, each once, in the order in which the room names them or their folders. */
export function testsOf({ tests }: MutatedRoom): readonly string[] {
  const all = files(/\.test\.ts$/)
  return [...new Set(tests.flatMap((place) => all.filter((path) => isBelow(path, place))))]
}

/** The room that a path belongs to: its name, a folder below it or a file of it. */
export function roomOf(path: string): string | undefined {
  const wanted = path.replace(/\/$/, '')
  if (wanted in mutatedRooms) return wanted
  return Object.keys(mutatedRooms).find((name) => sourcesOf(mutatedRooms[name]!).some((source) => isBelow(source, wanted)))
}
