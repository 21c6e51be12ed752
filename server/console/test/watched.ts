import type pg from 'pg'
import { Listing } from '../../live/listing.ts'
import type { Watched } from '../watch/watched.ts'

/** What the pages look at while the engine is away. */
export function awayFrom(pool: pg.Pool): Watched {
  const away = () => Promise.reject(new Error('the engine is away'))
  return { pool, ask: { pools: away, optionTerms: away, marks: away, marginTerms: away }, listing: new Listing() }
}
