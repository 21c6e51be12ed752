import { setTimeout as sleep } from 'node:timers/promises'

const dayMs = 86_400_000

/** Waits for the next UTC day if this one ends within `neededMs` milliseconds: for tests of sums by day. */
export async function awayFromMidnight(neededMs = 120_000): Promise<void> {
  for (let left = dayMs - (Date.now() % dayMs); left < neededMs; left = dayMs - (Date.now() % dayMs)) await sleep(left)
}
