import { metrics, type MetricName } from './catalogue.ts'

export type Labels = Readonly<Record<string, string>>

/** One value of a metric. `buckets` of a histogram: how many values were at most each bound; `value` is then their sum. */
export type Sample = {
  readonly name: MetricName
  readonly labels?: Labels
  readonly value: number
  readonly count?: number
  readonly buckets?: readonly (readonly [bound: number, count: number])[]
}

export const sample = (name: MetricName, value: number, labels?: Labels): Sample =>
  labels === undefined ? { name, value } : { name, value, labels }

/** Counts values by bound; cheap enough for each batch and each request. */
export class Spread {
  readonly #bounds: readonly number[]
  readonly #counts: Float64Array
  #sum = 0

  /** bounds  rising; values above the last one count in a place of their own */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = new Float64Array(bounds.length + 1)
  }

  add(value: number): void {
    let place = 0
    while (place < this.#bounds.length && value > this.#bounds[place]!) place++
    this.#counts[place]!++
    this.#sum += value
  }

  sample(name: MetricName, labels?: Labels): Sample {
    let all = 0
    const buckets = this.#bounds.map((bound, place) => [bound, (all += this.#counts[place]!)] as const)
    return { ...sample(name, this.#sum, labels), count: all + this.#counts[this.#bounds.length]!, buckets }
  }
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
const quoted = (text: string): string => escaped(text).replaceAll('"', '\\"')

function line(name: string, labels: Labels, value: number): string {
  const inside = Object.entries(labels).map(([label, text]) => `${label}="${quoted(text)}"`)
  return `${name}${inside.length === 0 ? '' : `{${inside.join(',')}}`} ${value}\n`
}

/** The text of `/metrics`, in the order of the catalogue. Values that are not finite are left out: nothing is known then. */
export function exposition(samples: readonly Sample[]): string {
  const byName = Map.groupBy(samples, ({ name }) => name)
  let text = ''
  for (const [name, { type, help }] of Object.entries(metrics)) {
    const own = byName.get(name as MetricName)?.filter(({ value }) => Number.isFinite(value)) ?? []
    if (own.length === 0) continue
    text += `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n`
    for (const { labels = {}, value, buckets, count = 0 } of own) {
      if (buckets === undefined) {
        text += line(name, labels, value)
        continue
      }
      for (const [bound, below] of buckets) text += line(`${name}_bucket`, { ...labels, le: String(bound) }, below)
      text += line(`${name}_bucket`, { ...labels, le: '+Inf' }, count) + line(`${name}_sum`, labels, value)
      text += line(`${name}_count`, labels, count)
    }
  }
  return text
}
