import { cpus } from 'node:os'

/** Time for each balance: about twice the work on two cores of a virtual machine. */
const balanceMs = 0.022
/** The most time for all balances together, so that rests alone never make a statement late. */
const allMs = 50_000
/** A delay up to this is made up for. A longer one is not: the work would then come in one piece. */
const lateMs = 0.3
/** A shorter pause is not worth a call. */
const pauseMinMs = 0.02
/** The longest pause after work of unknown amount. */
const breathMaxMs = 5
/** A machine is busy while it works for others for more than this share of its time. Everything then takes this many times as long. */
const [othersMax, busyFactor] = [0.54, 4]
/** After this time nothing is slowed down any more, so that a statement comes before the next one is due. */
const busyMaxMs = 150_000
/** How often it looks whether the machine is busy. */
const lookMs = 1_000

const never = new Int32Array(new SharedArrayBuffer(4))
/** Blocks this thread, which has nothing else to do. Timers can't wait for less than a millisecond. */
const block = (ms: number): void => void Atomics.wait(never, 0, 0, ms)

/** Milliseconds of all processors since the start of the machine: for others, and all. */
export type Processors = () => { readonly others: number; readonly all: number }

/** Those of low priority, this process and its database's among them, are no others: their time is counted apart. */
const processors: Processors = () => {
  let [others, all] = [0, 0]
  for (const { times } of cpus()) {
    others += times.user + times.sys + times.irq
    for (const ms of Object.values(times)) all += ms
  }
  return { others, all }
}

/** Tests only. */
type Fakes = { readonly now: () => number; readonly wait: (ms: number) => void; readonly processors: Processors }

/**
 * Spreads the hashing of balances evenly over time, in pieces of a fifth of a millisecond. A process of the lowest priority that never rests
 * costs those who trade a fifth of their orders, and one that rests after each millisecond hardly less: it occupies the processor on which
 * the others would be woken, and Linux lets it keep that for a slice. After pieces that are much shorter than a slice nobody waits. But two
 * processors of a virtual machine are often one core, and what one does slows the other down: on a busy machine everything takes longer.
 */
export class Pace {
  readonly #balanceMs: number
  readonly #fakes: Fakes
  #freeAt: number
  #restedAt: number
  readonly #begunAt: number
  #lookedAt: number
  #looked: ReturnType<Processors>
  #factor = 1

  /** `balances`: of all trees. */
  constructor(balances: number, fakes: Fakes = { now: () => performance.now(), wait: block, processors }) {
    this.#balanceMs = Math.min(balanceMs, allMs / balances)
    this.#fakes = fakes
    this.#freeAt = this.#restedAt = this.#begunAt = this.#lookedAt = fakes.now()
    this.#looked = fakes.processors()
  }

  /** Called after the leaves of this number of balances, which need not be whole. Returns when the next ones may be hashed. */
  rest(balances: number): void {
    const now = this.#now()
    this.#freeAt = Math.max(this.#freeAt, now - lateMs) + balances * this.#balanceMs * this.#factor
    this.#pause(this.#freeAt - now)
  }

  /** Pauses for half as long as the work since the last pause took, on a busy machine for longer. For work whose amount is unknown. */
  breathe(): void {
    const now = this.#now()
    const worked = now - this.#restedAt
    this.#pause(Math.min(breathMaxMs, this.#factor === 1 ? worked / 2 : 3 * worked))
  }

  /** The time, after a look at the machine if one is due. */
  #now(): number {
    const now = this.#fakes.now()
    if (now - this.#lookedAt < lookMs) return now
    const { others, all } = this.#fakes.processors()
    const isBusy = others - this.#looked.others > othersMax * (all - this.#looked.all)
    this.#factor = isBusy && now - this.#begunAt < busyMaxMs ? busyFactor : 1
    this.#looked = { others, all }
    this.#lookedAt = now
    return now
  }

  #pause(ms: number): void {
    if (ms >= pauseMinMs) this.#fakes.wait(ms)
    this.#restedAt = this.#fakes.now()
  }
}
