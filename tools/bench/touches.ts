/**
 * Bare memory accesses: the cost of a large exchange's commands if they only read the cache lines that they need, in tables as large
 * as the exchange's own, each read waiting for the last.
 */
import type { Size } from './scale/side.ts'

/** Percentages of the mix: orders that rest, orders that take, cancels. */
const mix = [45, 10, 45] as const
const perRun = 100_000

/**
 * A table of the core: its bytes, and the number of its cache lines read by a resting order, by a taking order (with its maker), and
 * by a cancel by client id. Lines that are in the cache already (a recycled order, the best level) or are written in sequence don't
 * count.
 */
type Table = { readonly what: string; readonly bytes: number; readonly lines: readonly [number, number, number] }

export function tablesOf({ users, markets, orders }: Size): readonly Table[] {
  const requests = users * 4 + orders
  return [
    { what: 'users', bytes: users, lines: [1, 1, 1] },
    { what: 'rings of client ids', bytes: users * 16, lines: [1, 1, 1] },
    { what: 'buckets of client ids', bytes: (requests / 7) * 64, lines: [1, 1, 2] },
    { what: 'remembered requests', bytes: requests * 32, lines: [0, 0, 1] },
    { what: 'owners of accounts', bytes: users * 8, lines: [1, 2, 1] },
    { what: 'accounts', bytes: users * 4 * 64, lines: [1, 4, 1] },
    { what: 'users’ orders', bytes: users * 8, lines: [1, 1, 1] },
    // Two lines of the order itself, and those of its neighbours: in its level, and among its user's orders.
    { what: 'orders', bytes: orders * 128, lines: [2, 2, 4] },
    { what: 'client ids of orders', bytes: orders * 56, lines: [1, 0, 2] },
    { what: 'numbers of orders', bytes: orders * 48, lines: [0, 1, 1] },
    { what: 'levels', bytes: markets * 8 * 16_384, lines: [1, 1, 1] },
    { what: 'volumes', bytes: users * 36, lines: [0, 4, 0] },
  ]
}

/** Cache lines read by a command of the mix, on average. */
export function touchesPerCommand(size: Size): number {
  return tablesOf(size).reduce((sum, { lines }) => sum + lines.reduce((all, count, kind) => all + (count * mix[kind]!) / 100, 0), 0)
}

let memory: readonly Int32Array[] | undefined

/** Processor time of these reads for one command of the mix, in nanoseconds. */
export function touches(size: Size): number {
  const tables = tablesOf(size)
  memory ??= tables.map(({ bytes }) => new Int32Array(2 ** Math.round(Math.log2(Math.max(bytes, 64) / 4))).fill(1))
  const plans = mix.map((_, kind) => tables.flatMap(({ lines }, table) => Array.from({ length: lines[kind]! }, () => memory![table]!)))
  let at = 12_345
  const before = process.cpuUsage()
  for (let n = 0; n < perRun; n++) {
    const roll = n % 100
    const plan = plans[roll < mix[0] ? 0 : roll < mix[0] + mix[1] ? 1 : 2]!
    for (let i = 0; i < plan.length; i++) {
      const table = plan[i]!
      at = (Math.imul(at, 1_664_525) + 1_013_904_222 + table[(at >>> 2) & (table.length - 1)]!) | 0
    }
  }
  const { user, system } = process.cpuUsage(before)
  if (at === 0) process.stdout.write('')
  return ((user + system) * 1000) / perRun
}
