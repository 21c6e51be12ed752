import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Examined, PartyRole } from '@candor/core/protocol/wire/console/surveillance.ts'
import type pg from 'pg'
import { type Day, type Span, spanOf } from './days.ts'
import { isLinked, linkedAccounts, linkedUsers, type Links, linksOf, withTrading } from './detect/links.ts'
import { cancelled, spoofing } from './detect/orders.ts'
import { secondWins } from './detect/wins.ts'
import { roundTrips, selfTrades } from './detect/trading.ts'
import type { Found, Who } from './found.ts'
import { contractsOf, suspectPlayers } from './read/contracts.ts'
import { fillsOf, largeOrders, type OrderSums, type Quoting, suspectOrders } from './read/orders.ts'
import { type Pair, suspectPairs, tradesOfPair } from './read/pairs.ts'
import { ownUsers, peopleOf, type Person } from './read/people.ts'
import { ordersOf, tradesOf } from './read/ranges.ts'
import { type Limits, Reads } from './read/reads.ts'
import { tiesOf } from './read/ties.ts'
import { toldScores } from './read/told.ts'
import type { Thresholds } from './thresholds.ts'

type Queries = Pick<pg.ClientBase, 'query'>

/** Everything that one day showed. `people`: of all users of the findings. */
export type Seen = { readonly found: readonly Found[]; readonly people: ReadonlyMap<UserId, Person>; readonly examined: Examined }

/** What one group of detectors saw. */
type Part = Omit<Seen, 'examined'> & { readonly examined: Partial<Examined> }

/** What the detectors of a day share. */
export type Ground = {
  readonly reads: Reads
  readonly day: Day
  readonly span: Span
  readonly own: readonly UserId[]
  readonly markets: readonly { readonly symbol: string; readonly asset: string }[]
  readonly thresholds: Thresholds
}

/** What a report is made by. */
export type Measures = { readonly thresholds: Thresholds; readonly limits: Limits }

/** Looks at one past day. Only reads, by keys and in portions that the database adds up. */
export async function look(client: Queries, day: Day, { thresholds, limits }: Measures): Promise<Seen> {
  const reads = new Reads(client, limits)
  const ground: Ground = { reads, day, span: spanOf(day), own: await ownUsers(client), markets: await marketsOf(client), thresholds }
  const trading = await lookAtTrading(ground)
  const parts = [trading, await lookAtOrders(ground, trading.links), await lookAtContracts(ground)]
  const people = new Map(parts.flatMap((part) => [...part.people]))
  const examined = Object.assign({ atLimit: reads.atLimit }, ...parts.map((part) => part.examined)) as Examined
  return { found: parts.flatMap((part) => part.found), people, examined }
}

async function marketsOf(client: Queries) {
  const { rows } = await client.query<{ symbol: string; asset: string }>('select symbol, quote as asset from markets order by symbol')
  return rows
}

async function lookAtTrading({ reads, day, span, own, markets, thresholds }: Ground): Promise<Part & { readonly links: Links }> {
  const ties = linksOf(await tiesOf(reads, span, thresholds), thresholds)
  const linked = [...ties.values()].map(({ one, other }) => [one, other] as const)
  const pairs: Pair[] = []
  let [trades, accounts] = [0, 0]
  for (const { symbol } of markets) {
    const range = await tradesOf(reads.client, symbol, span)
    if (range.to === range.from) continue
    const part = await suspectPairs(reads, symbol, { range, own, linked }, thresholds)
    pairs.push(...part.pairs)
    trades += part.trades
    accounts = Math.max(accounts, part.accounts)
  }
  const links = withTrading(ties, pairs, thresholds)
  const strong = [...links.values()].filter((link) => isLinked(link, thresholds))
  const people = await peopleOf(reads.client, [...new Set([...pairs, ...strong].flatMap(({ one, other }) => [one, other]))])
  const { who, roleOf } = namesOf(people)
  const told = await toldScores(reads.client, day)
  const found: Found[] = []
  const uidsOf = (users: readonly UserId[]): readonly string[] => users.map(who)
  found.push(...linkedAccounts({ links, span, roleOf, toldOf: (users) => told(uidsOf(users)), who }, thresholds))
  const assets = new Map(markets.map(({ symbol, asset }) => [symbol, asset]))
  for (const pair of pairs) {
    const one = { pair, trades: await tradesOfPair(reads, pair, span), asset: assets.get(pair.market)! }
    const seen = [selfTrades(one, { links, who }, thresholds), roundTrips(one, { links, who }, thresholds)]
    found.push(...seen.filter((each) => each !== undefined))
  }
  return { found, people, examined: { trades, accounts }, links }
}

