import type { WireFeed } from '@candor/core/protocol/wire/market.ts'
import type { Ask } from '@candor/core/protocol/port.ts'
import type pg from 'pg'
import type { Listing } from '../../live/listing.ts'
import type { ProcessHealth } from '../../live/process-health.ts'

/** State of the processes as this one knows it. `disk` is null where it can't be measured. */
export type SystemState = {
  readonly version: string
  readonly commit: string
  readonly isEngineUp: boolean
  readonly isClockSynced: boolean
  readonly follower: { readonly commands: number; readonly ms: number; readonly problem: string | null }
  readonly processes: readonly (ProcessHealth & { readonly ageMs: number })[]
  readonly feeds: WireFeed
  /** Time from an order to its answer in milliseconds, of 99 % of the last orders; null when there was none. */
  readonly answer: { readonly orders: number; readonly p99: number | null }
  readonly disk: { readonly free: number; readonly total: number; readonly isFull: boolean } | null
}

/** Sources of the pages that only read. */
export type Watched = {
  readonly pool: pg.Pool
  /** Rejects while the engine is away; the pages then say so and show the rest. */
  readonly ask: Pick<Ask, 'pools' | 'optionTerms' | 'marks' | 'marginTerms'>
  readonly listing: Listing
  readonly state: () => Promise<SystemState>
}

/** An answer of the engine, or null while it is away. */
export async function ifThere<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch(() => null)
}
