import type pg from 'pg'
import { Listing } from '../../live/listing.ts'
import type { Watched } from '../watch/watched.ts'

/** Sources of the reading pages while the engine and the follower are away. */
export function awayFrom(pool: pg.Pool): Watched {
  const away = () => Promise.reject(new Error('the engine is away'))
  const state = async () => ({
    ...{ version: '0', commit: '', answer: { orders: 0, p99: null }, isEngineUp: false, isClockSynced: true, processes: [], disk: null },
    follower: { commands: 0, ms: 0, problem: 'the projector does not report' },
    feeds: { mode: 'simulated' as const, isFallback: false, venues: [] },
  })
  return { pool, ask: { pools: away, optionTerms: away, marks: away, marginTerms: away }, listing: new Listing(), state }
}
