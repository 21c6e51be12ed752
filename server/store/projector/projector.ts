import type { Exchange } from '@candor/core/exchange/exchange.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { Damaged } from '../../journal/fault.ts'
import { readHead, readJournal } from '../../journal/read.ts'
import { replayRow } from '../../journal/replay.ts'
import { coreVersion, type Head, type Row } from '../../journal/row.ts'
import { listSnapshots, saveSnapshot } from '../../journal/snapshots.ts'
import { isPassing } from '../fault.ts'
import type { Store } from '../open.ts'
import { Projection } from '../projection/projection.ts'
import { readNoticeUsers } from './notice-users.ts'
import type { NetworkNames } from '../projection/coins/notices.ts'
import { type CoreAt, coreAtTables, recoverStanding } from './standing.ts'
import { readWatermark, type Watermark } from './watermark.ts'
import { readWebhookUsers } from './webhook-users.ts'
import { PartWriter, Superseded } from './write.ts'

/** Reports that the journal has grown, so that nobody has to poll. Returns a function that stops the reports. */
export type JournalLink = { onHead(listener: (seq: number) => void): () => void }

export type ProjectorOptions = {
  readonly store: Store
  readonly link?: JournalLink
  readonly log?: (line: { readonly message: string; readonly cause?: unknown }) => void
  /** A transaction is closed at about this many rows. */
  readonly rowsMax?: number
  readonly snapshotEvery?: number
  /** Tests only: the longer pause. */
  readonly busyPaceMs?: number
  /** How long ticks of the index tape stay in their table. Default: for ever. */
  readonly tapeKeptMs?: number
  /** What notices and webhooks call networks. */
  readonly networks?: NetworkNames
  /** With several followers: whether this one has the seat. Without it nothing is written. */
  readonly mayWrite?: () => boolean
  /** A core that has followed the journal, not beyond the tables. */
  readonly warm?: CoreAt
}

export type Lag = { readonly commands: number; readonly ms: number }

const rowsMaxDefault = 20_000
const snapshotEveryDefault = 1_000_000
/** Pause between two reads of the journal, so that a quiet exchange makes few transactions and a busy one makes large ones. */
const paceMs = 25
/**
 * After a read of this many commands the pause is longer, unless a caller waits: most orders are placed and closed within it and
 * cost one row.
 */
const busyCommands = 100
const busyPaceMs = 400
/** Longest uninterrupted work while the follower is close behind: callers that wait for a commit need the processor at once. */
const pieceMs = 1
const nearCommands = 20_000
const pollMs = 50
const pollWithLinkMs = 1000
const pauseMs = 100
/** Upper bound of the work at the end: a process gets eight seconds to stop. */
const closeUpMs = 4_000

/** Starts where the tables end and follows the journal from there, in the background. */
export async function startProjector(options: ProjectorOptions): Promise<Projector> {
  const { pool } = options.store
  const onBadSnapshot = (damage: Damaged): void => options.log?.({ message: 'A snapshot could not be used', cause: damage })
  const { exchange, head, standing } = await recoverStanding(pool, onBadSnapshot, options.warm)
  const lastSnapshot = (await listSnapshots(pool))[0] ?? 0
  return new Projector(
    options,
    exchange,
    head,
    new Projection({ ...standing, tapeKeptMs: options.tapeKeptMs, networks: options.networks }),
    { seq: standing.seq, at: standing.at },
    lastSnapshot,
  )
}

/**
 * The follower. Its own core replays the journal and must produce the same events; their rows are written together with the
 * watermark. While one batch is written, the next is collected.
 */
export class Projector implements AsyncDisposable {
  readonly #options: ProjectorOptions
  readonly #writer: PartWriter
  readonly #events = new Records()
  readonly #listeners = new Set<(watermark: Watermark) => void>()
  readonly #newsListeners = new Set<() => void>()
  readonly #unlink: (() => void) | undefined
  readonly #running: Promise<void>
  #exchange: Exchange
  #projection: Projection
  #head: Head
  #watermark: Watermark
  #journalSeq: number
  #snapshotSeq: number
  #webhooksVersion = 0
  #noticesVersion = 0
  #writing: Promise<void> = Promise.resolve()
  #failed: Error | undefined
  #isStopping = false
  #wake: (() => void) | undefined
  #endPause: (() => void) | undefined

  constructor(
    options: ProjectorOptions,
    exchange: Exchange,
    head: Head,
    projection: Projection,
    watermark: Watermark,
    snapshotSeq: number,
  ) {
    this.#options = options
    this.#exchange = exchange
    this.#head = head
    this.#projection = projection
    this.#watermark = watermark
    this.#journalSeq = head.seq
    this.#snapshotSeq = snapshotSeq
    const onTrouble = (cause: unknown): void => this.#log('The tables cannot be written now, trying again', cause)
    this.#writer = new PartWriter(options.store.pool, onTrouble, options.mayWrite)
    projection.follow(exchange)
    this.#unlink = options.link?.onHead((seq) => this.#notice(seq))
    this.#running = this.#run()
  }