/** Spoofing, layering and orders that hardly ever trade. */
async function lookAtOrders(ground: Ground, links: Links): Promise<Part> {
  const { reads, span, own, thresholds } = ground
  const groups = linkedUsers(links, thresholds).map((users) => users.filter((user) => !own.includes(user)))
  const { sums, orders, prevented } = await suspectOrders(
    reads,
    await ordersOf(reads.client, span),
    { own, linked: groups.flat() },
    thresholds,
  )
  const people = await peopleOf(reads.client, [...new Set([...sums.map(({ user }) => user), ...groups.flat()])])
  const { who } = namesOf(people)
  const found: Found[] = []
  for (const { market, users } of groups.flatMap((users) => marketsAmong(sums, users).map((market) => ({ market, users })))) {
    const seen = await spoofingOf(ground, { market, users }, { sums, links, who })
    // What one account did alone is found below.
    if (seen !== undefined && seen.users.length > 1) found.push(seen)
  }
  const isTold = ({ market, user }: OrderSums): boolean => found.some((one) => one.market === market && one.users.includes(user))
  for (const one of sums) {
    const alone = isTold(one) ? undefined : await spoofingOf(ground, { market: one.market, users: [one.user] }, { sums, links, who })
    found.push(...[alone, cancelled({ sums: one }, who, thresholds)].filter((each) => each !== undefined))
  }
  return { found, people, examined: { orders, prevented } }
}

/** Markets in which one of the accounts had large orders that it cancelled. */
function marketsAmong(sums: readonly OrderSums[], users: readonly UserId[]): readonly string[] {
  const among = new Set(users)
  return [...new Set(sums.filter(({ user, large }) => large > 0 && among.has(user)).map(({ market }) => market))]
}

type Known = { readonly sums: readonly OrderSums[]; readonly links: Links; readonly who: Who }

/** The moves of one account, or of linked ones as of one. */
async function spoofingOf(
  { reads, span, markets, thresholds }: Ground,
  { market, users }: Pick<Quoting, 'market' | 'users'>,
  { sums, links, who }: Known,
): Promise<Found | undefined> {
  const among = new Set(users)
  const theirs = sums.filter((one) => one.market === market && among.has(one.user))
  const total = (of: 'large' | 'orders' | 'cancelled'): number => theirs.reduce((sum, one) => sum + one[of], 0)
  if (total('large') < thresholds.spoofing.movesMin) return undefined
  const { median } = theirs[0]!
  const [large, fills] = [
    await largeOrders(reads, { market, users, median }, span, thresholds),
    await fillsOf(reads, { market, users, median }, span),
  ]
  const asset = markets.find(({ symbol }) => symbol === market)?.asset ?? ''
  const counts = { orders: total('orders'), cancelled: total('cancelled') }
  return spoofing({ market, median, counts, large, fills, asset }, { who, links }, thresholds)
}

async function lookAtContracts({ reads, span, thresholds }: Ground): Promise<Part> {
  const { players, contracts, accounts } = await suspectPlayers(reads, span, thresholds)
  const people = await peopleOf(
    reads.client,
    players.map(({ user }) => user),
  )
  const { who } = namesOf(people)
  const found: Found[] = []
  for (const player of players) {
    const seen = secondWins({ player, contracts: await contractsOf(reads, player, span, thresholds), accounts }, who, thresholds)
    if (seen !== undefined) found.push(seen)
  }
  return { found, people, examined: { contracts } }
}

/** The UID of a user, or the number in the core for one without an account. */
export function namesOf(people: ReadonlyMap<UserId, Person>): { readonly who: Who; readonly roleOf: (user: UserId) => PartyRole } {
  return { who: (user) => people.get(user)?.uid ?? `core ${user}`, roleOf: (user) => people.get(user)?.role ?? 'customer' }
}
