import type { Millis } from '@candor/core/money/brand.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { PartyRole } from '@candor/core/protocol/wire/console/surveillance.ts'
import type { Span } from '../days.ts'
import { countText, type Found, plural, shareText, type Who } from '../found.ts'
import type { Pair } from '../read/pairs.ts'
import type { Tie } from '../read/ties.ts'
import type { Thresholds } from '../thresholds.ts'

/** Two accounts with the points of their ties. */
export type Link = { readonly one: UserId; readonly other: UserId; readonly score: number; readonly ties: readonly Tie[] }
export type Links = ReadonlyMap<string, Link>

export const pairKey = (one: UserId, other: UserId): string => `${Math.min(one, other)}:${Math.max(one, other)}`

function pointsOf({ kind, count }: Tie, { linked }: Thresholds): number {
  if (kind === 'network') return count < linked.networkDaysMin ? 0 : Math.min(linked.networkMax, count * linked.networkDay)
  return linked[kind]
}

/** Each kind of tie counts once for a pair, however often it was seen. */
export function linksOf(ties: readonly Tie[], thresholds: Thresholds): Links {
  const links = new Map<string, Link>()
  for (const [key, found] of Map.groupBy(ties, ({ one, other }) => pairKey(one, other))) {
    const kept = [...Map.groupBy(found, ({ kind }) => kind).values()].map((same) => same.toSorted((a, b) => b.count - a.count)[0]!)
    const { one, other } = found[0]!
    links.set(key, { one, other, score: kept.reduce((sum, tie) => sum + pointsOf(tie, thresholds), 0), ties: kept })
  }
  return links
}

/** The links with the points of trading mostly with each other. */
export function withTrading(links: Links, pairs: readonly Pair[], { linked }: Thresholds): Links {
  const close = pairs.filter(({ one, other, quote, oneQuote, otherQuote }) => {
    return one !== other && quote >= linked.tradingShareMin * Math.max(oneQuote, otherQuote)
  })
  const keys = new Set(close.map(({ one, other }) => pairKey(one, other)))
  return new Map([...links].map(([key, link]) => [key, keys.has(key) ? { ...link, score: link.score + linked.trading } : link]))
}

/** Whether the exchange knows of the pair anyway, by a firm: not a finding by itself. */
const isKnown = ({ ties }: Link): boolean => ties.some(({ kind }) => kind === 'firm' || kind === 'member')
/** Whether one of the two is a member of the other's firm: what both do for themselves is not of one person. */
export const isOfMember = ({ ties }: Link): boolean => ties.some(({ kind }) => kind === 'member')

export const isLinked = ({ score }: Link, { linked }: Thresholds): boolean => score >= linked.scoreMin

export type LinkParts = {
  readonly links: Links
  readonly span: Span
  readonly roleOf: (user: UserId) => PartyRole
  /** The heaviest score of an earlier finding about all of these accounts; 0 for none. */
  readonly toldOf: (users: readonly UserId[]) => number
  readonly who: Who
}

/** Accounts that a group of a finding names at most. */
export const groupMax = 50

/**
 * Groups of linked accounts, told on the day on which they were first seen, and again when their score rises. Market makers and benchmarks
 * among themselves are no finding: the exchange runs them.
 */
export function linkedAccounts({ links, span, roleOf, toldOf, who }: LinkParts, thresholds: Thresholds): readonly Found[] {
  const strong = [...links.values()].filter((link) => isLinked(link, thresholds) && !isKnown(link))
  return groupsOf(strong).flatMap((group) => {
    const all = [...new Set(group.flatMap(({ one, other }) => [one, other]))].toSorted((a, b) => a - b)
    const users = all.slice(0, groupMax)
    const score = group.reduce((highest, link) => Math.max(highest, link.score), 0)
    if (users.every((user) => ['maker', 'bench'].includes(roleOf(user))) || toldOf(users) >= score) return []
    return [foundOf({ group, users, all: all.length, score, span, roleOf, who }, thresholds)]
  })
}

type Group = { readonly group: readonly Link[]; readonly users: readonly UserId[]; readonly all: number; readonly score: number }

