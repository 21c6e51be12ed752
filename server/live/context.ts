import type { Millis } from '@candor/core/money/brand.ts'
import type { Ask, Outcome, Submit } from '@candor/core/protocol/port.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import type { WireFeed } from '@candor/core/protocol/wire/market.ts'
import type pg from 'pg'
import { Refused } from '../refused.ts'
import { requireMemberAwake } from './requests/member-rest.ts'
import type { Freshness } from './freshness.ts'
import type { Staleness } from './staleness.ts'
import type { Listing } from './listing.ts'
import type { MarketData } from './data.ts'
import type { Orders } from './orders.ts'
import type { Followed } from './followed.ts'

const dayMs = 86_400_000

/** Amount of one press of the faucet button, and the most that a customer can get per UTC day. */
export type FaucetTerms = { readonly asset: string; readonly amount: string; readonly dailyMax: string }

/** The parts that routes and sockets work with. */
export type Context = {
  readonly mode: 'sandbox' | 'production'
  readonly version: string
  readonly commit: string
  readonly submit: Submit
  readonly ask: Ask
  readonly pool: pg.Pool
  readonly listing: Listing
  readonly orders: Orders
  readonly followed: Followed
  readonly data: MarketData
  readonly freshness: Freshness
  readonly faucet: readonly FaucetTerms[]
  /** Where customers write to. */
  readonly support?: string | undefined
  /** Countries whose residents get no account. */
  readonly unservedCountries: readonly string[]
  readonly feed: () => WireFeed
  readonly now: () => Millis
  readonly staleness: Staleness
}

/**
 * Submits a command and notes its journal position, so that the user's next read of the tables includes it.
 *
 * throws  Refused with the core's refusal, and with the seconds to wait when it ends at a known time
 */
export async function execute(
  context: Pick<Context, 'submit' | 'freshness' | 'ask' | 'listing' | 'now'>,
  user: UserId,
  command: Command,
  field?: string,
): Promise<Outcome> {
  await requireMemberAwake(context, command)
  const outcome = await context.submit(command)
  context.freshness.wrote(user, outcome.seq)
  if (!outcome.refusal) return outcome
  const wait = await waitOf(outcome.refusal, context.ask, user)
  throw new Refused(outcome.refusal, { ...(field === undefined ? {} : { field }), ...(wait === undefined ? {} : { retryAfter: wait }) })
}

/** Seconds until the user's pause ends, or until the next UTC day, whose turnover and withdrawals start at 0. */
async function waitOf(refusal: Refusal, ask: Ask, user: UserId): Promise<number | undefined> {
  const now = Date.now() as Millis
  if (refusal === 'TURNOVER_LIMIT' || refusal === 'DAILY_LIMIT' || refusal === 'CONVERT_LIMIT')
    return Math.ceil((dayStart(now) + dayMs - now) / 1_000)
  if (refusal !== 'RESTING') return undefined
  // The refusal stands without the time as well.
  const until = await ask.standing(user).then(
    ({ restUntil }) => restUntil,
    () => now,
  )
  return until > now ? Math.ceil((until - now) / 1_000) : undefined
}

/** Start of the UTC day that contains this time, in milliseconds. */
export function dayStart(now: Millis): number {
  return now - (now % dayMs)
}
