/**
 * The house plan. Imports go down only: a room imports rooms with a lower number in its own workspace, and from other workspaces what
 * `sees` allows. Large rooms have inner rooms with numbers of their own. Products (columns) never import each other.
 * `docs/ARCHITECTURE.md` prints this table.
 */
import { dirname, join, normalize } from 'node:path'
import { files, text } from './files.ts'

type Room = { readonly path: string; readonly layer: number; readonly what: string; readonly inside?: readonly InnerRoom[] }

/**
 * A room inside a large room. Its path begins with that room's path; if several match a file, the longest counts. A path that ends
 * with `/*` makes each folder and file there a room of its own. Inside a large room, imports (of types too) stay in their inner room
 * or go to one with a lower number. Files in no inner room are above all of them.
 */
type InnerRoom = { readonly path: string; readonly layer: number; readonly what: string }

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
    what: 'SHA-256, hash chain, heads, receipts, index tape, the decision of an order of Second; also in the browser',
  },
  { path: 'core/market-data', layer: 3, what: 'candles, tickers, depth, volume: reducers from events to public market data' },
  {
    path: 'core/exchange',
    layer: 3,
    what: 'execute(command) → events; state hash, snapshot, the table of handlers',
    inside: [
      { path: 'requests', layer: 0, what: 'remembered requests: a repeated client id gets the first answer' },
      { path: 'records', layer: 0, what: 'the state of a market, its phases, queues of orders, volumes, facts about users' },
      { path: 'perp/records', layer: 1, what: 'Futures markets, positions, accounts, the inventory of the insurance fund' },
      { path: 'margin/records', layer: 1, what: 'margin accounts, debts, lending pools, outages' },
      { path: 'option/records', layer: 1, what: 'orders of Second and their queue' },
      { path: 'chain/records', layer: 1, what: 'deposits that are not final, debts, withdrawals, their terms' },
      { path: 'convert/records', layer: 1, what: 'quotes, accepted ones, and what the inventory expects of them' },
      { path: 'referral/records', layer: 1, what: 'bonds between inviters and invitees, and what was paid today' },
      { path: 'presale/records', layer: 1, what: 'presales, their subscriptions and locked tokens' },
      { path: 'firm/records', layer: 1, what: 'accounts of firms, and their own terms' },
      { path: 'algo/records', layer: 1, what: 'running orders that the exchange carries out in parts' },
      { path: 'state', layer: 2, what: 'the whole state of the exchange, and the calls between products' },
      { path: 'perp/rules', layer: 3, what: 'equity, margin, interest and limits of positions; checks of orders' },
      { path: 'margin/rules', layer: 3, what: 'prices, worth and rows of margin accounts' },
      { path: 'market', layer: 3, what: 'assets, spot markets and fees; quotes become index prices' },
      { path: 'funds', layer: 3, what: 'practice funds' },
      { path: 'chain', layer: 3, what: 'deposits and withdrawals, all commands' },
      { path: 'convert', layer: 3, what: 'conversions at a quote, all commands' },
      { path: 'referral', layer: 3, what: 'commission of inviters, all commands' },
      { path: 'firm', layer: 4, what: 'firms: which accounts belong together, moves between them, their own terms' },
      { path: 'presale', layer: 3, what: 'presales from opening to the last release, all commands' },
      { path: 'user', layer: 3, what: 'users and regions' },
      { path: 'perp/positions', layer: 4, what: 'fills, orders beside a position, exits, losses; the end of each command' },
      { path: 'margin/loans', layer: 4, what: 'debts, interest, lenders and pools; the accounts that are close to liquidation' },
      { path: 'spot', layer: 4, what: 'spot orders, all commands and triggers' },
      { path: 'option', layer: 4, what: 'Second, all commands' },
      { path: 'perp/liquidation', layer: 5, what: 'liquidation, the queue of auto-deleveraging, take-overs by the insurance fund' },
      { path: 'perp/market', layer: 5, what: 'phases, funding and new terms of a Futures market' },
      { path: 'margin/liquidation', layer: 5, what: 'liquidation of margin accounts through the spot books' },
      { path: 'perp/handlers', layer: 6, what: 'commands of Futures, one file each' },
      { path: 'margin/handlers', layer: 6, what: 'commands of margin trading and lending, one file each' },
      { path: 'perp', layer: 7, what: 'the interface of Futures to the exchange: ticks, views, dump' },
      { path: 'margin', layer: 7, what: 'the interface of margin trading and lending to the exchange: ticks, views, dump, services' },
      { path: 'algo', layer: 8, what: 'TWAP and scaled orders: their parts, placed as orders of the user' },
      { path: 'joint', layer: 9, what: 'commands that concern several products: ticks, halts, transfers' },
    ],
  },
  { path: 'server/refused.ts', layer: 4, what: 'a refusal on its way through asynchronous code' },
  { path: 'server/four-eyes.ts', layer: 4, what: 'the members of the staff behind a decision of two' },
  { path: 'server/origins.ts', layer: 4, what: 'the origin of the request that is being answered' },
  { path: 'server/networks.ts', layer: 4, what: 'the network to which an address counts' },
  { path: 'server/low-process.ts', layer: 4, what: 'heavy work in a process of low priority' },
  { path: 'server/remembering.ts', layer: 4, what: 'functions that remember their last results' },
  { path: 'server/ports.ts', layer: 4, what: 'interfaces between rooms that don’t import each other' },
  { path: 'server/store', layer: 4, what: 'PostgreSQL: connection, migrations, projector, projections, queries' },
  { path: 'server/journal', layer: 4, what: 'append (group commit), read, snapshots, leadership, audit' },
  { path: 'server/bus', layer: 4, what: 'the bus between machines: its connection, and lines over it that are whole or broken' },
  { path: 'server/feeds', layer: 4, what: 'index prices in: venues, median, simulated walk, replay' },
  { path: 'server/watch', layer: 4, what: 'what operators watch: metrics, slow requests, traces, audit events' },
  { path: 'server/identity', layer: 5, what: 'register, log in, sessions, codes, passwords' },
  { path: 'server/engine', layer: 5, what: 'the only writer: inbox, sequencer, clock, outbox, recovery, the link between processes' },
  { path: 'server/presales', layer: 5, what: 'what customers read about presales, and whitepapers, each under its hash' },
  { path: 'server/messages', layer: 5, what: 'mail and short messages in seven languages, the sandbox inbox' },
  { path: 'server/rates', layer: 5, what: 'daily reference rates of currencies: fetched, checked, stored' },
  { path: 'server/webhooks', layer: 5, what: 'users’ webhook URLs: stored, signed deliveries, retries, never into our own network' },
  {
    path: 'server/chains',
    layer: 6,
    what: 'deposits and withdrawals on chains',
    inside: [
      { path: 'ports.ts', layer: 0, what: 'interfaces between its parts' },
      { path: 'contracts', layer: 0, what: 'Solidity sources, and what the compiler made of them' },
      { path: 'unsigned.ts', layer: 1, what: 'transactions between being built and being sent' },
      { path: 'rpc', layer: 1, what: 'JSON-RPC as both kinds of chains speak it, with strict shapes' },
      { path: 'evm', layer: 2, what: 'EVM networks: addresses, payments, a node' },
      { path: 'tron', layer: 2, what: 'TRON: addresses, payments, a node' },
      { path: 'signer', layer: 3, what: 'the signer: keys, policy, journal, its link; runs alone' },
      { path: 'scan', layer: 3, what: 'the scanner: blocks into deposits, across reorganizations and stops' },
      { path: 'addresses', layer: 4, what: 'deposit addresses: forwarders by formula, TRON by public key; their signatures' },
      { path: 'payout', layer: 4, what: 'approved withdrawals become transactions, each paid at most once' },
      { path: 'deposits', layer: 4, what: 'deposits from the first block to the final one, and what the core is told' },
      { path: 'networks.ts', layer: 1, what: 'the networks of an exchange, as data' },
      { path: 'keys.ts', layer: 4, what: 'keys of processes that sign for the signer' },
      { path: 'config.ts', layer: 4, what: 'the file that names nodes, tokens, addresses and public keys' },
      { path: 'nodes.ts', layer: 5, what: 'the nodes of a configured network' },
      { path: 'treasury', layer: 7, what: 'what the chains have compared with the books, sweeps, their fees' },
      { path: 'tokens', layer: 6, what: 'what contracts of tokens do, before any is credited or paid' },
      { path: 'desk', layer: 5, what: 'what customers see and ask for: addresses, deposits, withdrawals' },
      { path: 'reserves', layer: 8, what: 'what own addresses hold at a block, by two nodes, and their signatures' },
      { path: 'anchor', layer: 8, what: 'heads of the journal in transactions, one a day' },
      { path: 'worker', layer: 9, what: 'what a process of chains does, again and again' },
      { path: 'book', layer: 3, what: 'the addresses to which customers withdraw' },
    ],
  },
  { path: 'server/counters', layer: 6, what: 'counts that several gateways share: each tells its own, and enforces the sum of all' },
  { path: 'server/explain', layer: 6, what: 'explanations of results: the journal executed again in a process of its own, and looked at' },
  { path: 'server/proof', layer: 6, what: 'signed heads of the journal, made each minute with the tree of receipts; their key' },
  { path: 'server/papers', layer: 6, what: 'identity checks: documents, photos decoded apart and kept encrypted, the review' },
  {
    path: 'server/staff',
    layer: 6,
    what: 'people who work for the exchange: accounts, logins, permissions, four-eyes decisions, their log',
  },
  { path: 'server/activity', layer: 6, what: 'the origins of customers’ commands, and what was done in an account' },
  { path: 'server/notices', layer: 6, what: 'notices of customers: the inbox, its switches, sending by mail, message and web push' },
  {
    path: 'server/live',
    layer: 6,
    what: 'copies of markets and accounts for readers, their age, and queries to the engine for data newer than the tables',
  },
  { path: 'server/alerts', layer: 7, what: 'price alerts of customers: watched on released prices, told as notices' },
  { path: 'server/announcements', layer: 7, what: 'announcements of the staff to everybody, in all languages' },
  {
    path: 'server/operations',
    layer: 7,
    what: 'decisions of the staff about terms: proposed, approved by a second member, carried out by the core, published',
  },
  { path: 'server/customers', layer: 7, what: 'customers as the staff see them: lists, pages, notes, accounts of the staff' },
  { path: 'server/firms', layer: 7, what: 'firms: applications, accounts in the core, members and their rights, their log' },
  { path: 'server/support', layer: 7, what: 'tickets of customers: threads, pictures, the staff’s queue and answers, who is at work' },
  {
    path: 'server/surveillance',
    layer: 7,
    what: 'patterns in trades, orders and logins that the staff should look at: a report per day, findings, their settling',
  },
  {
    path: 'server/http',
    layer: 7,
    what: 'shared by all requests: errors, limits, sessions, origin, hosts, proxies; pages and shared schemas',
  },
  {
    path: 'server/sockets',
    layer: 8,
    what: 'WebSockets: handshake, connections, back-pressure, public streams, a user’s own events, `/wss`',
  },
  { path: 'server/signals', layer: 8, what: 'alerts of charting services: read, checked against their limits, counted, logged' },
  { path: 'server/app', layer: 9, what: 'the app’s routes by product, the description of them, health and metrics' },
  {
    path: 'server/programs',
    layer: 9,
    what: 'the API of programs by product, its authentication and limits, its description, its streams',
  },
  { path: 'server/console', layer: 9, what: 'the routes of the operators’ console, with a cookie and limits of their own' },
  { path: 'server/gateway', layer: 10, what: 'the wiring of these rooms, and the first checks of a request' },
  { path: 'server/backup', layer: 7, what: 'backups of the embedded database: sealed, stored, restored, rehearsed' },
  { path: 'server/main', layer: 11, what: 'settings, roles, command line: the only place that knows which process runs what' },
  { path: 'client', layer: 12, what: 'typed clients: of the app, its bots and tests; of programs, as a package; the page for developers' },
  {
    path: 'web',
    layer: 13,
    what: 'the phone app',
    inside: [
      { path: 'locales', layer: 0, what: 'the app’s texts: a folder per language, a file per area' },
      { path: 'app', layer: 1, what: 'the base of all screens: client, session, settings, live quotes, texts, one way to send' },
      { path: 'parts/ui', layer: 2, what: 'buttons, sheets, rows, tabs, figures' },
      { path: 'parts/live', layer: 2, what: 'the exchange’s clock and index as they tick' },
      { path: 'parts/wide', layer: 3, what: 'lists beside their details, and tables, in wide windows' },
      { path: 'parts/fields', layer: 3, what: 'inputs' },
      { path: 'parts/lists', layer: 3, what: 'long lists and their files' },
      { path: 'parts/limits', layer: 3, what: 'own limits, reality checks, how many accounts lose' },
      { path: 'parts/funds', layer: 3, what: 'coins, fees, totals, practice funds' },
      { path: 'parts/share', layer: 4, what: 'pictures of results, to share or to save' },
      { path: 'parts/help', layer: 3, what: 'terms of trading, explained' },
      { path: 'parts/tour', layer: 3, what: 'tours of the desks, and what a person was shown once' },
      { path: 'parts/news', layer: 4, what: 'announcements' },
      { path: 'parts/notices', layer: 4, what: 'the bell and unread notices' },
      { path: 'parts/account', layer: 4, what: 'login, codes, passwords, verification' },
      { path: 'parts/market', layer: 4, what: 'the list of markets' },
      { path: 'parts/order', layer: 4, what: 'orders and trades' },
      { path: 'parts/option', layer: 5, what: 'orders of Second and their check' },
      { path: 'parts/algo', layer: 6, what: 'TWAP and scaled orders: their sheet, and those that run or have ended' },
      { path: 'parts/addresses', layer: 5, what: 'withdrawal addresses: their list, and how they are shown' },
      { path: 'parts/keys', layer: 5, what: 'creating keys and webhooks with their secrets' },
      { path: 'parts/access', layer: 5, what: 'a new password, and access without the second factors' },
      { path: 'parts/proof', layer: 5, what: 'what this device remembers of the journal, its checks, and what they found' },
      { path: 'parts/presale', layer: 5, what: 'presales, and how far a subscription is' },
      { path: 'parts/papers', layer: 5, what: 'documents: their data, and photos by camera or file' },
      { path: 'parts/desk', layer: 5, what: 'shared parts of desks: header, book, order kinds' },
      { path: 'parts/shortcuts', layer: 5, what: 'keys of the desks, the palette, windows that follow another one' },
      { path: 'parts/perp', layer: 5, what: 'positions, marks, funding' },
      { path: 'parts/chart', layer: 6, what: 'the chart of a market, its tools, and lines of own orders and positions' },
      { path: 'parts/chains', layer: 6, what: 'networks, deposits and withdrawals of the user' },
      { path: 'parts/margin', layer: 6, what: 'margin accounts and loans' },
      { path: 'parts/firm', layer: 5, what: 'firms of the person, and what their members ask for' },
      { path: 'parts/transfer', layer: 7, what: 'transfers between own accounts, and the way to a first balance' },
      { path: 'parts/terminal', layer: 7, what: 'the panes of a desk in a wide window' },
      { path: 'parts/outcomes', layer: 8, what: 'what the person did not wait for: ends of orders, transfers, loans' },
      { path: 'parts/frame', layer: 8, what: 'the parts of a desk, one below the other or in panes' },
      { path: 'parts/spot', layer: 9, what: 'the ticket of spot markets, on spot and on margin accounts' },
      { path: 'screens/*', layer: 10, what: 'one folder a screen; none imports another' },
      { path: 'shell', layer: 11, what: 'the entry, the frame around screens, notices, the service worker' },
    ],
  },
  {
    path: 'console',
    layer: 13,
    what: 'the operators’ console, a desktop app',
    inside: [
      { path: 'app/wire.ts', layer: 0, what: 'the answers of the console’s routes' },
      { path: 'styles', layer: 0, what: 'colours and shapes' },
      { path: 'texts', layer: 1, what: 'its texts' },
      { path: 'app', layer: 2, what: 'the base of all pages: client, session, queries, keys, formats' },
      { path: 'build', layer: 2, what: 'what its build adds' },
      { path: 'parts', layer: 3, what: 'buttons, fields, dialogs, menus, tables' },
      { path: 'pages', layer: 4, what: 'the pages' },
      { path: 'shell', layer: 5, what: 'the entry, the paths, the frame around pages' },
    ],
  },
  { path: 'simulator', layer: 13, what: 'seeded workloads, an independent oracle, auditors of all desks, the liquidity bots, test chains' },
  { path: 'tools', layer: 14, what: 'start, test, benchmarks, and the checks of the repository by itself' },
]

