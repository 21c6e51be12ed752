import { type Exchange, expectedMax } from '@candor/core/exchange/exchange.ts'
import { commandLength } from '@candor/core/protocol/codec/command.ts'
import { OUTCOME_LENGTH } from '@candor/core/protocol/codec/event-layout.ts'
import type { Records } from '@candor/core/protocol/codec/records.ts'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { Fenced, NotWritten } from '../journal/fault.ts'
import { chain, coreVersion, type Head, type Row } from '../journal/row.ts'
import { type Beacon, RolledBack } from '../journal/witness.ts'
import { Refused } from '../refused.ts'
import { DecidedBatch, type Sink } from './batch.ts'
import { Condition } from './condition.ts'
import { watchDisk } from './disk.ts'
import { Gathering } from './gathering.ts'
import { Hub } from './hub.ts'
import { type Chunk, Inbox, type Taken } from './inbox.ts'
import { leaveSnapshot } from './leader/last-snapshot.ts'
import { lead, type Writer } from './leader/lead.ts'
import { Leftovers, leftoversMax } from './leftovers.ts'
import type { EngineOptions, EngineState } from './options.ts'
import { RecentBatches } from './recent.ts'
import { Releases } from './releases.ts'
import { machineTime, Sequencer, type TimeSource } from './sequencer.ts'
import { Silence } from './silence.ts'
import { questionsMs, Turns } from './turns.ts'

/** A little longer than a client waits for its own callers, whose commands then come together. */
const gatherMs = 4

/**
 * The one writer. Commands are decided as they arrive; those decided while a commit is in flight form the next batch; a batch
 * is released when it is durable. One commit at a time, without a timer as long as commands come from one client.
 */
export class Engine implements AsyncDisposable {
  readonly #options: EngineOptions
  readonly #time: TimeSource
  readonly #inbox: Inbox
  readonly #batchMax: number
  /** Lets commands in between long questions. */
  readonly #questions = new Turns(questionsMs)
  readonly recent = new RecentBatches()
  readonly #releases = new Releases(this.recent)
  readonly hub = new Hub()
  readonly #condition = new Condition()
  #exchange: Exchange | undefined
  #sequencer: Sequencer
  #writer: Writer | undefined
  /** The last epoch under which it led, and the one from which on witnesses count. */
  #term = { epoch: 0, acceptedEpoch: 0 }
  #beginning: Promise<void> | undefined
  #head: Head = { seq: 0, hash: new Uint8Array(32) }
  /** The batch that is being decided. */
  #open = new DecidedBatch()
  /** The batch that is being written. */
  #committing: DecidedBatch | undefined
  /** A released batch, for reuse. */
  #spare: DecidedBatch | undefined
  #snapshotSeq = 0
  readonly #gathering = new Gathering(gatherMs, () => this.#gathered())
  readonly #leftovers: Leftovers
  readonly #silence: Silence
  #idle: (() => void) | undefined
  #disk: Disposable | undefined

