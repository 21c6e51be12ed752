import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Outcome } from '@candor/core/protocol/port.ts'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import { ipChecker } from '../../identity/key-terms.ts'
import { origins } from '../../origins.ts'
import { Refused } from '../../refused.ts'
import { type Alert, alertOf } from '../../signals/alert.ts'
import type { Identity, SignalAddress, SignalCall, SignalCalls } from '../../signals/calls.ts'
import { type Plan, planOf } from '../../signals/plan.ts'
import { submitFor } from '../auth.ts'
import type { Context } from '../context.ts'
import { ApiError } from '../errors.ts'
import type { ApiUser, KeyRing } from '../key-ring.ts'
import { MinuteCounts } from './counts.ts'

/** Calls of one address per minute that are looked at. All others are refused unread and not logged. */
const callsPerMinute = 120
/** The same for all addresses of an account together. Each call is logged, which costs a transaction. */
const callsOfAccount = 600

export type TakenParts = {
  readonly context: Context
  readonly ring: Pick<KeyRing, 'find' | 'used'>
  readonly calls: SignalCalls
}

/** Takes the calls of known addresses: each becomes an order of the key's owner, or a refusal in the log. */
export class Taken {
  readonly #parts: TakenParts
  /** By key and by account. */
  readonly counts = new MinuteCounts<number | string>()

  constructor(parts: TakenParts) {
    this.#parts = parts
  }

  /** throws  Refused, once it is logged; other errors when nobody knows the outcome */
  async take(address: SignalAddress, { ip, text }: Pick<SignalCall, 'ip' | 'text'>): Promise<void> {
    const call = { at: this.#parts.context.now(), ip, text }
    const count = this.counts.next(address.key, call.at)
    if (count > callsPerMinute + 1 || this.counts.next(address.account, call.at) > callsOfAccount) throw new Refused('SIGNAL_LIMIT')
    let alert: Alert | undefined
    try {
      if (count > callsPerMinute) throw new Refused('SIGNAL_LIMIT')
      let terms: SignalAddress | undefined = address
      while (terms !== undefined) {
        if (!ipChecker(terms.ips)(ip)) throw new Refused('SIGNAL_SENDER')
        const owner = await this.#ownerOf(terms, call)
        alert = alertOf(text, terms.template)
        terms = await this.#place(terms, owner, await planOf(this.#parts.context, owner.user, terms, alert), call)
      }
    } catch (error) {
      if (!(error instanceof Refused) || error instanceof Logged) throw error
      const end = error.refusal === 'POSITION_UNKNOWN' ? 'flat' : error.refusal
      const seen = alert === undefined ? call : { ...call, symbol: alert.symbol }
      if (!(await this.#parts.calls.unplaced(address, seen, end, alert && identityOf(alert, call)))) throw error
    }
  }

  /** throws  Refused SIGNAL_KEY */
  async #ownerOf({ apiKey }: SignalAddress, { at, ip }: SignalCall): Promise<ApiUser> {
    const ready = await this.#parts.ring.find(apiKey)
    const { owner } = ready ?? {}
    // The key's own addresses are those of its programs. An alert comes from elsewhere, so the signal address has a list of its own.
    if (!ready || !owner?.scopes.has('trade') || (owner.expiresAt !== null && owner.expiresAt <= at)) throw new Refused('SIGNAL_KEY')
    this.#parts.ring.used(ready, ip)
    return owner
  }

  /** Returns the address when its terms have changed since it was found: then the call is decided by those. */
  async #place(address: SignalAddress, owner: ApiUser, plan: Plan, call: SignalCall): Promise<SignalAddress | undefined> {
    const { calls, context } = this.#parts
    const seen = { ...call, symbol: plan.market.market.symbol }
    const admitted = await calls.admit(address, seen, identityOf(plan.alert, call))
    if (admitted === 'repeat') return undefined
    if ('changed' in admitted) return admitted.changed
    const command = { ...plan.command, clientId: admitted.clientId } as Command
    let end: { readonly refusal: Refusal } | Outcome
    try {
      end = await this.#submit(owner, command, call)
    } catch (error) {
      const refusal = refusalOf(error)
      await calls.ended(admitted.id, refusal ?? 'STATUS_UNKNOWN')
      if (refusal === undefined) throw error
      end = { refusal }
    }
    // The id follows from the alert, so the order that has it is the alert's: it was placed by a call whose outcome nobody knew.
    if (end.refusal === 'CLIENT_ID_REUSED') return void (await calls.ended(admitted.id, 'placed'))
    // Another alert closed the position at the same moment.
    const isFlat = plan.value === undefined && end.refusal === 'REDUCE_ONLY_REJECTED'
    if (isFlat) return void (await calls.ended(admitted.id, 'flat'))
    if (end.refusal !== undefined) {
      await calls.ended(admitted.id, end.refusal)
      throw new Logged(end.refusal)
    }
    const outcome = end as Outcome
    context.freshness.wrote(owner.user, outcome.seq)
    await calls.ended(admitted.id, 'placed', outcome.order)
    return undefined
  }

  #submit(owner: ApiUser, command: Command, { at, ip }: SignalCall): Promise<Outcome> {
    const { context } = this.#parts
    const { account, user, keyId, class: userClass } = owner
    context.orderCounts[command.type === 'spot.place' ? 'spot' : 'futures'].take(user, userClass, 1, at, {})
    const origin = { account, user, class: userClass, session: null, key: keyId, ip, device: '' }
    return origins.run(origin, () => submitFor(context, owner, command, (outcome) => outcome))
  }
}

/** What makes two calls the same alert: its id, or its whole text. */
function identityOf({ id, at }: Alert, { text }: SignalCall): Identity {
  return { name: id === undefined ? `text ${text}` : `id ${id}`, isLasting: id !== undefined || at !== undefined }
}

/** A refusal that stands in the log already. */
class Logged extends Refused {}

function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refused) return error.refusal
  // Not a refusal of the sender's network, which many customers share.
  if (error instanceof ApiError) return 'SIGNAL_LIMIT'
  const { refusal } = (error ?? {}) as { readonly refusal?: Refusal }
  return refusal
}
