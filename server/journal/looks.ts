import { Exchange } from '@candor/core/exchange/exchange.ts'
import { decodeEvents } from '@candor/core/protocol/codec/event.ts'
import { decodeCommand } from '@candor/core/protocol/codec/command.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { Millis } from '@candor/core/money/brand.ts'
import type pg from 'pg'
import { Damaged, NoSnapshot } from './fault.ts'
import { readJournal } from './read.ts'
import { restoreSnapshot } from './recover.ts'
import { type RowWatch, replayRow } from './replay.ts'
import { coreVersion, emptyHead, type Head, type Row } from './row.ts'
import { secret } from './secret.ts'
import { listSnapshots } from './snapshots.ts'

/** A command of the journal. */
export type Seen = { readonly seq: number; readonly at: Millis; readonly command: Command }

/** Looks at the core around one command. It must change nothing in it. */
export type Look = {
  readonly seq: number
  readonly before?: (exchange: Exchange, seen: Seen) => void
  readonly after?: (exchange: Exchange, events: readonly Event[], seen: Seen) => void
}

/**
 * Why a command can't be executed again. `version`: another version of the core decided it. `gone`: the journal or the states before it
 * are no longer kept. `far`: the nearest state that is kept is too far away. `failed`: the replay contradicts the journal.
 */
export const lookFaults = ['version', 'gone', 'far', 'failed'] as const
export type LookFault = (typeof lookFaults)[number]

export type LookOptions = {
  /** The most commands between a kept state and a look. */
  readonly reachMax: number
  /**
   * Awaited after each row, with the place and the looks that can't be taken. `false` ends the pass there: later looks are neither taken
   * nor among those that can't be taken.
   */
  readonly onProgress?: (seq: number, missed: ReadonlyMap<Look, LookFault>) => Promise<boolean>
  readonly onDamage?: (damage: Damaged) => void
}

/** To restore a later snapshot costs about as much as to execute this many commands. */
const skipMin = 200_000

/**
 * Takes all looks in one pass over the journal: from the newest snapshot before the first one, every row's hash and digest checked, and
 * from a later snapshot where that saves much. Returns the looks that could not be taken.
 */
export async function takeLooks(pool: pg.Pool, looks: readonly Look[], options: LookOptions): Promise<ReadonlyMap<Look, LookFault>> {
  const pass = new Pass(pool, options)
  const left = [...looks].sort((a, b) => a.seq - b.seq)
  while (left.length > 0 && !pass.isEnded) {
    const fault = await pass.reach(left[0]!.seq)
    if (fault !== undefined) pass.missed.set(left.shift()!, fault)
    else await pass.run(left)
  }
  return pass.missed
}

class Pass {
  readonly missed = new Map<Look, LookFault>()
  readonly #pool: pg.Pool
  readonly #options: LookOptions
  readonly #events = new Records()
  #exchange: Exchange | undefined
  #place: Head = emptyHead
  /** The last kept state on the way of the core, from which the reach counts; 0: the beginning. */
  #kept = 0
  /** Snapshots that can't be used. */
  readonly #bad = new Set<number>()
  #isEnded = false
  /** The last row that can't be replayed. */
  #wall: { readonly seq: number; readonly fault: LookFault } | undefined

  constructor(pool: pg.Pool, options: LookOptions) {
    this.#pool = pool
    this.#options = options
  }

  /** Whether `onProgress` ended it. */
  get isEnded(): boolean {
    return this.#isEnded
  }

