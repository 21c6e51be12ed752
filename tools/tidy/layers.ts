/**
 * The house plan. Imports go down only: a room imports rooms with a lower number in its own workspace, and of other
 * workspaces what `sees` allows. Products (columns) never import each other. `docs/ARCHITECTURE.md` prints this table.
 */
import { dirname, join, normalize } from 'node:path'
import { files, text } from './files.ts'

type Room = { readonly path: string; readonly layer: number; readonly what: string }

export const rooms: readonly Room[] = [
  { path: 'core/compiler-flags.ts', layer: 0, what: 'flags for the JavaScript engine of a process that runs the core' },
  { path: 'core/money', layer: 0, what: 'units, scales, strict parse and print, mulDiv with named rounding' },
  {
    path: 'core/protocol',
    layer: 1,
    what: 'ids, markets, commands, events, the refusal catalogue, the binary codec, the ports, wire types',
  },
  { path: 'core/ledger', layer: 2, what: 'chart of accounts, postings, holds, trial balance' },
  { path: 'core/book', layer: 2, what: 'price-time order book, triggers, self-trade prevention' },
  { path: 'core/risk', layer: 2, what: 'fees, costs, holds and filters; the order form uses the same functions' },
  {
    path: 'core/proof',
    layer: 2,
    what: 'SHA-256, the hash chain, the index tape, what decides an order of Second; also runs in the browser',
  },
  { path: 'core/market-data', layer: 3, what: 'candles, tickers, depth, volume: reducers from events to what the public sees' },
  { path: 'core/exchange', layer: 3, what: 'execute(command) → events; state hash, snapshot, handlers' },
  { path: 'server/refused.ts', layer: 4, what: 'a refusal on its way through asynchronous code' },
  { path: 'server/networks.ts', layer: 4, what: 'which network an address is counted for' },
  { path: 'server/ports.ts', layer: 4, what: 'what rooms need of each other without importing each other' },
  { path: 'server/store', layer: 4, what: 'PostgreSQL: connection, migrations, projector, projections, queries' },
  { path: 'server/journal', layer: 4, what: 'append (group commit), read, snapshots, leadership, audit' },
  { path: 'server/feeds', layer: 4, what: 'index prices in: venues, median, simulated walk, replay' },
  { path: 'server/identity', layer: 5, what: 'register, log in, sessions, codes, passwords' },
  { path: 'server/engine', layer: 5, what: 'the one writer: inbox, sequencer, clock, outbox, recovery, the link between processes' },
  { path: 'server/messages', layer: 5, what: 'mail and short messages in seven languages, the sandbox inbox' },
  { path: 'server/webhooks', layer: 5, what: 'addresses that users are told at: kept, signed, tried again, never inside the own network' },
  {
    path: 'server/live',
    layer: 6,
    what: 'copies of markets and accounts for readers, how old they are, and the way to the engine past what the tables know',
  },
  {
    path: 'server/http',
    layer: 7,
    what: 'what every request passes: errors, limits, sessions, origin, hosts, proxies; pages and shared schemas',
  },
  {
    path: 'server/sockets',
    layer: 8,
    what: 'WebSockets: handshake, connections, back-pressure, public streams, a user’s own events, `/wss`',
  },
  { path: 'server/app', layer: 9, what: 'the app’s routes by product, the description of them, health and metrics' },
  {
    path: 'server/programs',
    layer: 9,
    what: 'the API of programs by product, its authentication and limits, its description, its streams',
  },
  { path: 'server/gateway', layer: 10, what: 'the wiring of these five: what is built of what, and what a request passes first' },
  { path: 'server/main', layer: 11, what: 'settings, roles, command line: the only place that knows what runs where' },
  { path: 'client', layer: 12, what: 'typed clients: of the app, its bots and tests; of programs, as a package; the page for developers' },
  { path: 'web', layer: 13, what: 'the phone app: app (shell), parts, screens, locales' },
  { path: 'simulator', layer: 13, what: 'seeded workloads, an independent oracle, auditors of all desks, the liquidity bots' },
  { path: 'tools', layer: 14, what: 'start, test, benchmarks, and the checks of the repository by itself' },
]

const columns = ['spot', 'perp', 'margin', 'option', 'convert', 'launchpad']

/** What the apps and the client may take of the core: what can run on a phone, and shapes. */
const openToClients = ['core/money', 'core/risk', 'core/proof', 'core/market-data']

