import { randomBytes } from 'node:crypto'

/** Gives each request a name that no other has: of this process, and counted. */
export function requestIds(): () => string {
  const mark = randomBytes(4).toString('hex')
  let count = 0
  return () => `${mark}-${(++count).toString(36)}`
}
