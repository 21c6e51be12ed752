import type { Exchange } from '@candor/core/exchange/exchange.ts'
import { JournalWriter } from '../../journal/append.ts'
import { JournalConnection } from '../../journal/connection.ts'
import { Fenced } from '../../journal/fault.ts'
import { takeAgain } from '../../journal/leadership.ts'
import { recover, type Recovered, type RecoverOptions } from '../../journal/recover.ts'
import type { Head } from '../../journal/row.ts'
import type { Seen } from '../../journal/witness-file.ts'
import { checkWitnesses } from '../../journal/witness-peers.ts'
import { checkUpgrade } from '../../journal/upgrade.ts'
import { RolledBack } from '../../journal/witness.ts'
import type { EngineOptions } from '../options.ts'
import { machineTime } from '../sequencer.ts'
import { Lease, leaseTimes, momentOf } from './lease.ts'
import { patiently } from './patience.ts'
import { standBy, type TakenOver } from './standby.ts'

/** Writes the journal as the leader. */
export type Writer = Pick<JournalWriter, 'epoch' | 'append' | 'close'> & {
  /** Resolves when an answer may be given. Throws Refused('UNAVAILABLE') when this engine may not lead any more. */
  readonly answerable?: () => Promise<void>
}

export type Led = Recovered & {
  readonly writer: Writer
  /** What witnesses saw under earlier epochs counts no more: a person accepted the database without it. */
  readonly acceptedEpoch: number
}

type Watch = RecoverOptions & {
  /** Asked after the recovery, before the writer is handed over: an engine that stops leaves no writer open. */
  readonly isStopped: () => boolean
  /** The epoch under which this engine led before it discarded its memory; 0 for none. */
  readonly ownEpoch: number
  /** The last durable command that this engine knows. */
  readonly head: () => Head
  /** The engine stands by, with the state up to `seq`. */
  readonly onHot: (seq: number) => void
  /** The lease was lost: nothing may be answered any more. */
  readonly onLost: (cause: Fenced | RolledBack) => void
}

/** A leader whose state is still to be read, or the rest of it. `isReserved`: its tables have their memory. */
type Begun = Pick<Led, 'writer' | 'acceptedEpoch'> & { readonly read: () => Promise<Recovered | undefined>; readonly isReserved: boolean }

const shortOfMemory =
  'The system does not give the memory for all tables at once: each large table is copied when it grows, and that stops trading for a moment'

/**
 * Takes the leadership and recovers the state at the end of the journal; undefined when the engine was stopped meanwhile. Throws
 * RolledBack when the database lacks commands that were acknowledged before. After any error the leadership is given back.
 */
export async function lead(options: EngineOptions, watch: Watch): Promise<Led | undefined> {
  const { witness } = options
  const begun = await (options.standby !== true ? alone : watch.ownEpoch > 0 ? again : fromStandby)(options, watch)
  if (begun === undefined) return undefined
  const { writer, acceptedEpoch, read, isReserved } = begun
  try {
    const recovered = await read()
    if (recovered === undefined || watch.isStopped()) {
      await writer.close()
      return undefined
    }
    const { head, exchange } = recovered
    // This writer's epoch is recorded outside the database before anything is written under it.
    witness?.note(writer.epoch, head)
    await witness?.flush()
    if (!isReserved) reserve(options, exchange)
    if (!watch.isStopped()) return { ...recovered, writer, acceptedEpoch }
    await writer.close()
    return undefined
  } catch (cause) {
    await writer.close()
    throw cause
  }
}

/** The only engine of its database leads at once and needs no lease. */
async function alone(options: EngineOptions, watch: Watch): Promise<Begun> {
  const { store, giveUpMs, witness, peers } = options
  // Data of an earlier build is refused by name, before a query asks for what that build did not have.
  await checkUpgrade(store.pool)
  const { epoch, furthest, acceptedEpoch } = await checkWitnesses(store.pool, witness, peers)
  const writer = await JournalWriter.lead(store.url, {
    ...(giveUpMs === undefined ? {} : { giveUpMs }),
    ...(witness === undefined ? {} : { seenEpoch: epoch }),
  })
  return { writer, acceptedEpoch, read: () => recoverBeyond(options, watch, furthest), isReserved: false }
}

