import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Seen } from './witness-file.ts'
import { checkSeen, type Witness } from './witness.ts'

/** How long an engine waits for the witnesses of other machines, in milliseconds: one that is down does not hold it up. */
export const peersWaitMs = 300

/** The witnesses of the other machines. */
export type WitnessPeers = {
  /** What those saw that answer within `peersWaitMs`. */
  ask(): Promise<readonly Seen[]>
  /** From now on, others that ask get the result of `seen`. */
  answer(seen: () => Seen): void
}

/**
 * Each start of an engine takes one epoch, and a database that a person accepts goes on from the number of seconds since 1970: no epoch is
 * above these, unless a clock was wrong. One from elsewhere that is a year above them is made up. Led under the highest number there is,
 * the journal would have no epoch left.
 */
const aheadMaxS = 366 * 86_400

/** How much longer than their own limit the peers may take. */
const leewayMs = 200

/**
 * What all witnesses saw together: the highest epoch that can be, and the furthest command that counts. Runs before an engine takes the
 * leadership.
 *
 * acceptedEpoch  of the epoch from which on witnesses count; 0 where there are none
 * throws         RolledBack when the journal lacks what one of them saw, unless a person accepted that
 */
export async function checkWitnesses(
  pool: pg.Pool,
  witness: Pick<Witness, 'seen' | 'check'> | undefined,
  peers: Pick<WitnessPeers, 'ask'> | undefined,
  nowMs = Date.now(),
): Promise<{ readonly epoch: number; readonly furthest: Seen | undefined; readonly acceptedEpoch: number }> {
  if (witness === undefined && peers === undefined) return { epoch: 0, furthest: undefined, acceptedEpoch: 0 }
  const others = peers === undefined ? [] : await answersOf(peers)
  const counting: Seen[] = []
  if (witness !== undefined && (await witness.check(pool))) counting.push(witness.seen)
  for (const seen of others) if (await checkSeen(pool, seen)) counting.push(seen)
  const possible = others.filter(({ epoch }) => epoch <= nowMs / 1_000 + aheadMaxS)
  const epochs = [...possible, ...(witness === undefined ? [] : [witness.seen])].map(({ epoch }) => epoch)
  const furthest = counting.toSorted((one, other) => other.seq - one.seq)[0]
  const { rows } = await pool.query<{ accepted: number }>('select accepted_epoch as accepted from leader')
  return { epoch: Math.max(0, ...epochs), furthest, acceptedEpoch: rows[0]?.accepted ?? 0 }
}

/** Peers that can't be reached say nothing. */
async function answersOf(peers: Pick<WitnessPeers, 'ask'>): Promise<readonly Seen[]> {
  const limit = new AbortController()
  const asked = peers.ask().catch(() => [])
  const answers = await Promise.race([asked, sleep(peersWaitMs + leewayMs, [], { signal: limit.signal }).catch(() => [])])
  limit.abort()
  return answers
}
