import { createHash } from 'node:crypto'
import { Exchange } from '@candor/core/exchange/exchange.ts'
import { commandLength, encodeCommand } from '@candor/core/protocol/codec/command.ts'
import { decodeEvents } from '@candor/core/protocol/codec/event.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { Random } from '../random.ts'
import type { Step } from '../workload.ts'
import { Disagreement } from '../world.ts'
import type { WorldOptions } from '../world.ts'
import { AlgoAudit } from './algo-audit.ts'
import { ChainAudit } from './chain-audit.ts'
import { DeadlineAudit } from './deadline-audit.ts'
import { users } from './plans.ts'
import { FirmAudit } from './firm-audit.ts'
import { ReferralAudit } from './referral-audit.ts'
import { PresaleAudit } from './presale-audit.ts'
import { structureFaults } from './structure.ts'

/** Number of clock ticks at one time after which the exchange must have no due work left. */
const ticksAtOnceMax = 3000

/**
 * One exchange and its shadow, which is restored from a dump at random moments, even in the middle of work that clock ticks
 * continue. Both execute every command and must give the same events. No command may throw or break an invariant.
 */
export class ChaosWorld {
  readonly steps: Step[] = []
  readonly #options: WorldOptions
  readonly #commands = new Records(1 << 16)
  readonly #digest = createHash('sha256')
  readonly #random = new Random(77)
  readonly #chain = new ChainAudit()
  readonly #firm = new FirmAudit()
  /** Orders in parts. */
  readonly algos = new AlgoAudit()
  readonly #referral = new ReferralAudit()
  readonly #presale = new PresaleAudit()
  readonly #deadlines = new DeadlineAudit()
  #exchange = Exchange.create()
  #shadow = Exchange.create()
  #ticksAtOnce = 0
  #at = 0
  trades = 0
  /** Types of the commands that were accepted at least once. */
  readonly accepted = new Set<string>()

  constructor(options: WorldOptions) {
    this.#options = options
  }

  /** The exchange that is restored again and again. */
  get shadow(): Exchange {
    return this.#shadow
  }

  /** Payments of commission that the audit has recomputed. */
  get commissions(): number {
    return this.#referral.paid
  }

  /** What presales sold, in units of any token, and the number of releases. */
  get presales(): Pick<PresaleAudit, 'sold' | 'released'> {
    return this.#presale
  }

  /** Orders that expired, that countdowns cancelled, and prices taken from the book. */
  get deadlines(): Pick<DeadlineAudit, 'expired' | 'counted' | 'matched'> {
    return this.#deadlines
  }

  get exchange(): Exchange {
    return this.#exchange
  }

