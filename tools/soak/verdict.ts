/** What was measured at one moment. Processes and tables by their names. */
export type Reading = {
  readonly atMs: number
  readonly memory: Readonly<Record<string, number>>
  /** Of that, objects of the program, and arrays outside its heap. The rest is the program itself, and what the C library keeps. */
  readonly heap: Readonly<Record<string, number>>
  readonly arrays: Readonly<Record<string, number>>
  readonly handles: Readonly<Record<string, number>>
  readonly descriptors: Readonly<Record<string, number>>
  readonly tables: Readonly<Record<string, { readonly dead: number; readonly live: number }>>
  readonly databaseBytes: number
  readonly orders: number
}

/** `isGood`: within its limit. */
export type Finding = { readonly what: string; readonly value: string; readonly limit: string; readonly isGood: boolean }

/** Growth of memory in the second half that is no leak yet. */
const growthMax = 0.05
/** Handles and descriptors that come and go with sockets. */
const handlesMax = 20
/** Rows that wait for vacuum: autovacuum begins at a fifth of a table. */
const deadShare = 0.3
const deadMin = 100_000
/** Share of the half that is compared at its begin and at its end. */
const edge = 0.25

/**
 * Compares the begin of the second half with its end. Memory rises until garbage is collected: its lowest readings are what is in use.
 * Of handles, which come and go with sockets, the medians.
 */
export function verdict(readings: readonly Reading[]): readonly Finding[] {
  const last = readings.at(-1)
  if (last === undefined || readings.length < 8) return [{ what: 'readings', value: String(readings.length), limit: '8', isGood: false }]
  const half = readings.slice(Math.floor(readings.length / 2))
  const count = Math.max(1, Math.floor(half.length * edge))
  const [first, end] = [half.slice(0, count), half.slice(-count)]
  const change = (of: (values: readonly number[]) => number, pick: (one: Reading) => number): readonly [number, number] => [
    of(first.map(pick)),
    of(end.map(pick)),
  ]
  const memory = Object.keys(last.memory).map((name): Finding => {
    const [from, to] = change(
      (values) => Math.min(...values),
      (one) => one.memory[name] ?? 0,
    )
    return { what: `memory of ${name}`, value: percent(to / from - 1), limit: percent(growthMax), isGood: to <= from * (1 + growthMax) }
  })
  const counts = (['handles', 'descriptors'] as const).flatMap((kind) =>
    Object.keys(last[kind]).map((name): Finding => {
      const [from, to] = change(median, (one) => one[kind][name] ?? 0)
      return {
        what: `${kind} of ${name}`,
        value: `${to - from >= 0 ? '+' : ''}${to - from}`,
        limit: `+${handlesMax}`,
        isGood: to - from <= handlesMax,
      }
    }),
  )
  const tables = Object.entries(last.tables).map(([name, { dead, live }]): Finding => {
    const limit = Math.round(deadMin + live * deadShare)
    return { what: `dead rows of ${name}`, value: String(dead), limit: String(limit), isGood: dead <= limit }
  })
  return [...memory, ...counts, ...tables]
}

/** Growth of the database in bytes for each million orders; undefined while there are too few to tell. */
export function bytesPerMillion(readings: readonly Reading[]): number | undefined {
  const [first, last] = [readings[0], readings.at(-1)]
  if (first === undefined || last === undefined || last.orders - first.orders < 1_000) return undefined
  return ((last.databaseBytes - first.databaseBytes) / (last.orders - first.orders)) * 1e6
}

const percent = (share: number): string => `${share >= 0 ? '+' : ''}${(share * 100).toFixed(1)} %`

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[sorted.length >> 1] ?? 0
}
