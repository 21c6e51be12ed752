import { setImmediate as breathe } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { WireTape } from '@candor/core/protocol/wire/option.ts'
import type pg from 'pg'
import { tapePiece } from '../query/market/tape.ts'
import { hourMs, keepTapeHour, nextTapeHour } from '../query/market/tape-hours.ts'

const pageMax = 500
const lookEveryMs = 30_000

export type TapeHoursOptions = {
  readonly pool: pg.Pool
  /** Names of venues and markets, for the header of a piece. */
  readonly names: () => Promise<Pick<WireTape, 'venues' | 'markets'>>
  readonly onFault: (cause: unknown) => void
}

/** Prepares each complete hour of the tape for download, so that a request costs a read and no work. */
export class TapeHours implements AsyncDisposable {
  readonly #options: TapeHoursOptions
  readonly #timer: NodeJS.Timeout
  #running: Promise<void> = Promise.resolve()
  #isEnding = false

  constructor(options: TapeHoursOptions) {
    this.#options = options
    const look = (): void => void (this.#running = this.#running.then(() => this.build()).catch(options.onFault))
    this.#timer = setInterval(look, lookEveryMs)
    look()
  }

  /** Prepares all complete hours that are not prepared yet, oldest first. */
  async build(): Promise<void> {
    const { pool } = this.#options
    while (!this.#isEnding) {
      const hour = await nextTapeHour(pool)
      if (hour === undefined) return
      await this.#make(hour)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnding = true
    clearInterval(this.#timer)
    await this.#running
  }

  async #make(hour: number): Promise<void> {
    const { pool, names } = this.#options
    const until = hour + hourMs
    let page = await tapePiece(pool, { at: hour, until, limit: pageMax })
    const firstTick = page.ticks[0]?.tick
    if (firstTick === undefined) return
    const last = await lastTickBefore(pool, until)
    const parts = [`${JSON.stringify({ ...(await names()), before: page.before, head: last })}\n`]
    for (;;) {
      parts.push(page.ticks.map((tick) => `${tick.text}\n`).join(''))
      if (page.ticks.length < pageMax) break
      await breathe()
      page = await tapePiece(pool, { from: page.ticks.at(-1)!.tick + 1, until, limit: pageMax })
    }
    const body = await promisify(gzip)(Buffer.from(parts.join('')), { level: 6 })
    await keepTapeHour(pool, { hour, firstTick, lastTick: last.tick }, body)
  }
}

async function lastTickBefore(pool: pg.Pool, until: number): Promise<WireTape['head']> {
  const { rows } = await pool.query<{ tick: number; hash: Buffer }>(
    'select tick, hash from index_tape where at_ms < $1 order by at_ms desc, tick desc limit 1',
    [until],
  )
  const row = rows[0]!
  return { tick: row.tick, hash: row.hash.toString('hex') }
}
