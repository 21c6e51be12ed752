import { randomInt } from 'node:crypto'

/** For exchanges that meet client ids of customers, see `Exchange.create`: each process draws its own. */
export const secret = randomInt(2 ** 32)
