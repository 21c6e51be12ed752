import { Argon } from '../argon.ts'

/** argon2id at its lowest cost: for tests of anything but what a run costs. */
export const cheapArgon = (waitingMax?: number): Argon =>
  new Argon({ cost: { memory: 8, passes: 1, parallelism: 1 }, ...(waitingMax === undefined ? {} : { waitingMax }) })
