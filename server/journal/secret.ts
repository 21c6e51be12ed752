import { randomInt } from 'node:crypto'

/** The hash secret of an exchange that takes client ids from customers, see `Exchange.create`: each process generates its own. */
export const secret = randomInt(2 ** 32)
