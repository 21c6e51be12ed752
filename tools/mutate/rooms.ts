/** The rooms that are mutated, and the tests that each mutant runs against. */
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
  /** Whether the tests know no disk, network or clock, so that one process runs them for all mutants: see `runner.ts`. */
  readonly isPure?: true
  /** Whether its tests use the database, which is then prepared once for all runs. */
  readonly usesDatabase?: true
  /** Sources that few quick tests cover: their mutants run against these alone, in one process. */
  readonly direct?: readonly DirectTests[]
}
export type DirectTests = {
  readonly sources: readonly string[]
  readonly tests: readonly string[]
  /** Whether one process runs them for all mutants: see `runner.ts`. */
  readonly isInOneProcess?: true
  /** Instead of `directLimitMs`, for sources many of whose mutants make the tests wait for ever. */
  readonly limitMs?: number
}

/** A run of direct tests that takes longer than this counts as failed. */
const directLimitMs = 10_000
/** The same for tests that take few seconds in all. */
const shortLimitMs = 3_000

const desks = ['spot', 'perp', 'margin', 'option'].map((desk) => `core/exchange/${desk}`)
const programs = 'server/programs'

/** `direct('server/x', 'a b', 'b test/c')`: the sources `a.ts` and `b.ts` by the tests `b.test.ts` and `test/c.test.ts`. */
function direct(folder: string, sources: string, tests: string): DirectTests {
  const named = (names: string, ending: string): readonly string[] => names.split(' ').map((name) => `${folder}/${name}${ending}`)
  return { sources: named(sources, '.ts'), tests: named(tests, '.test.ts') }
}

/** The same, and one process runs the tests for all mutants. They clean up after themselves. */
function quick(folder: string, sources: string, tests: string): DirectTests {
  return { ...direct(folder, sources, tests), isInOneProcess: true }
}

/** With a shorter limit. */
function short(group: DirectTests): DirectTests {
  return { ...group, limitMs: shortLimitMs }
}

/** `testsIn('core/x', 'a b')`: the test files `a.test.ts` and `b.test.ts` in `core/x/test`. */
function testsIn(folder: string, names: string): readonly string[] {
  return names.split(' ').map((name) => `${folder}/test/${name}.test.ts`)
}

