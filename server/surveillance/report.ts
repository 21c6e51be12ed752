import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Examined, PartyRole } from '@candor/core/protocol/wire/console/surveillance.ts'
import type pg from 'pg'
import { type Day, type Span, spanOf } from './days.ts'
import { linkedAccounts, linksOf, isLinked, withTrading } from './detect/links.ts'
import { roundTrips, selfTrades } from './detect/trading.ts'
import type { Found, Who } from './found.ts'
import { type Pair, suspectPairs, tradesOfPair } from './read/pairs.ts'
import { ownUsers, peopleOf, type Person } from './read/people.ts'
import { tradesOf } from './read/ranges.ts'
import { tiesOf } from './read/ties.ts'
import { toldScores } from './read/told.ts'
import type { Thresholds } from './thresholds.ts'

type Queries = Pick<pg.ClientBase, 'query'>

/** Everything that one day showed. `people`: of all users of the findings. */
export type Seen = { readonly found: readonly Found[]; readonly people: ReadonlyMap<UserId, Person>; readonly examined: Examined }

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
  const trading = await lookAtTrading(ground)
  const found = trading.found
  const people = trading.people
  return { found, people, examined: { trades: trading.trades, orders: 0, contracts: 0, accounts: trading.accounts, prevented: 0 } }
}

async function marketsOf(client: Queries) {
  const { rows } = await client.query<{ symbol: string; asset: string }>('select symbol, quote as asset from markets order by symbol')
  return rows
}

async function lookAtTrading({ client, day, span, own, markets, thresholds }: Ground) {
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
  return { found, people, trades, accounts }
}

/** The UID of a user, or the number in the core for one without an account. */
export function namesOf(people: ReadonlyMap<UserId, Person>): { readonly who: Who; readonly roleOf: (user: UserId) => PartyRole } {
  return { who: (user) => people.get(user)?.uid ?? `core ${user}`, roleOf: (user) => people.get(user)?.role ?? 'customer' }
}