function foundOf(
  { group, users, all, score, span, roleOf, who }: Group & Pick<LinkParts, 'span' | 'roleOf' | 'who'>,
  thresholds: Thresholds,
): Found {
  const reasons = group.toSorted((a, b) => b.score - a.score).slice(0, 10)
  const makers = users.filter((user) => ['maker', 'bench'].includes(roleOf(user)))
  const sentences = [
    all === 2 ? 'These two accounts may belong to one person.' : `These ${countText(all)} accounts may belong to one person.`,
    ...reasons.map((link) => `${who(link.one)} and ${who(link.other)}: ${reasonsOf(link)}.`),
    ...(group.length > reasons.length ? [`${plural(group.length - reasons.length, 'more pair')} of them share something.`] : []),
    ...makers.map((user) => `${who(user)} is a market maker of the exchange.`),
    'A family, a shared flat or an office can look the same; the figures alone prove nothing.',
  ]
  const times = group.flatMap(({ ties }) => ties.map(({ at }) => at))
  const within = (at: number): Millis => Math.min(Math.max(at, 0), span.to - 1) as Millis
  return {
    ...{ kind: 'linked', market: null, users, weight: score, text: sentences.join(' '), orders: [] },
    measures: [
      { name: 'Points of the closest pair', seen: countText(score), limit: `at least ${thresholds.linked.scoreMin}` },
      { name: 'Accounts', seen: countText(all), limit: null },
    ],
    ...{ from: within(times.reduce(least)), to: within(times.reduce(most)) },
  }
}

const least = (one: Millis, other: Millis): Millis => (one < other ? one : other)
const most = (one: Millis, other: Millis): Millis => (one > other ? one : other)

/** `the same browser, in 14 logins; the same network, on 5 days` */
export function reasonsOf({ ties }: Link): string {
  const texts = {
    device: (count: number) => `logged in with the same browser, ${plural(count, 'login')}`,
    document: () => 'gave the number of one identity document',
    network: (count: number) => `used the same network on ${plural(count, 'day')}`,
    referral: () => 'one invited the other',
    firm: () => 'belong to one firm',
    member: () => 'are an account of a firm and that of somebody who takes part in it',
  }
  return ties.map(({ kind, count }) => texts[kind](count)).join('; ')
}

/** Accounts of each group of linked accounts, lowest first. */
export function linkedUsers(links: Links, thresholds: Thresholds): readonly (readonly UserId[])[] {
  const strong = [...links.values()].filter((link) => isLinked(link, thresholds) && !isOfMember(link))
  return groupsOf(strong).map((group) => [...new Set(group.flatMap(({ one, other }) => [one, other]))].toSorted((a, b) => a - b))
}

/** Links that hang together by their accounts. */
function groupsOf(links: readonly Link[]): readonly (readonly Link[])[] {
  const heads = new Map<UserId, UserId>()
  // A loop, because a chain of links can be as long as somebody has accounts.
  const headOf = (user: UserId): UserId => {
    const path: UserId[] = []
    let head = user
    for (let above = heads.get(head); above !== undefined; above = heads.get(head)) {
      path.push(head)
      head = above
    }
    for (const below of path) heads.set(below, head)
    return head
  }
  for (const { one, other } of links) {
    const [a, b] = [headOf(one), headOf(other)]
    if (a !== b) heads.set(Math.max(a, b) as UserId, Math.min(a, b) as UserId)
  }
  return [...Map.groupBy(links, ({ one }) => headOf(one)).values()]
}

/** What is known of a pair, as part of another finding; empty for nothing. */
export function linkText(links: Links, one: UserId, other: UserId): string {
  const link = links.get(pairKey(one, other))
  return link === undefined || link.ties.length === 0 ? '' : ` The two ${reasonsOf(link)}.`
}

/** ` 100000001 and 100000002 logged in with the same browser, 3 logins.`; empty for nothing. */
export function reasonText(links: Links, { one, other }: Pick<Link, 'one' | 'other'>, who: Who): string {
  const link = links.get(pairKey(one, other))
  return link === undefined || link.ties.length === 0 ? '' : ` ${who(one)} and ${who(other)}: ${reasonsOf(link)}.`
}

export const shareOf = (part: number, whole: number): number => (whole > 0 ? part / whole : 0)
export const shareLimit = (share: number): string => `at least ${shareText(share)}`