/** Rooms by the name that `npm run mutate -- NAME` takes. */
export const mutatedRooms: Readonly<Record<string, MutatedRoom>> = {
  'core/money': { sources: ['core/money'], tests: ['core/money'], limitMs: 10_000, isPure: true },
  'core/ledger': {
    sources: ['core/ledger'],
    tests: ['core/ledger/test/guards.test.ts', 'core/ledger/test/rows.test.ts', 'core/ledger'],
    limitMs: 10_000,
    isPure: true,
    // The other tests of the ledger play random commands for seconds.
    direct: [
      direct('core/ledger', 'blocks directories', 'test/blocks test/directories test/rows'),
      direct('core/ledger', 'dump ledger', 'test/guards test/rows test/ledger'),
    ],
  },
  'core/book': { sources: ['core/book'], tests: ['core/book'], limitMs: 10_000, isPure: true },
  'core/risk': { sources: ['core/risk'], tests: ['core/risk'], limitMs: 10_000, isPure: true },
  // Without the tests of random commands, which take seconds each: a mutant that survives runs every test.
  'core/exchange/spot': {
    sources: ['core/exchange/spot'],
    // Spot handles the orders of margin accounts too.
    tests: [
      ...testsIn(
        'core/exchange',
        'endings edges funds halt limit market mode orders protection refused settle triggers wakes wash full migration',
      ),
      ...testsIn('core/exchange', 'margin-orders margin-apart'),
      ...testsIn('core/exchange/margin', 'orders lists outage loans liquidation resting levels'),
      ...testsIn('core/exchange/perp', 'orders sleeping'),
    ],
    limitMs: 10_000,
    isPure: true,
  },
  'core/exchange/perp': {
    sources: ['core/exchange/perp'],
    tests: [
      ...testsIn(
        'core/exchange/perp',
        'records premium marking state dump views listing find placing waking amending settings carry caps fills dues beside gates queue look queued rules needs positions opening orders asleep sleepers exits liquidation paging steps shorts funding fund sleeping outage attack extreme restored watch',
      ),
      'core/exchange/user/test/region.test.ts',
    ],
    limitMs: 10_000,
    isPure: true,
    direct: [
      short(direct('core/exchange', 'perp/dump', 'perp/test/dump perp/test/restored test/migration')),
      direct('core/exchange/perp', 'records/premium', 'test/premium'),
      direct(
        'core/exchange/perp',
        'records/basis records/calm records/inventory records/ranking records/round records/smallest records/turnover records/upgrade',
        'test/records',
      ),
      direct('core/exchange/perp', 'records/held-orders records/state', 'test/state test/records test/ticks test/dump'),
      direct('core/exchange/perp', 'balance view', 'test/views'),
      direct('core/exchange/perp', 'tick', 'test/views test/ticks'),
      direct('core/exchange/perp', 'mark', 'test/marking test/ticks'),
      direct(
        'core/exchange/perp',
        'desk handlers/cancel handlers/find handlers/transfer',
        'test/find test/ticks test/attack test/positions',
      ),
      direct('core/exchange/perp', 'handlers/list', 'test/listing test/positions test/orders test/funding'),
      direct(
        'core/exchange',
        'perp/handlers/adjust-margin perp/handlers/reverse perp/handlers/settings',
        'perp/test/changing perp/test/settings perp/test/positions perp/test/restored perp/test/orders user/test/region',
      ),
      direct('core/exchange/perp', 'handlers/amend', 'test/amending test/orders'),
      direct(
        'core/exchange/perp',
        'handlers/place handlers/place-sleeping',
        'test/placing test/orders test/positions test/exits test/opening test/waking test/sleeping test/paging',
      ),
      direct('core/exchange/perp', 'handlers/wake', 'test/waking test/sleeping test/sleepers test/outage test/attack'),
    ],
  },
  'core/exchange/margin': {
    sources: ['core/exchange/margin'],
    tests: [
      ...testsIn(
        'core/exchange/margin',
        'records values prices caps take-over routes steps chosen held doors pools loans orders resting liquidation rate lending earning transfers levels lists terms outage attack paging engines desk order-loans',
      ),
      'core/exchange/user/test/region.test.ts',
    ],
    limitMs: 10_000,
    isPure: true,
    direct: [
      direct('core/exchange/margin', 'views', 'test/views test/transfers test/engines test/earning'),
      direct('core/exchange/margin', 'balance', 'test/balance'),
      direct('core/exchange/margin', 'records/key-line', 'test/key-line'),
      short(direct('core/exchange', 'margin/dump', 'margin/test/dump test/migration')),
      direct('core/exchange/margin', 'tick', 'test/ticks test/pools'),
    ],
  },
  'core/exchange/option': {
    sources: ['core/exchange/option'],
    tests: [
      ...testsIn('core/exchange/option', 'dump bounds settle doors life rules caps fair operate tape'),
      'core/exchange/test/migration.test.ts',
      'core/exchange/user/test/region.test.ts',
    ],
    limitMs: 10_000,
    isPure: true,
  },
  'core/exchange': {
    sources: ['core/exchange'],
    without: desks,
    tests: [
      'core/exchange/user',
      'core/exchange/state',
      ...testsIn(
        'core/exchange',
        'funds halt limit listing market mode orders protection quotes triggers views wakes wash dump full migration requests request-places ahead read-ahead',
      ),
      ...testsIn('core/exchange/perp', 'restored exits funding'),
      ...testsIn('core/exchange/margin', 'engines loans transfers'),
      ...testsIn('core/exchange/option', 'life rules'),
    ],
    limitMs: 10_000,
    isPure: true,
    direct: [
      direct('core/exchange', 'funds/faucet funds/system', 'test/funds test/mode'),
      direct('core/exchange', 'joint/certify joint/house user/open user/set', 'test/funds test/views user/test/region test/full'),
      direct('core/exchange', 'user/locate user/operate-region state/ceiling', 'user/test/region'),
      direct('core/exchange', 'state/mode', 'test/mode test/dump'),
      direct('core/exchange', 'state/reach', 'test/triggers test/halt'),
      direct('core/exchange', 'state/room', 'state/test/state test/full'),
      direct('core/exchange', 'state/state', 'state/test/state test/funds test/exchange'),
      direct('core/exchange', 'joint/transfer', 'test/funds margin/test/transfers margin/test/levels perp/test/positions perp/test/attack'),
      direct('core/exchange', 'joint/index-tick', 'test/quotes test/halt perp/test/marking margin/test/levels'),
      direct('core/exchange', 'joint/clock-tick', 'test/views test/protection perp/test/funding margin/test/rate'),
      direct('core/exchange', 'ahead', 'test/read-ahead'),
      direct('core/exchange', 'order-view', 'test/views'),
      direct(
        'core/exchange',
        'dump dump-orders',
        'test/dump test/views test/migration test/margin-orders perp/test/restored margin/test/dump option/test/dump',
      ),
      direct('core/exchange', 'handlers', 'state/test/state test/exchange'),
      direct(
        'core/exchange',
        'exchange',
        'test/exchange test/views test/funds test/mode test/triggers test/halt test/quotes test/expect test/migration margin/test/loans test/margin-orders margin/test/liquidation test/full',
      ),
      direct('core/exchange/records', 'average phase', 'test/average test/phase'),
      direct('core/exchange/records', 'retries wakes', 'test/turns'),
      direct('core/exchange/records', 'user-facts volumes', 'test/user-facts test/volumes'),
      direct('core/exchange/records', 'venue slots', 'test/venue'),
      direct('core/exchange/requests', 'expected hash users', 'test/hash test/users'),
      direct('core/exchange/requests', 'hash-index', 'test/hash-growth test/hash-index'),
      direct('core/exchange/requests', 'dump kept requests', 'test/memory test/sweep-steps'),
      direct('core/exchange/requests', 'entry expected-fields', 'test/memory'),
      direct('core/exchange', 'requests/places', 'test/request-places'),
      direct('core/exchange', 'market/compose market/quotes', 'test/quotes'),
      {
        sources: ['market/list', 'market/list-asset', 'market/set-fees', 'joint/set-market'].map((name) => `core/exchange/${name}.ts`),
        tests: [...testsIn('core/exchange', 'listing market halt'), ...testsIn('core/exchange/margin', 'outage')],
      },
    ],
  },
  'server/journal': {
    sources: ['server/journal'],
    tests: ['server/journal'],
    limitMs: 120_000,
    usesDatabase: true,
    direct: [
      quick('server/journal', 'payload row fault', 'payload'),
      quick('server/journal', 'read copy-out', 'test/read'),
      quick('server/journal', 'replay mode snapshots recover upgrade secret', 'test/stored'),
      quick('server/journal', 'append connection leadership', 'test/append test/journal'),
      quick('server/journal', 'witness witness-peers', 'test/witness'),
      quick('server/journal', 'witness-file', 'test/witness-file'),
      quick('server/journal', 'audit-tables audit-trades', 'test/audit-sums'),
      quick('server/journal', 'audit-shadow', 'test/audit-shadow'),
      quick('server/journal', 'audit', 'test/audit-report'),
    ],
  },
  'server/engine': {
    sources: ['server/engine'],
    tests: ['server/engine'],
    limitMs: 240_000,
    usesDatabase: true,
    direct: [
      quick('server/engine', 'inbox batch', 'inbox'),
      quick('server/engine', 'recent hub', 'recent'),
      quick('server/engine', 'sequencer head-teller', 'sequencer'),
      quick('server/engine', 'requests waiters', 'test/requests'),
      quick('server/engine', 'turns', 'test/turns'),
      quick('server/engine', 'frames outcomes releases condition questions', 'test/parts'),
      quick('server/engine', 'leftovers silence disk', 'test/clocks'),
      short(quick('server/engine', 'connect-link serve-link', 'test/wire test/link-ends')),
      quick('server/engine', 'link-path local-link', 'test/local'),
      quick('server/engine', 'leader/lead', 'test/lead leader/test/standby'),
      quick('server/engine', 'leader/standby leader/replica leader/patience', 'leader/test/standby'),
      quick('server/engine', 'leader/lease leader/lease-watch', 'leader/test/lease'),
      quick('server/engine', 'engine', 'test/commits test/ends test/due test/lead'),
    ],
  },
  'server/identity': {
    sources: ['server/identity'],
    tests: ['server/identity'],
    limitMs: 120_000,
    usesDatabase: true,
    direct: [
      quick('server/identity', 'address', 'address'),
      quick('server/identity', 'gates/agreement', 'gates/agreement'),
      quick('server/identity', 'password common-passwords device', 'password'),
      quick('server/identity', 'argon', 'password test/argon'),
      quick('server/identity', 'turns', 'test/turns'),
      quick('server/identity', 'key-terms', 'key-terms'),
      quick('server/identity', 'keys', 'test/key-records test/keys'),
      quick('server/identity', 'devices', 'devices'),
      quick('server/identity', 'sessions', 'test/sessions'),
      quick('server/identity', 'codes', 'test/codes'),
      quick('server/identity', 'tries line', 'test/tries'),
      quick('server/identity', 'passwords', 'test/passwords'),
      quick('server/identity', 'accounts profiles audit', 'test/accounts'),
      quick('server/identity', 'outgoing', 'test/outgoing'),
      quick('server/identity', 'prune', 'test/prune'),
      quick('server/identity', 'identity', 'test/identity test/resets'),
      quick('server/identity', 'secret seal server-keys', 'secrets'),
      quick('server/identity', 'factors/logins', 'factors/test/factors factors/test/proofs factors/test/attacks test/identity'),
      quick(
        'server/identity/factors',
        'authenticators factors login-steps passkeys phrases policy recovery',
        'test/factors test/proofs test/attacks test/passkeys test/changes',
      ),
    ],
  },
  'programs/auth': {
    sources: ['auth.ts', 'key-ring.ts', 'weights.ts', 'order-counts.ts'].map((name) => `${programs}/${name}`),
    tests: ['auth', 'auth-key', 'auth-socket', 'params', 'limits', 'refused-rate'].map((name) => `${programs}/test/${name}.test.ts`),
    limitMs: 120_000,
    usesDatabase: true,
    direct: [
      quick(programs, 'auth key-ring', 'test/key-ring test/order-rate test/auth-key test/auth-socket test/auth'),
      quick(programs, 'weights order-counts', 'test/limits'),
    ],
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

/** Sources whose mutants run against the same test files, each once, in the order in which the room names them or their folders. */
export type Group = {
  readonly sources: readonly string[]
  readonly tests: readonly string[]
  readonly limitMs: number
  readonly areTestsTogether: boolean
  readonly isPure: boolean
  readonly isInOneProcess: boolean
}

/** The sources, grouped by the tests that they run against. */
export function groupsOf(room: MutatedRoom, sources: readonly string[]): readonly Group[] {
  const { tests, limitMs, isPure = false, direct: few = [] } = room
  const all = files(/\.test\.ts$/)
  const found = (places: readonly string[]): readonly string[] => [
    ...new Set(places.flatMap((place) => all.filter((path) => isBelow(path, place)))),
  ]
  const rest = sources.filter((path) => !few.some((group) => group.sources.includes(path)))
  const groups: readonly Group[] = [
    ...few.map((group) => ({
      sources: sources.filter((path) => group.sources.includes(path)),
      tests: found(group.tests),
      limitMs: group.limitMs ?? directLimitMs,
      areTestsTogether: true,
      isPure,
      isInOneProcess: isPure || group.isInOneProcess === true,
    })),
    { sources: rest, tests: found(tests), limitMs, areTestsTogether: false, isPure, isInOneProcess: isPure },
  ]
  return groups.filter((group) => group.sources.length > 0)
}

/** The room that a path belongs to: its name, a folder below it or a file of it. */
export function roomOf(path: string): string | undefined {
  const wanted = path.replace(/\/$/, '')
  if (wanted in mutatedRooms) return wanted
  return Object.keys(mutatedRooms).find((name) => sourcesOf(mutatedRooms[name]!).some((source) => isBelow(source, wanted)))
}
