import type pg from 'pg'
import { tapeHour } from '../../store/query/market/tape-hours.ts'

/**
 * Hours kept in memory: visitors mostly want the newest one. The driver reads megabytes of bytes as hexadecimal digits, which takes
 * longer than sending them.
 */
const keptMax = 4

/** The prepared hours of the tape. Those asked for last stay in memory, and requests for the same hour share one read. */
export class HourFiles {
  readonly #pool: pg.Pool
  readonly #kept = new Map<number, Promise<Buffer | undefined>>()

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  /** The gzip of the hour that begins at this time; undefined when it is not prepared. Prepared hours never change. */
  find(hour: number): Promise<Buffer | undefined> {
    const reading = this.#kept.get(hour) ?? this.#read(hour)
    this.#kept.delete(hour)
    this.#kept.set(hour, reading)
    if (this.#kept.size > keptMax) this.#kept.delete(this.#kept.keys().next().value!)
    return reading
  }

  #read(hour: number): Promise<Buffer | undefined> {
    const forget = (): void => {
      if (this.#kept.get(hour) === reading) this.#kept.delete(hour)
    }
    const reading: Promise<Buffer | undefined> = tapeHour(this.#pool, hour)
    reading.then((body) => body ?? forget(), forget)
    return reading
  }
}
