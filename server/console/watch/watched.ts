import type { Ask } from '@candor/core/protocol/port.ts'
import type pg from 'pg'
import type { Listing } from '../../live/listing.ts'

/** What the pages that only read look at. */
export type Watched = {
  readonly pool: pg.Pool
  /** Rejects while the engine is away; the pages then say so and show the rest. */
  readonly ask: Pick<Ask, 'pools' | 'optionTerms' | 'marks' | 'marginTerms'>
  readonly listing: Listing
}

/** An answer of the engine, or null while it is away. */
export async function ifThere<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch(() => null)
}