  /** The last command whose rows can be read. */
  get watermark(): Watermark {
    return this.#watermark
  }

  /** Distance of the tables behind the journal, as far as this process knows. */
  get lag(): Lag {
    const commands = Math.max(0, this.#journalSeq - this.#watermark.seq)
    return { commands, ms: commands === 0 ? 0 : Math.max(0, Date.now() - this.#watermark.at) }
  }

  /**
   * The error for which it stopped for good: a digest that differs, or an unknown event. Screens keep showing the rows that are
   * there.
   */
  get failed(): Error | undefined {
    return this.#failed
  }

  /** `listener` is called after each transaction. Returns a function that stops the calls. */
  onWatermark(listener: (watermark: Watermark) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** `listener` is called when deliveries to webhooks wait. Returns a function that stops the calls. */
  onNews(listener: () => void): () => void {
    this.#newsListeners.add(listener)
    return () => this.#newsListeners.delete(listener)
  }

  /** Resolves when the tables contain `seq`. Rejects when the projector fails or is stopped before. */
  async reached(seq: number): Promise<void> {
    while (this.#watermark.seq < seq) {
      if (this.#failed !== undefined) throw this.#failed
      if (this.#isStopping) throw new Error(`The projector stopped before ${seq}`)
      this.#wake?.()
      await sleep(5)
    }
  }

  /** Shortens the pause, because a caller waits for the journal's current end. */
  hurry(): void {
    this.#endPause?.()
  }

  /**
   * Brings the tables to the journal's current end if that takes little time, because an upgrade begins there. Otherwise the rest
   * is done at the next start.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#closeUp().catch((cause: unknown) => this.#log('The tables do not reach the end of the journal', cause))
    this.#isStopping = true
    this.#unlink?.()
    this.#wake?.()
    this.hurry()
    this.#writer.giveUp()
    await this.#running
    this.#writer.close()
  }

  async #closeUp(): Promise<void> {
    const deadline = performance.now() + closeUpMs
    const head = readHead(this.#options.store.pool)
    head.catch(() => undefined)
    const seq = (await Promise.race([head, sleep(closeUpMs, undefined, { ref: false })]))?.seq ?? 0
    this.#notice(seq)
    while (this.#watermark.seq < seq && this.#failed === undefined && performance.now() < deadline) {
      this.hurry()
      this.#wake?.()
      await sleep(5)
    }
  }

  async #run(): Promise<void> {
    while (!this.#isStopping && this.#failed === undefined) {
      try {
        await this.#work()
      } catch (cause) {
        await this.#startOver(cause).catch((failure: unknown) => this.#fail(failure))
      }
    }
  }

  async #work(): Promise<void> {
    while (!this.#isStopping) {
      const before = this.#head.seq
      await this.#follow()
      await this.#flush()
      if (this.#head.seq !== before) {
        await this.#pause(this.#head.seq - before >= busyCommands)
        continue
      }
      await this.#writing
      await this.#rest(this.#options.link === undefined ? pollMs : pollWithLinkMs)
    }
    await this.#writing
  }

  #fail(cause: unknown): void {
    this.#failed = cause instanceof Error ? cause : new Error(String(cause))
    if (!this.#isStopping)
      this.#log('The projector stopped: replay gives different events than were released, or their rows cannot be written', cause)
    this.#writer.close()
  }

  /**
   * Whether the tables are behind the rows that were written: a database that crashed loses its last asynchronous commits. With several
   * followers, another one may also have written them while this one had lost its seat.
   */
  async #isTakenBack(cause: unknown): Promise<boolean> {
    const own = cause instanceof Stop ? cause.cause : cause
    if (!(own instanceof Superseded)) return false
    const { seq } = await this.#patiently(() => readWatermark(this.#options.store.pool))
    return seq < this.#watermark.seq || this.#options.mayWrite !== undefined
  }

  /** Projects again what the database lost or another follower wrote, once this one may write. Throws any other reason. */
  async #startOver(reason: unknown): Promise<void> {
    if (!(await this.#isTakenBack(reason))) throw reason
    const { store, mayWrite = () => true } = this.#options
    const { pool } = store
    let core: CoreAt = { exchange: this.#exchange, head: this.#head }
    if (!mayWrite()) this.#log('Another follower writes the tables: this one waits', undefined)
    for (; !mayWrite(); await sleep(pauseMs)) {
      if (this.#isStopping) return
      core = await this.#patiently(() => coreAtTables(pool, () => undefined, core))
    }
    const { exchange, head, standing } = await this.#patiently(() => recoverStanding(pool, () => undefined, core))
    const why = standing.seq < this.#watermark.seq ? 'The database lost its last commits' : 'Another follower has written'
    this.#log(`${why}: the tables continue from ${standing.seq}`, undefined)
    this.#exchange = exchange
    this.#head = head
    this.#projection = new Projection({ ...standing, tapeKeptMs: this.#options.tapeKeptMs, networks: this.#options.networks })
    this.#projection.follow(exchange)
    this.#watermark = { seq: standing.seq, at: standing.at }
    this.#webhooksVersion = 0
    this.#noticesVersion = 0
    this.#writing = Promise.resolve()
  }

  /** Waits until the database answers. */
  async #patiently<T>(ask: () => Promise<T>): Promise<T> {
    while (true) {
      try {
        return await ask()
      } catch (cause) {
        if (!isPassing(cause) || this.#isStopping) throw cause
        await sleep(pauseMs)
      }
    }
  }

  /** Reads and applies the journal up to its current end. A broken connection is retried; damage is not. */
  async #follow(): Promise<void> {
    const { pool } = this.#options.store
    try {
      let known = (await readHead(pool)).seq
      this.#notice(known)
      if (this.#journalSeq === this.#head.seq) return
      let since = performance.now()
      await this.#learnUsers()
      for await (const row of readJournal(pool, this.#head)) {
        // A webhook or a switch of notices from before these commands must get their events.
        if (row.seq > known) {
          known = (await readHead(pool)).seq
          await this.#learnUsers()
        }
        await this.#apply(row)
        if (this.#isStopping) return
        if (performance.now() - since > pieceMs && this.#journalSeq - this.#head.seq < nearCommands) {
          await sleep(pieceMs)
          since = performance.now()
        }
      }
    } catch (cause) {
      if (cause instanceof Damaged || cause instanceof Stop) throw cause
      this.#log('The journal cannot be read now, trying again', cause)
      await sleep(pauseMs)
    }
  }

  /** Who has webhooks, and who gets no notices of frequent events. */
  async #learnUsers(): Promise<void> {
    const { pool } = this.#options.store
    const [hooked, told] = await Promise.all([readWebhookUsers(pool, this.#webhooksVersion), readNoticeUsers(pool, this.#noticesVersion)])
    if (hooked !== undefined) {
      this.#webhooksVersion = hooked.version
      this.#projection.watch(hooked.users)
    }
    if (told === undefined) return
    this.#noticesVersion = told.version
    this.#projection.notify(told.users)
  }

  async #apply(row: Row): Promise<void> {
    try {
      const commands = replayRow(this.#exchange, row, this.#events)
      this.#projection.apply(this.#events, commands)
    } catch (cause) {
      throw cause instanceof Damaged ? cause : new Stop(`Row ${row.seq} cannot be projected`, { cause })
    }
    this.#head = { seq: row.seq, hash: row.hash }
    if (this.#projection.size >= (this.#options.rowsMax ?? rowsMaxDefault)) await this.#flush()
    if (row.seq - this.#snapshotSeq >= (this.#options.snapshotEvery ?? snapshotEveryDefault)) await this.#snapshot()
  }

  /** Writes the collected batch, once the batch before it is written. */
  async #flush(): Promise<void> {
    try {
      await this.#writing
    } catch (cause) {
      throw new Stop('The tables cannot be written', { cause })
    }
    if (this.#projection.seq === this.#watermark.seq) return
    const part = this.#projection.take()
    this.#writing = this.#writer.write(part).then(() => {
      this.#watermark = { seq: part.to, at: part.at }
      for (const listener of this.#listeners) listener(this.#watermark)
      if (part.hasNews) for (const listener of this.#newsListeners) listener()
    })
    this.#writing.catch(() => undefined)
  }

  /** Taken only when the tables are at the same command, so that the next start of the projector can use it, too. */
  async #snapshot(): Promise<void> {
    await this.#flush()
    await this.#flush()
    this.#snapshotSeq = this.#head.seq
    try {
      await saveSnapshot(this.#options.store.pool, { ...this.#head, coreVersion, dump: this.#exchange.dump() })
    } catch (cause) {
      this.#log('A snapshot could not be written', cause)
    }
  }

  async #pause(isBusy: boolean): Promise<void> {
    await sleep(paceMs)
    if (!isBusy || this.#isStopping) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, (this.#options.busyPaceMs ?? busyPaceMs) - paceMs)
      this.#endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#endPause = undefined
  }

  #notice(seq: number): void {
    if (seq <= this.#journalSeq) return
    this.#journalSeq = seq
    this.#wake?.()
  }

  /** Waits until something happens, for at most this long. */
  async #rest(ms: number): Promise<void> {
    if (this.#isStopping) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wake = undefined
  }

  #log(message: string, cause: unknown): void {
    this.#options.log?.({ message, cause })
  }
}

/** Wraps a fault that must not be retried. */
class Stop extends Error {}