const columns = ['spot', 'perp', 'margin', 'option', 'convert', 'presale', 'referral', 'firm']

/** Rooms of the core that the apps and the client may import: code that can run on a phone, and types. */
const openToClients = ['core/money', 'core/risk', 'core/proof', 'core/market-data']
const openTables = [
  ...['core/protocol/locales.ts', 'core/protocol/coins.ts', 'core/protocol/countries.ts', 'core/protocol/account.ts'],
  ...['core/protocol/csv.ts', 'core/protocol/wire/papers.ts', 'core/protocol/wire/funds.ts', 'core/protocol/wire/notices.ts'],
  ...[
    'core/protocol/wire/own/preferences.ts',
    'core/protocol/wire/own/terminal-columns.ts',
    'core/protocol/wire/own/signals.ts',
    'core/protocol/wire/own/alerts.ts',
    'core/protocol/wire/changes.ts',
  ],
  ...['core/protocol/wire/addresses.ts', 'core/protocol/wire/days/daily.ts', 'core/protocol/wire/news/announcements.ts'],
  ...['core/protocol/wire/activity.ts', 'core/protocol/wire/chains.ts', 'core/protocol/wire/own-limits.ts'],
  ...['core/protocol/wire/support/tickets.ts', 'core/protocol/wire/console/presale.ts', 'core/protocol/wire/firm/acts.ts'],
  ...['core/protocol/wire/firm/firm.ts', 'core/protocol/wire/console/firms.ts'],
]