const importLine = /(?:^|\n)\s*(import|export)\s+(type\s+)?(?:[^'"`;]*?from\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g

/** One sentence for each import that goes the wrong way. */
export function layerFaults(): readonly string[] {
  return files(/^(core|server|client|web|console|simulator)\/.*\.tsx?$/)
    .filter((path) => !isTest(path))
    .flatMap((path) => importsOf(path).flatMap((found) => faultOf(path, found)))
}

export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || path.includes('/test/')
}

type Import = { readonly target: string; readonly isType: boolean }

function importsOf(path: string): readonly Import[] {
  const found: Import[] = []
  for (const match of text(path).matchAll(importLine)) {
    const specifier = match[3] ?? match[4] ?? ''
    const target = targetOf(path, specifier)
    if (target !== undefined) found.push({ target, isType: match[2] !== undefined })
  }
  return found
}

function targetOf(path: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return normalize(join(dirname(path), specifier))
  if (specifier === '@candor/client') return 'client/program/index.ts'
  if (specifier.startsWith('@candor/')) return specifier.slice('@candor/'.length)
  return undefined
}

function faultOf(path: string, { target, isType }: Import): readonly string[] {
  const from = roomOf(path)
  const to = roomOf(target)
  if (from === undefined) return [`${path} is in no room of tools/tidy/layers.ts`]
  if (to === undefined) return target.endsWith('.json') || target.endsWith('.css') ? [] : [`${path} imports ${target}, which is in no room`]
  if (isTest(target)) return [`${path} imports the test ${target}`]
  const said = `${path} imports ${target}`
  const [fromZone, toZone] = [zoneOf(path), zoneOf(target)]

  if (fromZone !== toZone) {
    const isSeen = sees(path, target, isType)
    return isSeen ? [] : [`${said}: ${fromZone} does not see that`]
  }
  if (from !== to && to.layer > from.layer) return [`${said}: up, from layer ${from.layer} to ${to.layer}`]
  if (fromZone === 'server' && from !== to && to.layer === from.layer && !isSharedGround(target) && !isSideways(path, target)) {
    return [`${said}: sideways in layer ${from.layer}`]
  }
  const [fromColumn, toColumn] = [columnOf(path), columnOf(target)]
  if (fromColumn !== undefined && toColumn !== undefined && fromColumn !== toColumn && !path.startsWith('web/')) {
    return [`${said}: product ${fromColumn} imports product ${toColumn}`]
  }
  return []
}

/** Which workspace may look into which, and how far. */
function sees(path: string, target: string, isType: boolean): boolean {
  const from = zoneOf(path)
  const to = zoneOf(target)
  if (from === 'server') return to === 'core'
  if (to === 'core') {
    if (from === 'simulator' && !path.startsWith('simulator/bots/')) return true
    return openToClients.some((room) => target.startsWith(`${room}/`)) || (target.startsWith('core/protocol/') && isType)
  }
  if (to === 'client') return from === 'web' || from === 'console' || from === 'simulator'
  return false
}

/** The database handle and the ports are the ground that all rooms of the server stand on. */
function isSharedGround(target: string): boolean {
  return (
    target === 'server/ports.ts' || target === 'server/refused.ts' || target === 'server/networks.ts' || target === 'server/store/open.ts'
  )
}

/** The follower reads the journal that it projects, and the audit compares the journal with what was projected. */
function isSideways(path: string, target: string): boolean {
  const pair = (a: string, b: string): boolean => path.startsWith(a) && target.startsWith(b)
  return pair('server/store/projector/', 'server/journal/') || pair('server/journal/', 'server/store/')
}

function roomOf(path: string): Room | undefined {
  return rooms.find((room) => path === room.path || path.startsWith(`${room.path}/`))
}

function zoneOf(path: string): string {
  return path.slice(0, path.indexOf('/'))
}

function columnOf(path: string): string | undefined {
  return columns.find((column) => path.split(/[/.-]/).includes(column))
}

/** Words that would let the outside world into the core. */
const impure =
  /\b(Date\b(?!\w)|Math\.random|Intl\.|setTimeout|setInterval|queueMicrotask|process\.|require\(|fetch\(|performance\.|globalThis|crypto\.)/

/** One sentence for each line of the core that could make two runs differ. */
export function purityFaults(): readonly string[] {
  return files(/^core\/.*\.ts$/)
    .filter((path) => !isTest(path))
    .flatMap((path) => {
      const lines = text(path)
        .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ''))
        .split('\n')
      return lines.flatMap((line, index) => {
        const code = line.replace(/\/\/.*$/, '').replace(/'[^']*'|"[^"]*"/g, "''")
        const faults: string[] = []
        if (impure.test(code)) faults.push(`${path}:${index + 1} lets the outside in: ${line.trim()}`)
        const specifier = /from\s+['"]([^'"]+)['"]/.exec(line)?.[1]
        if (specifier !== undefined && !specifier.startsWith('.')) faults.push(`${path}:${index + 1} imports the package ${specifier}`)
        return faults
      })
    })
}
