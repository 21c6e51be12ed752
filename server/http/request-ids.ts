import { randomBytes } from 'node:crypto'

/** Gives each request a unique id: one part for this process, and a counter. */
export function requestIds(): () => string {
  const mark = randomBytes(4).toString('hex')
  let count = 0
  return () => `${mark}-${(++count).toString(36)}`
}
