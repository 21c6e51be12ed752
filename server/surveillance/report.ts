import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Examined, PartyRole } from '@candor/core/protocol/wire/console/surveillance.ts'
import type pg from 'pg'
import { type Day, type Span, spanOf } from './days.ts'
import { linkedAccounts, linksOf, isLinked, withTrading } from './detect/links.ts'
import { cancelled, spoofing } from './detect/orders.ts'
import { secondWins } from './detect/wins.ts'
import { roundTrips, selfTrades } from './detect/trading.ts'
import type { Found, Who } from './found.ts'
import { contractsOf, suspectPlayers } from './read/contracts.ts'
import { fillsOf, largeOrders, suspectOrders } from './read/orders.ts'
import { type Pair, suspectPairs, tradesOfPair } from './read/pairs.ts'
import { ownUsers, peopleOf, type Person } from './read/people.ts'
import { ordersOf, tradesOf } from './read/ranges.ts'
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
  readonly client: Queries
  readonly day: Day
  readonly span: Span
  readonly own: readonly UserId[]
  readonly markets: readonly { readonly symbol: string; readonly asset: string }[]
  readonly thresholds: Thresholds
}

/** Looks at one past day. Only reads, by keys and in portions that the database adds up. */
export async function look(client: Queries, day: Day, thresholds: Thresholds): Promise<Seen> {
  const ground: Ground = { client, day, span: spanOf(day), own: await ownUsers(client), markets: await marketsOf(client), thresholds }
  const parts = [await lookAtTrading(ground), await lookAtOrders(ground), await lookAtContracts(ground)]
  const people = new Map(parts.flatMap((part) => [...part.people]))
  const examined = Object.assign({}, ...parts.map((part) => part.examined)) as Examined
  return { found: parts.flatMap((part) => part.found), people, examined }
}

async function marketsOf(client: Queries) {
  const { rows } = await client.query<{ symbol: string; asset: string }>('select symbol, quote as asset from markets order by symbol')
  return rows
}

async function lookAtTrading({ client, day, span, own, markets, thresholds }: Ground): Promise<Part> {
  const ties = linksOf(await tiesOf(client, span, thresholds), thresholds)
  const linked = [...ties.values()].map(({ one, other }) => [one, other] as const)
  const pairs: Pair[] = []
  let [trades, accounts] = [0, 0]
  for (const { symbol } of markets) {
    const range = await tradesOf(client, symbol, span)
    if (range.to === range.from) continue
    const part = await suspectPairs(client, symbol, { range, own, linked }, thresholds)
    pairs.push(...part.pairs)
    trades += part.trades
    accounts = Math.max(accounts, part.accounts)
  }
  const links = withTrading(ties, pairs, thresholds)
  const strong = [...links.values()].filter((link) => isLinked(link, thresholds))
  const people = await peopleOf(client, [...new Set([...pairs, ...strong].flatMap(({ one, other }) => [one, other]))])
  const { who, roleOf } = namesOf(people)
  const told = await toldScores(client, day)
  const found: Found[] = []
  const uidsOf = (users: readonly UserId[]): readonly string[] => users.map(who)
  found.push(...linkedAccounts({ links, span, roleOf, toldOf: (users) => told(uidsOf(users)), who }, thresholds))
  const assets = new Map(markets.map(({ symbol, asset }) => [symbol, asset]))
  for (const pair of pairs) {
    const one = { pair, trades: await tradesOfPair(client, pair, span), asset: assets.get(pair.market)! }
    const seen = [selfTrades(one, { links, who }, thresholds), roundTrips(one, { links, who }, thresholds)]
    found.push(...seen.filter((each) => each !== undefined))
  }
  return { found, people, examined: { trades, accounts } }
}

/** Spoofing, layering and orders that hardly ever trade. */
async function lookAtOrders({ client, span, own, markets, thresholds }: Ground): Promise<Part> {
  const { sums, orders, prevented } = await suspectOrders(client, await ordersOf(client, span), own, thresholds)
  const people = await peopleOf(client, [...new Set(sums.map(({ user }) => user))])
  const { who } = namesOf(people)
  const found: Found[] = []
  for (const one of sums) {
    const asset = markets.find(({ symbol }) => symbol === one.market)?.asset ?? ''
    const isSpoofing = one.large >= thresholds.spoofing.movesMin
    const large = isSpoofing ? await largeOrders(client, one, span, thresholds) : []
    const fills = isSpoofing ? await fillsOf(client, one, span) : []
    const seen = [spoofing({ sums: one, large, fills, asset }, who, thresholds), cancelled({ sums: one }, who, thresholds)]
    found.push(...seen.filter((each) => each !== undefined))
  }
  return { found, people, examined: { orders, prevented } }
}

async function lookAtContracts({ client, span, thresholds }: Ground): Promise<Part> {
  const { players, contracts, accounts } = await suspectPlayers(client, span, thresholds)
  const people = await peopleOf(
    client,
    players.map(({ user }) => user),
  )
  const { who } = namesOf(people)
  const found: Found[] = []
  for (const player of players) {
    const seen = secondWins({ player, contracts: await contractsOf(client, player, span, thresholds), accounts }, who, thresholds)
    if (seen !== undefined) found.push(seen)
  }
  return { found, people, examined: { contracts } }
}

/** The UID of a user, or the number in the core for one without an account. */
export function namesOf(people: ReadonlyMap<UserId, Person>): { readonly who: Who; readonly roleOf: (user: UserId) => PartyRole } {
  return { who: (user) => people.get(user)?.uid ?? `core ${user}`, roleOf: (user) => people.get(user)?.role ?? 'customer' }
}