  /** Does nothing until it begins. */
  constructor(options: EngineOptions) {
    this.#options = options
    this.#time = options.time ?? machineTime
    this.#inbox = new Inbox(options.inboxMax ?? 20_000)
    this.#batchMax = options.batchMax ?? 4096
    this.#sequencer = new Sequencer(0, this.#time)
    this.#silence = new Silence(options.silenceMaxMs ?? Number.POSITIVE_INFINITY)
    this.#leftovers = new Leftovers({
      dueAtMs: () => this.#dueAtMs(),
      now: () => this.#sequencer.now(),
      steady: () => this.#time.steady(),
      tick: (command) => this.#tick(command),
      finished: () => this.#commit(),
    })
  }

  /** An engine that has begun. */
  static async start(options: EngineOptions): Promise<Engine> {
    const engine = new Engine(options)
    await engine.begin()
    return engine
  }

  /**
   * Takes the leadership, recovers, and then accepts commands; a standby resolves when it leads. Throws when the journal is damaged or
   * can't be reached. Resolves also when the engine is stopped meanwhile.
   */
  async begin(): Promise<void> {
    const { diskFolder } = this.#options
    this.#beginning = this.#recover()
    await this.#beginning
    if (diskFolder !== undefined) this.#disk = watchDisk(diskFolder, (isFull) => this.setFull(isFull))
  }

  get state(): EngineState {
    return this.#condition.state
  }

  get reason(): string {
    return this.#condition.reason
  }

  get isClockSynced(): boolean {
    return this.#sequencer.isSynced()
  }

  get seq(): number {
    return this.#head.seq
  }

  /** What a leader tells clients and the witnesses of other machines; undefined while it does not lead. */
  get place(): Beacon | undefined {
    return this.#writer && { ...this.#term, seq: this.#head.seq, hash: this.#head.hash }
  }

  /** Commands that wait to be decided. */
  get waiting(): number {
    return this.#inbox.waiting
  }

  attach(sink: Sink): void {
    this.#releases.attach(sink)
  }

  detach(sink: Sink): void {
    this.#releases.detach(sink)
    for (const batch of [this.#open, this.#committing]) batch?.own.delete(sink)
  }

  onState(listener: (state: EngineState) => void): void {
    this.#condition.on(listener)
  }

  offState(listener: (state: EngineState) => void): void {
    this.#condition.off(listener)
  }

  /** Takes commands to decide. Each is answered once: released with its batch, or refused. */
  offer(chunk: Chunk): void {
    if (this.#condition.state !== 'up' || !this.#inbox.add(chunk)) {
      chunk.sink?.refuse(chunk.requests, 'UNAVAILABLE')
      return
    }
    this.#decide()
  }

  /** Asks the core now and answers once everything it has seen is durable. Throws Refused('UNAVAILABLE') otherwise. */
  async ask<T>(question: (exchange: Exchange) => T): Promise<T> {
    const { answer, batch, writer } = await this.#questions.run(() => {
      if (!this.#condition.isAnswering || !this.#exchange) throw new Refused('UNAVAILABLE')
      const undurable = this.#open.count > 0 ? this.#open : this.#committing
      return { answer: question(this.#exchange), batch: undurable, writer: this.#writer }
    })
    if (batch) await new Promise<void>((resolve, reject) => batch.waiting.push({ resolve, reject }))
    await writer?.answerable?.()
    return answer
  }

  /** Commands wait while the disk is nearly full; questions are still answered. */
  setFull(isFull: boolean): void {
    this.#condition.isDiskFull = isFull
    if (isFull && this.#condition.state === 'up') {
      this.#condition.setUp('')
      this.#refuseInbox('UNAVAILABLE')
    } else if (!isFull && this.#condition.state === 'full') {
      this.#condition.set('up', 'the disk has room again')
      this.#leftovers.schedule()
    }
  }

  /** Accepts no more commands, makes what was decided durable, writes a snapshot. */
  async stop(): Promise<void> {
    if (this.#condition.state === 'stopped') return
    if (this.#condition.state !== 'fenced' && this.#condition.state !== 'halted') this.#condition.set('stopped', 'stopping')
    this.#leftovers.stop()
    this.#disk?.[Symbol.dispose]()
    this.#refuseInbox('UNAVAILABLE')
    this.#gathered()
    await this.#beginning?.catch(() => undefined)
    if (this.#committing) await new Promise<void>((resolve) => (this.#idle = resolve))
    // The state equals every row up to the head, and no command can come in between.
    const isAtHead = this.#open.count === 0 && this.#head.seq !== this.#snapshotSeq
    if (this.#exchange && isAtHead) await leaveSnapshot(this.#options, this.#head, this.#exchange)
    await this.#writer?.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  #decide(): void {
    const exchange = this.#exchange as Exchange
    const batch = this.#open
    const atMs = this.#sequencer.now()
    const isSynced = this.#sequencer.isSynced()
    const taken: Taken[] = []
    let begun = 0
    try {
      this.#hear(exchange, batch, atMs)
      while (!this.#inbox.isEmpty && batch.count < this.#batchMax) {
        let at = batch.commands.length
        taken.length = 0
        begun = 0
        this.#inbox.take(batch, Math.min(expectedMax, this.#batchMax - batch.count), isSynced, taken)
        exchange.expect(batch.commands.data, at, batch.commands.length)
        for (const { sink, request } of taken) {
          begun++
          batch.execute(exchange, at, atMs, sink, request)
          at += commandLength(batch.commands.data, at)
        }
      }
    } catch (cause) {
      this.#halt(cause)
      // These commands have left the inbox but are not yet in the batch.
      for (const { sink, request } of taken.slice(begun)) sink?.refuse([request], 'UNAVAILABLE')
      return
    }
    this.#commit()
    this.#leftovers.schedule()
  }

  /** Marks prices as lost if they have not been confirmed for too long, before any other command. Returns whether it did. */
  #hear(exchange: Exchange, batch: DecidedBatch, nowMs: number): boolean {
    const tick = this.#silence.due(exchange, nowMs)
    if (tick === undefined) return false
    const at = batch.commands.length
    batch.commands.append(tick.command, 0, tick.command.length)
    batch.execute(exchange, at, tick.atMs, undefined, 0)
    return true
  }

  #dueAtMs(): number {
    if (this.#condition.state !== 'up' || !this.#exchange) return Number.POSITIVE_INFINITY
    return Math.min(this.#exchange.nextDueAtMs, this.#silence.dueAtMs(this.#exchange))
  }

  /** Starts the next commit if none is in flight, nobody is waited for, and there is something to commit. */
  #commit(): void {
    if (this.#committing || this.#open.count === 0 || !this.#writer) return
    const batch = this.#open
    if (this.#gathering.isWhole(batch.count)) this.#gathering.end(batch.count)
    if (this.#gathering.isOn) return
    this.#committing = batch
    this.#open = this.#spare ?? new DecidedBatch()
    this.#spare = undefined
    const row = chain(this.#head, this.#writer.epoch, batch.toJournal(coreVersion))
    const stall = setTimeout(() => this.#stalled(), this.#options.stallMs ?? 2000)
    this.#writer
      .append(row)
      .then(
        () => this.#committed(batch, row),
        (cause: unknown) => this.#notCommitted(cause),
      )
      .catch((cause: unknown) => this.#halt(cause))
      .finally(() => clearTimeout(stall))
  }

  #gathered(): void {
    this.#gathering.end(this.#open.count)
    this.#commit()
  }

  /** Callers of one client that were just answered join those of the others. Otherwise clients would commit in turns. */
  #gather({ own }: DecidedBatch): void {
    const clients = new Set([...own.keys(), ...this.#open.own.keys()])
    const answered = [...own.values()].reduce((sum, { length }) => sum + length / 3, 0)
    if (clients.size > 1) this.#gathering.begin(answered, this.#open.count)
  }

  #committed(batch: DecidedBatch, head: Head): void {
    this.#head = { seq: head.seq, hash: head.hash }
    if (this.#writer) this.#options.witness?.note(this.#writer.epoch, this.#head)
    this.#options.meter?.committed(batch, this.#writer?.epoch ?? 0)
    this.#committing = undefined
    this.#releases.release(batch)
    if (this.#condition.state === 'up') this.#gather(batch)
    batch.clear()
    this.#spare = batch
    if (this.#condition.state === 'down') this.#condition.setUp('the journal answers again')
    if (this.#condition.state === 'up') this.#decide()
    else this.#commit()
    if (!this.#committing) this.#idle?.()
  }

  /** Handles a commit that hangs: its callers stop waiting, but it stays in flight and its end decides. */
  #stalled(): void {
    if (this.#condition.state !== 'up') return
    this.#condition.set('down', 'the database does not answer')
    this.#committing?.giveUp('STATUS_UNKNOWN')
    this.#open.giveUp('STATUS_UNKNOWN')
    this.#refuseInbox('UNAVAILABLE')
  }

  async #notCommitted(cause: unknown): Promise<void> {
    const isUnknown = !(cause instanceof NotWritten) || cause.isUnknown
    this.#log('A batch could not be written to the journal', cause)
    const isStopping = this.#condition.state === 'stopped'
    const ends = cause instanceof Fenced ? 'fenced' : cause instanceof RolledBack ? 'halted' : 'down'
    if (!isStopping) this.#condition.set(ends, (cause as Error).message)
    // Memory is ahead of the disk: none of it may be used any more.
    this.#exchange = undefined
    this.#committing?.giveUp(isUnknown ? 'STATUS_UNKNOWN' : 'UNAVAILABLE')
    this.#open.giveUp('UNAVAILABLE')
    this.#refuseInbox('UNAVAILABLE')
    this.#committing = undefined
    this.#open = new DecidedBatch()
    this.#spare = undefined
    await this.#writer?.close()
    this.#writer = undefined
    this.#idle?.()
    while (this.#condition.state === 'down') {
      try {
        await this.#recover()
      } catch (failure) {
        if (failure instanceof RolledBack) return this.#halt(failure)
        if (failure instanceof Fenced) return this.#condition.set('fenced', failure.message)
        this.#log('The journal cannot be recovered yet', failure)
        await sleep(500)
      }
    }
  }

  async #recover(): Promise<void> {
    const led = await lead(this.#options, {
      ownEpoch: this.#term.epoch,
      head: () => this.#head,
      onReplayed: (row, events) => this.#replayed(row, events),
      onBadSnapshot: (damage) => this.#log('A snapshot cannot be used', damage),
      onHot: (seq) => this.#condition.set('standby', `hot at ${seq}`),
      onLost: (cause) => this.#lost(cause),
      isStopped: () => this.#condition.state === 'stopped',
    })
    if (led === undefined) return
    const { exchange, head, snapshotSeq, replayed, writer, acceptedEpoch } = led
    this.#term = { epoch: writer.epoch, acceptedEpoch }
    this.#exchange = exchange
    this.#head = head
    this.#snapshotSeq = snapshotSeq
    this.#releases.continueAfter(head.seq)
    this.#sequencer = new Sequencer(exchange.atMs, this.#time)
    this.#writer = writer
    this.#condition.setUp(`recovered at ${head.seq}, ${replayed} commands replayed`)
    this.#leftovers.schedule()
  }

  #replayed(row: Row, events: Records): void {
    if (row.seq > this.#head.seq) this.#head = row
    this.#releases.releaseReplayed(row, events)
  }

  /** Handles a lost lease: nothing may be answered any more. A write in flight fails by itself, and its callers with it. */
  #lost(cause: Fenced | RolledBack): void {
    if (cause instanceof RolledBack) return this.#halt(cause)
    if (!this.#committing) return void this.#notCommitted(cause)
    this.#condition.set('fenced', cause.message)
  }

  /** Handles a broken invariant: nothing decided since the last durable batch may be released. */
  #halt(cause: unknown): void {
    this.#log('The engine halts', cause)
    this.#condition.set('halted', (cause as Error).message)
    this.#leftovers.stop()
    this.#exchange = undefined
    this.#open.giveUp('UNAVAILABLE')
    this.#refuseInbox('UNAVAILABLE')
    this.#open = new DecidedBatch()
  }

  #refuseInbox(refusal: Refusal): void {
    this.#inbox.drain((sink, requests) => sink?.refuse(requests, refusal))
  }

  /** Decides a clock command. Returns whether it caused events; undefined when the batch is full or the state is lost. */
  #tick(command: Float64Array): boolean | undefined {
    const batch = this.#open
    if (!this.#exchange || batch.count >= this.#batchMax + leftoversMax) return undefined
    try {
      const nowMs = this.#sequencer.now()
      if (this.#hear(this.#exchange, batch, nowMs)) return true
      const [at, told] = [batch.commands.length, batch.events.length]
      batch.commands.append(command, 0, command.length)
      batch.execute(this.#exchange, at, nowMs, undefined, 0)
      return batch.events.length > told + OUTCOME_LENGTH
    } catch (cause) {
      this.#halt(cause)
      return undefined
    }
  }

  #log(message: string, cause?: unknown): void {
    this.#options.log?.({ message, cause })
  }
}
