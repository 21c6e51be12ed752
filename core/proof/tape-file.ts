/** A downloaded piece of the index tape: whether each tick follows from the one before. Reads line by line. */
import { fromHex, toHex } from './sha256.ts'
import { tapeGenesis, tapeHash, tapeSlots, type TapeTick } from './tape.ts'

type Price = TapeTick['prices'][number]

/** The names of a tick, of a price in it, and of a quote, as they stand in a file. */
type Written = {
  readonly tick: number
  readonly at: number
  readonly hash: string
  readonly format: 1 | 2
  readonly prices: readonly (Omit<Price, 'price' | 'quotes'> & {
    readonly price: string
    readonly quotes: readonly (Omit<Price['quotes'][number], 'price'> & { readonly price: string })[]
  })[]
}
type Beginning = { readonly before: string; readonly head: { readonly tick: number; readonly hash: string } }

/** A tick that was checked, with its hash in hex. */
export type CheckedTick = Pick<Written, 'tick' | 'at' | 'hash'>

/**
 * Checks the lines of `tape.ndjson`. Pieces may follow one another, each with its own first line. The names of markets and venues in
 * the first line are in no hash.
 *
 *   const file = new TapeFile()
 *   for (const line of lines) { const wrong = file.take(line); … }
 */
export class TapeFile {
  #hash: Uint8Array | undefined
  #newest: Beginning['head'] | undefined
  #first: CheckedTick | undefined
  #last: CheckedTick | undefined
  #count = 0

  get first(): CheckedTick | undefined {
    return this.#first
  }

  /** The last tick that was taken. */
  get last(): CheckedTick | undefined {
    return this.#last
  }

  get count(): number {
    return this.#count
  }

  /** Takes the next line. Returns what is wrong with it; undefined when nothing is. */
  take(line: string): string | undefined {
    let value: unknown
    try {
      value = JSON.parse(line)
      // Written in one way only, so that no byte of a tick can change unnoticed.
      if (JSON.stringify(value) !== line) return notWritten
    } catch {
      return 'is no JSON'
    }
    if (isBeginning(value)) return this.#begin(value)
    if (this.#hash === undefined) return 'has no beginning of a tape'
    const tick = readTick(value)
    return tick === undefined || writtenTick(tick) !== line ? notWritten : this.#add(tick)
  }

  #begin({ before, head }: Beginning): string | undefined {
    if (this.#hash !== undefined && toHex(this.#hash) !== before) return 'does not continue the ticks before'
    this.#hash = fromHex(before)
    this.#newest = head
    return undefined
  }

  #add(tick: TapeTick & CheckedTick): string | undefined {
    const { tick: n, at, hash } = tick
    const [last, newest] = [this.#last, this.#newest!]
    if (last !== undefined && n !== last.tick + 1) return `has tick ${n} after tick ${last.tick}`
    if (last !== undefined && at < last.at) return `has a tick ${n} that is earlier than the one before`
    if ((toHex(this.#hash!) === toHex(tapeGenesis)) !== (n === 1)) return `has a tick ${n} that does not follow from the hash before it`
    const own = tapeHash(this.#hash!, tapeSlots(tick))
    if (toHex(own) !== hash) return `has a tick ${n} that does not follow from the hash before it`
    if (n > newest.tick || (n === newest.tick && hash !== newest.hash)) return `has another tick ${n} than its first line says`
    this.#hash = own
    const checked = { tick: n, at, hash }
    this.#first ??= checked
    this.#last = checked
    this.#count += 1
    return undefined
  }
}

const notWritten = 'is not written as the exchange writes it'
const hashText = /^[0-9a-f]{64}$/

function isBeginning(value: unknown): value is Beginning {
  if (!isObject(value) || Object.keys(value).join() !== 'venues,markets,before,head') return false
  const { before, head } = value
  return (
    isHash(before) &&
    isObject(head) &&
    Object.keys(head).join() === 'tick,hash' &&
    Number.isSafeInteger(head['tick']) &&
    isHash(head['hash'])
  )
}

/** The numbers of a tick; undefined when it has none. That nothing else is in it, `writtenTick` shows. */
function readTick(value: unknown): (TapeTick & CheckedTick) | undefined {
  if (!isObject(value) || !Array.isArray(value['prices']) || !isHash(value['hash'])) return undefined
  const { tick, at, hash, format, prices } = value as Written
  if (format !== 1 && format !== 2) return undefined
  try {
    const read = { tick, at, hash, format, prices: prices.map((one) => ({ ...one, ...numbersOf(one) })) }
    // A number that fits into no slot is none.
    tapeSlots(read)
    return read
  } catch {
    return undefined
  }
}

function numbersOf({ price, quotes }: Written['prices'][number]) {
  return { price: Number(price), quotes: quotes.map((quote) => ({ ...quote, price: Number(quote.price) })) }
}

/** A tick as the exchange writes it. */
function writtenTick({ tick, at, hash, format = 1, prices }: TapeTick & CheckedTick): string {
  const written = prices.map(({ market, price, sources, isGood, quotes, shift = 0 }) => ({
    ...{ market, price: String(price), sources, isGood: isGood === true },
    quotes: quotes.map((quote) => ({
      ...{ venue: quote.venue, price: String(quote.price) },
      ...(format === 2 ? { correction: quote.correction ?? 0 } : {}),
    })),
    ...(format === 2 && quotes.length > 0 ? { shift } : {}),
  }))
  return JSON.stringify({ tick, at, hash, format, prices: written })
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const isHash = (value: unknown): value is string => typeof value === 'string' && hashText.test(value)
