import { setTimeout as sleep } from 'node:timers/promises'
import { JournalConnection } from '../../journal/connection.ts'
import { Damaged } from '../../journal/fault.ts'
import { type Leadership, takeOver } from '../../journal/leadership.ts'
import { recover, type RecoverOptions } from '../../journal/recover.ts'
import type { EngineOptions } from '../options.ts'
import { machineTime } from '../sequencer.ts'
import { leaseTimes, type Moment, momentOf } from './lease.ts'
import { LeaseWatch } from './lease-watch.ts'
import { patiently } from './patience.ts'
import { Replica } from './replica.ts'

/** Between two looks at the leadership and the journal, while neither changes. In milliseconds, as all times here. */
const lookMs = 50
/** A take-over does not wait longer for the leader's row, and looks again instead. */
const lockTimeoutMs = 1_000
/** A connection that does not answer for so long is replaced. */
const answerMaxMs = 5_000

/** `epoch` leads, taken by a statement that was sent at `sentAt`. The replica may lack the last rows before it. */
export type TakenOver = { readonly replica: Replica; readonly epoch: number; readonly sentAt: Moment }

export type StandbyWatch = RecoverOptions & {
  readonly isStopped: () => boolean
  /** Called with the recovered state before it counts as hot. */
  readonly onRecovered: (replica: Replica) => void
  /** The state up to `seq` is in memory, and follows the journal from here. */
  readonly onHot: (seq: number) => void
  /** Asked before each take-over: the highest epoch that a witness has seen. Throws RolledBack when the database lacks what one saw. */
  readonly checkWitnesses: () => Promise<number>
}

/**
 * Keeps the core's state in memory and up to date, and takes the leadership when no leader renews it. Undefined when it was stopped.
 * Waits for a database that is away. Throws Damaged for a row that can't be replayed, or that is gone.
 */
export async function standBy(options: EngineOptions, watch: StandbyWatch): Promise<TakenOver | undefined> {
  const { store, time = machineTime, times = leaseTimes } = options
  const { isStopped } = watch
  const recovered = await patiently(options, isStopped, () => recover(store.pool, watch))
  if (recovered === undefined) return undefined
  const replica = new Replica(store.pool, recovered, watch.onReplayed)
  watch.onRecovered(replica)
  watch.onHot(replica.head.seq)
  const lease = new LeaseWatch(times.takeOverMs)
  using look = new Look(store.url)
  /** Follows the journal until the lease is over and this engine took it, or it is stopped. */
  const watches = async (): Promise<TakenOver | undefined> => {
    while (!isStopped()) {
      const { seen, seq } = await look.at(replica)
      const isOver = lease.sees(seen, time.steady())
      if (seq > replica.head.seq) await replica.follow()
      else if (!isOver) await sleep(lookMs)
      if (!isOver) continue
      const seenEpoch = await watch.checkWitnesses()
      const sentAt = momentOf(time)
      const epoch = await look.takeOver(seen, seenEpoch)
      if (epoch !== undefined) return { replica, epoch, sentAt }
    }
    return undefined
  }
  return patiently(options, isStopped, watches, () => {
    look.drop()
    lease.interrupted()
  })
}

/** The standby's connection. */
class Look implements Disposable {
  readonly #url: string
  #connection: JournalConnection | undefined

  constructor(url: string) {
    this.#url = url
  }

  /** Who leads, and the end of the journal. Throws Damaged when the journal lacks what the replica has executed. */
  async at({ head }: Replica): Promise<{ readonly seen: Leadership; readonly seq: number }> {
    const text = `select epoch, renewals, coalesce((select max(seq) from journal), 0) as seq,
      (select hash from journal where seq = $1) as hash from leader`
    const { rows } = await this.#within((connection) => connection.query({ name: 'look', text, values: [head.seq] }))
    const { epoch, renewals, seq, hash } = rows[0] as Leadership & { readonly seq: number; readonly hash: Buffer | null }
    if (head.seq > 0 && !hash?.equals(head.hash)) throw new Damaged(head.seq, 'the row that the standby has executed is not there any more')
    return { seen: { epoch, renewals }, seq }
  }

  /** An answer that is lost leaves open who leads: the next look tells. */
  takeOver(seen: Leadership, seenEpoch: number): Promise<number | undefined> {
    return this.#within((connection) => takeOver(connection, seen, seenEpoch))
  }

  drop(): void {
    this.#connection?.drop()
    this.#connection = undefined
  }

  [Symbol.dispose](): void {
    this.drop()
  }

  async #within<T>(run: (connection: JournalConnection) => Promise<T>): Promise<T> {
    const limit = setTimeout(() => this.#connection?.drop(), answerMaxMs)
    try {
      this.#connection ??= await JournalConnection.open(this.#url, { lockTimeoutMs, openMaxMs: answerMaxMs })
      return await run(this.#connection)
    } finally {
      clearTimeout(limit)
    }
  }
}
