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
 * What all witnesses saw together: the highest epoch, and the furthest command that counts; 0 for none. Runs before an engine takes the
 * leadership.
 *
 * throws  RolledBack when the journal lacks what one of them saw, unless a person accepted that
 */
export async function checkWitnesses(
  pool: pg.Pool,
  witness: Pick<Witness, 'seen' | 'check'> | undefined,
  peers: Pick<WitnessPeers, 'ask'> | undefined,
): Promise<{ readonly epoch: number; readonly furthest: Seen | undefined }> {
  const others = peers === undefined ? [] : await Promise.race([peers.ask(), sleep(peersWaitMs, [], { ref: false })])
  const counting: Seen[] = []
  if (witness !== undefined && (await witness.check(pool))) counting.push(witness.seen)
  for (const seen of others) if (await checkSeen(pool, seen)) counting.push(seen)
  const epochs = [...others, ...(witness === undefined ? [] : [witness.seen])].map(({ epoch }) => epoch)
  const furthest = counting.toSorted((one, other) => other.seq - one.seq)[0]
  return { epoch: Math.max(0, ...epochs), furthest }
}