/** A leader that discarded its memory leads again if nobody took over meanwhile. */
async function again(options: EngineOptions, watch: Watch): Promise<Begun> {
  const { store, witness, peers, time = machineTime } = options
  const seen = await checkWitnesses(store.pool, witness, peers)
  const connection = await JournalConnection.open(store.url)
  const sentAt = momentOf(time)
  const epoch = await takeAgain(connection, watch.ownEpoch, seen.epoch).finally(() => connection.drop())
  if (epoch === undefined) throw new Fenced(`Epoch ${watch.ownEpoch} does not lead any more`)
  const writer = leased(options, watch, { epoch, sentAt })
  const { acceptedEpoch, furthest } = seen
  return { writer, acceptedEpoch, read: () => recoverBeyond(options, watch, furthest), isReserved: false }
}

/** A standby leads when no other one does. */
async function fromStandby(options: EngineOptions, watch: Watch): Promise<Begun | undefined> {
  const { store, witness, peers } = options
  let seen: Awaited<ReturnType<typeof checkWitnesses>> | undefined
  const taken = await standBy(options, {
    ...watch,
    onRecovered: ({ exchange }) => reserve(options, exchange),
    checkWitnesses: async () => {
      seen = await checkWitnesses(store.pool, witness, peers)
      return seen.epoch
    },
  })
  if (taken === undefined) return undefined
  const { replica } = taken
  let lost: Error | undefined
  const onLost: Watch['onLost'] = (cause) => {
    lost = cause
    watch.onLost(cause)
  }
  const writer = leased(options, { onLost, head: () => replica.head }, taken)
  const read = async (): Promise<Recovered | undefined> => {
    // Nobody else can append any more: the journal ends where this read ends.
    const isStopped = (): boolean => lost !== undefined || watch.isStopped()
    await patiently(options, isStopped, () => replica.follow())
    if (lost !== undefined) throw lost
    return beyond(replica.state, seen?.furthest)
  }
  return { writer, acceptedEpoch: seen?.acceptedEpoch ?? 0, read, isReserved: true }
}

async function recoverBeyond({ store }: EngineOptions, watch: Watch, furthest: Seen | undefined): Promise<Recovered> {
  return beyond(await recover(store.pool, watch), furthest)
}

/** throws  RolledBack when the database has lost commands since the witnesses were asked */
function beyond(recovered: Recovered, furthest: Seen | undefined): Recovered {
  if (furthest !== undefined && recovered.head.seq < furthest.seq) throw new RolledBack(recovered.head, furthest)
  return recovered
}

function reserve({ reservesTables = true, log }: EngineOptions, exchange: Exchange): void {
  if (reservesTables && !exchange.reserve()) log?.({ message: shortOfMemory })
}

/** A writer whose rows count as written only while the lease holds. */
function leased(
  { store, time = machineTime, times = leaseTimes, giveUpMs, log }: EngineOptions,
  { onLost, head }: Pick<Watch, 'onLost' | 'head'>,
  { epoch, sentAt }: Pick<TakenOver, 'epoch' | 'sentAt'>,
): Writer {
  const lease = new Lease({
    ...{ url: store.url, pool: store.pool, epoch, sentAt, time, times, head, onLost },
    log: (message, cause) => log?.({ message, cause }),
  })
  const writer = JournalWriter.leading(store.url, epoch, giveUpMs === undefined ? {} : { giveUpMs })
  return {
    epoch,
    async append(row) {
      await writer.append(row)
      await lease.whenHeld()
    },
    async close() {
      lease[Symbol.dispose]()
      await writer.close()
    },
    answerable: () => lease.answerable(),
  }
}