  /** Executes one step on both. Throws Disagreement. */
  step(step: Step): readonly Event[] {
    this.steps.push(step)
    const at = this.#commands.length
    if (!this.#encode(step)) return []
    try {
      const records = this.#execute(this.#exchange, at)
      if (!same(this.#execute(this.#shadow, at), records)) throw new Error('a restored exchange gives other events')
      this.#digest.update(records.bytes())
      const events = decodeEvents(records.data, 0, records.length)
      this.#check(step, events)
      if (this.steps.length % this.#options.wholeEvery === 0) this.#checkWhole()
      else if (this.#random.chance(0.02)) this.#restore()
      return events
    } catch (cause) {
      throw new Disagreement(this.steps.length, (cause as Error).message, cause)
    }
  }

  /** Finishes all due work, checks the whole state, and replays the run. Returns the hash of the state. */
  finish(): string {
    try {
      this.#checkWhole()
      const hash = this.#exchange.hash()
      const again = Exchange.create()
      const digest = createHash('sha256')
      for (let at = 0; at < this.#commands.length; at += commandLength(this.#commands.data, at))
        digest.update(this.#execute(again, at).bytes())
      if (digest.digest('hex') !== this.#digest.digest('hex')) throw new Error('a replay of all commands gives other events')
      if (again.hash() !== hash) throw new Error('a replay of all commands gives another hash')
      return hash
    } catch (cause) {
      throw new Disagreement(this.steps.length, (cause as Error).message, cause)
    }
  }

  /** Encodes a step. Returns false for a command that no gateway could send; the run continues without it. */
  #encode(step: Step): boolean {
    const length = this.#commands.length
    const seq = this.#exchange.seq + 1
    try {
      encodeCommand(step.command, { ...step.stamp, seq }, this.#commands)
      return true
    } catch {
      this.#commands.length = length
      return false
    }
  }

  #execute(exchange: Exchange, at: number): Records {
    const records = new Records(256)
    exchange.execute(this.#commands.data, at, records)
    return records
  }

  #check({ command, stamp }: Step, events: readonly Event[]): void {
    const outcome = events.at(-1)
    if (outcome?.type !== 'outcome') throw new Error('a command without an outcome')
    if ((outcome.refusal !== undefined || outcome.isRepeat) && events.length > 1)
      throw new Error('a refused or repeated command changed something')
    if (outcome.refusal === undefined) this.accepted.add(command.type)
    for (const event of events) if (event.type === 'traded') this.trades++
    this.#chain.follow(events)
    this.#referral.follow(command, stamp.at, events, this.#exchange)
    this.#firm.follow(command, events)
    this.algos.follow(command, stamp.at, events)
    this.#presale.follow(events, stamp.at)
    this.#deadlines.follow(command, stamp.at, events)
    const { sums, violations } = this.#exchange.trialBalance()
    if (violations.length > 0) throw new Error(`violations: ${violations.slice(0, 3).join(', ')}`)
    const wrong = sums.findIndex((sum) => sum !== 0)
    if (wrong >= 0) throw new Error(`asset ${wrong} sums to ${sums[wrong]}`)
    this.#ticksAtOnce = command.type === 'clock.tick' && stamp.at === this.#at ? this.#ticksAtOnce + 1 : 0
    this.#at = stamp.at
    const due = this.#exchange.nextDueAtMs
    if (Number.isNaN(due)) throw new Error('the time of the next due work is not a number')
    if (due <= stamp.at && this.#ticksAtOnce > ticksAtOnceMax) throw new Error('due work never ends')
  }

  /** Replaces the shadow by an exchange restored from a dump of the current state. */
  #restore(): void {
    const dump = this.#exchange.dump()
    this.#shadow = Exchange.restore(dump)
    if (!bytesSame(this.#shadow.dump(), dump)) throw new Error('a restored exchange has another dump')
    if (this.#shadow.nextDueAtMs !== this.#exchange.nextDueAtMs) throw new Error('a restored exchange has due work at another time')
  }

  #checkWhole(): void {
    const dump = this.#exchange.dump()
    if (!bytesSame(this.#shadow.dump(), dump)) throw new Error('the shadow has another state')
    const [fault] = structureFaults(dump)
    if (fault !== undefined) throw new Error(fault)
    this.#chain.checkAll(this.#exchange)
    this.#look()
    this.#restore()
  }

  /** Calls every query of the exchange. */
  #look(): void {
    const x = this.#exchange
    for (const user of users) {
      x.openOrders(user as UserId)
      x.perpAccount(user as UserId)
      x.marginAccounts(user as UserId)
      x.marginHoldings(user as UserId)
      x.claims(user as UserId)
      x.optionMe(user as UserId)
      x.openOptions(user as UserId)
      x.tier(user as UserId)
      x.chain.standing(user as UserId)
      x.convert.standing(user as UserId)
      x.referral.standing(user as UserId)
      x.firm.standing(user as UserId)
    }
    for (const { id } of x.listing().markets) x.book(id)
    x.presale.all()
    x.pools()
    x.marks()
    x.inventories()
    x.optionTerms()
  }
}

function same(a: Records, b: Records): boolean {
  if (a.length !== b.length) return false
  for (let n = 0; n < a.length; n++) if (a.data[n] !== b.data[n]) return false
  return true
}

function bytesSame(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}
