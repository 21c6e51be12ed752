import { deflateRawSync } from 'node:zlib'
import type { Millis } from '@candor/core/money/brand.ts'
import { tapeSlots, type TapeTick } from '@candor/core/proof/tape.ts'
import { TICK_COUNT } from '@candor/core/protocol/codec/index-prices.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import { Columns, type Statement } from './columns.ts'

const hourMs = 3_600_000

/** Even the projector can only append to this table: a function of the table's owner deletes old ticks, where it may be called. */
export const forgetTape = 'select forget_tape($1)'
/** The same for a temporary table that hides the real one. */
export const forgetOwnTape = 'delete from index_tape where at_ms < $1'

/** Writes the tape as rows, and once an hour deletes those older than `keptMs`. Undefined: all are kept. */
export class TapeProjection {
  readonly #keptMs: number | undefined
  readonly #rows = new Columns('index_tape', { tick: 'bigint', at_ms: 'bigint', hash: 'bytea', payload: 'bytea' })
  #hour: number
  #before: number | undefined

  /** `at`: time of the last command that the tables hold. */
  constructor(at: Millis, keptMs: number | undefined) {
    this.#keptMs = keptMs
    this.#hour = Math.floor(at / hourMs)
  }

  get size(): number {
    return this.#rows.length
  }

  apply(event: Event): void {
    if (event.type !== 'tape.extended') return
    this.#rows.push(event.tick, event.at, `\\x${event.hash}`, `\\x${packTick(event).toString('hex')}`)
    const hour = Math.floor(event.at / hourMs)
    if (hour === this.#hour || this.#keptMs === undefined) return
    this.#hour = hour
    this.#before = hour * hourMs - this.#keptMs
  }

  take(): readonly (Statement | undefined)[] {
    const before = this.#before
    this.#before = undefined
    const old = before === undefined ? undefined : { text: forgetTape, batches: [[String(before)]] }
    return [this.#rows.take(), old]
  }
}

/** A tick's column `payload`: its slots from the count of prices on. The slots before have columns of their own. */
export function packTick(tick: TapeTick): Buffer {
  const slots = tapeSlots(tick)
  return deflateRawSync(new Uint8Array(slots.buffer, TICK_COUNT * 8))
}
