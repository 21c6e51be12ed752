import type { Refusal } from '../../../protocol/refusal.ts'
import { given, type Told, type World } from '../../test/world.ts'

export const [usdt, btc] = [1, 2] as const
export const [ethereum, tron] = [1, 2] as const
/** One USDT in units. */
export const whole = 1_000_000

/** Terms in which up to 100 USDT need nobody, up to 1,000 one person. */
export const usdtTerms = { isOpen: true, min: 10 * whole, fee: whole, autoMax: 100 * whole, singleMax: 1000 * whole }

/** A world with deposits and withdrawals of USDT on two networks and of BTC on one. `names`: certified users. */
export function chainWorld(...names: readonly string[]): ChainWorld {
  const world = given({})
  for (const name of names) world.do({ type: 'user.certify', user: world.user(name), isCertified: true }).isAccepted()
  for (const network of [ethereum, tron]) world.do({ type: 'withdraw.setTerms', asset: usdt, network, terms: usdtTerms }).isAccepted()
  const terms = { isOpen: true, min: 100_000, fee: 10_000, autoMax: 0, singleMax: 1e8 }
  world.do({ type: 'withdraw.setTerms', asset: btc, network: ethereum, terms }).isAccepted()
  return new ChainWorld(world)
}

/** Shorthands for the commands of deposits and withdrawals. */
export class ChainWorld {
  readonly world: World
  #credits = 0

  constructor(world: World) {
    this.world = world
  }

  do(command: object): Told {
    return this.world.do(command)
  }

  /** A deposit with the next number. */
  deposit(name: string, amount: number, more: object = {}): Told {
    const credit = ++this.#credits
    const deposit = { network: ethereum, credit, asset: usdt, amount, isFinal: true, ...more }
    return this.do({ type: 'chain.credit', user: this.world.user(name), ...deposit })
  }

  final(credit: number, network: number = ethereum): Told {
    return this.do({ type: 'chain.final', network, credit })
  }

  orphan(credit: number, network: number = ethereum): Told {
    return this.do({ type: 'chain.orphan', network, credit })
  }

  repay(name: string, asset: number = usdt): Told {
    return this.do({ type: 'chain.repay', user: this.world.user(name), asset })
  }

  request(name: string, amount: number, more: object = {}): Told {
    const asked = { clientId: '', asset: usdt, network: ethereum, amount, fee: usdtTerms.fee, destination: 70, ...more }
    return this.do({ type: 'withdraw.request', user: this.world.user(name), ...asked })
  }

  /** A request that is accepted. Returns its number. */
  requested(name: string, amount: number, more: object = {}): number {
    return this.request(name, amount, more).isAccepted().of('withdrawal.requested')[0]!.withdrawal
  }

  cancel(name: string, withdrawal: number): Told {
    return this.do({ type: 'withdraw.cancel', user: this.world.user(name), withdrawal })
  }

  decide(withdrawal: number, isApproved: boolean, more: object = {}): Told {
    return this.do({ type: 'withdraw.decide', withdrawal, isApproved, first: 0, second: 0, reason: 'ticket 7', ...more })
  }

  finish(withdrawal: number, isPaid: boolean): Told {
    return this.do({ type: 'withdraw.finish', withdrawal, isPaid })
  }

  freeze(name: string, isFrozen: boolean): void {
    this.do({ type: 'user.set', user: this.world.user(name), isFrozen }).isAccepted()
  }

  fund(system: string, asset: number = usdt): number {
    const found = this.world.exchange
      .accounts()
      .find(({ account }) => 'system' in account && account.system === system && account.asset === asset)
    return found?.available ?? 0
  }

  /** Checks the user's spot account, in units. */
  has(name: string, available: number, held = 0, asset: number = usdt): this {
    const found = this.world.exchange
      .balances(this.world.user(name))
      .find(({ account }) => 'kind' in account && account.kind === 'spot' && account.asset === asset)
    const has = [found?.available ?? 0, found?.held ?? 0].join()
    if (has !== [available, held].join()) throw new Error(`${name} has ${has} of ${asset} instead of ${available},${held}`)
    return this
  }

  /** All of the commands are refused, and change nothing. */
  allRefused(refusal: Refusal, ...commands: readonly (() => Told)[]): void {
    const before = this.world.exchange.dump()
    for (const command of commands) command().isRefused(refusal)
    const [now, was] = [this.world.exchange.dump(), before].map((dump) => new Float64Array(new Uint8Array(dump).buffer))
    // All but the number of the last command.
    if (now!.length !== was!.length || now!.some((slot, i) => slot !== was![i] && i !== 2)) throw new Error('a refusal changed the state')
  }
}

/** Entries as `account reason delta heldDelta`. */
export function entriesOf(told: Told): readonly string[] {
  return told
    .of('entry')
    .map(({ account, reason, delta, heldDelta }) => `${'system' in account ? account.system : 'user'} ${reason} ${delta} ${heldDelta}`)
}