const importLine = /(?:^|\n)\s*(import|export)\s+(type\s+)?(?:[^'"`;]*?from\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g

/** One sentence for each import that goes the wrong way. */
export function layerFaults(): readonly string[] {
  return files(/^(core|server|client|web|console|simulator)\/.*\.tsx?$/)
    .filter((path) => !isTest(path))
    .flatMap((path) => importsOf(path).flatMap((found) => faultOf(path, found)))
    .concat(emptyRooms())
}

/** One sentence for each room of the table that has no file. */
function emptyRooms(): readonly string[] {
  const all = files(/\.tsx?$/)
  const named = rooms.flatMap(({ path, inside = [] }) => [path, ...inside.map((room) => `${path}/${room.path.replace(/\/\*$/, '')}`)])
  const isEmpty = (room: string): boolean => !all.some((path) => path === room || path.startsWith(`${room}/`))
  return named.filter(isEmpty).map((room) => `${room} is a room of tools/tidy/layers.ts without a file`)
}

export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || path.includes('/test/')
}

/** `isLate`: a dynamic import, loaded when it is needed and not before the file runs. */
export type Import = { readonly target: string; readonly isType: boolean; readonly isLate: boolean }

/** The repository's own files that a file imports. */
export function importsOf(path: string): readonly Import[] {
  const found: Import[] = []
  for (const match of text(path).matchAll(importLine)) {
    const specifier = match[3] ?? match[4] ?? ''
    const target = targetOf(path, specifier)
    if (target !== undefined) found.push({ target, isType: match[2] !== undefined, isLate: match[4] !== undefined })
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
  const inner = from === to ? innerFaultOf(from, path, target) : undefined
  if (inner !== undefined) return [`${said}: ${inner}`]
  const [fromColumn, toColumn] = [columnOf(path), columnOf(target)]
  if (fromColumn !== undefined && toColumn !== undefined && fromColumn !== toColumn && !path.startsWith('web/')) {
    return [`${said}: product ${fromColumn} imports product ${toColumn}`]
  }
  return []
}

/** Whether a file may import a file of another workspace. */
function sees(path: string, target: string, isType: boolean): boolean {
  const from = zoneOf(path)
  const to = zoneOf(target)
  if (from === 'server') return to === 'core'
  if (to === 'core') {
    if (from === 'simulator' && !path.startsWith('simulator/bots/')) return true
    const isOpen = openTables.includes(target) || openToClients.some((room) => target.startsWith(`${room}/`))
    return isOpen || (target.startsWith('core/protocol/') && isType)
  }
  if (to === 'client') return from === 'web' || from === 'console' || from === 'simulator'
  return false
}

const sharedGround = ['ports', 'refused', 'networks', 'remembering', 'store/open'].map((name) => `server/${name}.ts`)

/** The database handle, the ports and small common parts, which all rooms of the server may import. */
function isSharedGround(target: string): boolean {
  return sharedGround.includes(target)
}

/** Two allowed exceptions: the follower reads the journal that it projects, and the audit compares the journal with the projection. */
function isSideways(path: string, target: string): boolean {
  const pair = (a: string, b: string): boolean => path.startsWith(a) && target.startsWith(b)
  return pair('server/store/projector/', 'server/journal/') || pair('server/journal/', 'server/store/')
}

function roomOf(path: string): Room | undefined {
  return rooms.find((room) => path === room.path || path.startsWith(`${room.path}/`))
}

function innerFaultOf(room: Room, path: string, target: string): string | undefined {
  const from = innerRoomOf(room, path)
  const to = innerRoomOf(room, target)
  if (from.door === to.door || to.layer < from.layer) return undefined
  return to.layer === from.layer ? `sideways inside ${room.path}, from ${from.door} to ${to.door}` : `up inside ${room.path}, to ${to.door}`
}

function innerRoomOf({ path: large, inside = [] }: Room, path: string): { readonly door: string; readonly layer: number } {
  const below = path.slice(large.length + 1)
  let found = { door: 'its top', layer: Infinity }
  let longest = 0
  for (const room of inside) {
    const base = room.path.replace(/\/\*$/, '')
    if ((below !== base && !below.startsWith(`${base}/`)) || base.length < longest) continue
    longest = base.length
    const door = base === room.path ? base : `${base}/${below.slice(base.length + 1).split('/')[0]}`
    found = { door, layer: room.layer }
  }
  return found
}

function zoneOf(path: string): string {
  return path.slice(0, path.indexOf('/'))
}

function columnOf(path: string): string | undefined {
  return columns.find((column) => path.split(/[/.-]/).includes(column))
}