  /** Brings the core to a place from which the command `seq` is replayed, or says why there is none. */
  async reach(seq: number): Promise<LookFault | undefined> {
    for (const snapshot of await listSnapshots(this.#pool)) {
      if (snapshot >= seq || this.#bad.has(snapshot)) continue
      if (this.#wall !== undefined && snapshot < this.#wall.seq) return this.#wall.fault
      if (seq - snapshot > this.#options.reachMax) return 'far'
      if (this.#stands(seq) && snapshot - this.#place.seq < skipMin) {
        this.#kept = snapshot
        return undefined
      }
      if (await this.#restore(snapshot)) return undefined
    }
    // Not from its place: look after look, a pass would go through the whole journal.
    if (this.#stands(seq)) return seq - this.#kept > this.#options.reachMax ? 'far' : undefined
    return this.#begin(seq)
  }

  /** Replays until the next look is better reached from elsewhere, and takes the looks on the way off the list. */
  async run(left: Look[]): Promise<void> {
    const exchange = this.#exchange!
    // To stop for one that can't be used would read the next rows anew after each row.
    const later = (await listSnapshots(this.#pool)).filter((seq) => !this.#bad.has(seq))
    try {
      for await (const row of readJournal(this.#pool, this.#place)) {
        if (row.coreVersion !== coreVersion) return this.#miss(left, row.seq, 'version')
        this.#replay(exchange, row, left)
        this.#place = { seq: row.seq, hash: row.hash }
        this.#isEnded = (await this.#options.onProgress?.(row.seq, this.missed)) === false
        if (this.#isEnded) return
        const next = left[0]?.seq
        if (next === undefined || next - this.#kept > this.#options.reachMax) return
        if (later.some((seq) => seq - row.seq >= skipMin && seq < next)) return
      }
      // The journal ends before them.
      this.#miss(left, Infinity, 'gone')
    } catch (cause) {
      if (!(cause instanceof Damaged)) throw cause
      this.#options.onDamage?.(cause)
      this.#miss(left, cause.seq, 'failed')
    }
  }

  #stands(seq: number): boolean {
    return this.#exchange !== undefined && this.#place.seq < seq
  }

  /** Nothing replays the row at `seq`: looks up to there are missed, and later ones need a later snapshot. */
  #miss(left: Look[], seq: number, fault: LookFault): void {
    this.#exchange = undefined
    this.#wall = { seq, fault }
    for (const look of left) if (look.seq <= seq) this.missed.set(look, fault)
    left.splice(0, left.length, ...left.filter((one) => one.seq > seq))
  }

  #replay(exchange: Exchange, row: Row, left: Look[]): void {
    // They are in order. There may be thousands, and there are many rows.
    const later = left.findIndex(({ seq }) => seq > row.seq)
    const taken = later < 0 ? [...left] : left.slice(0, later)
    if (taken.length === 0) return void replayRow(exchange, row, this.#events)
    replayRow(exchange, row, this.#events, watchOf(exchange, taken))
    left.splice(0, taken.length)
  }

  async #restore(seq: number): Promise<boolean> {
    // Two states at once would need twice the memory.
    this.#exchange = undefined
    try {
      const { exchange, place } = await restoreSnapshot(this.#pool, seq)
      this.#exchange = exchange
      this.#place = place
      this.#kept = place.seq
      return true
    } catch (cause) {
      if (!(cause instanceof Damaged)) throw cause
      this.#bad.add(seq)
      if (!(cause instanceof NoSnapshot)) this.#options.onDamage?.(cause)
      return false
    }
  }

  /** Starts with the empty exchange, if the journal is kept from its first command. */
  async #begin(seq: number): Promise<LookFault | undefined> {
    if (this.#wall !== undefined) return this.#wall.fault
    const { rows } = await this.#pool.query<{ before: number; version: number }>(
      'select seq - n as before, core_version as version from journal order by seq limit 1',
    )
    const first = rows[0]
    if (first === undefined || first.before !== 0) return 'gone'
    if (first.version !== coreVersion) return 'version'
    if (seq > this.#options.reachMax) return 'far'
    this.#exchange = Exchange.create(secret)
    this.#place = emptyHead
    this.#kept = 0
    return undefined
  }
}

function watchOf(exchange: Exchange, looks: readonly Look[]): RowWatch {
  let seen: Seen | undefined
  const at = (seq: number): readonly Look[] => looks.filter((look) => look.seq === seq)
  return {
    before(seq, data, offset) {
      const mine = at(seq)
      if (mine.length === 0) return
      const { command, stamp } = decodeCommand(data, offset)
      seen = { seq, at: stamp.at as Millis, command }
      for (const look of mine) look.before?.(exchange, seen)
    },
    after(seq, events, from) {
      const mine = at(seq)
      if (mine.length === 0) return
      const told = decodeEvents(events.data, from, events.length)
      for (const look of mine) look.after?.(exchange, told, seen!)
    },
  }
}
