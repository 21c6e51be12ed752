import type { UserId } from '@candor/core/protocol/ids.ts'
import type { WithdrawalView } from '@candor/core/protocol/port.ts'
import type { Loose } from '../scripts.ts'
import { sum } from './numbers.ts'
import type { Scene } from './orders.ts'
import { assets } from './plans.ts'

/** Terms of withdrawals in which small sums need nobody, and larger ones one person or two. */
function withdrawTerms(asset: number): Readonly<Record<string, unknown>> {
  const { whole } = assets[asset - 1] as { whole: number }
  const part = Math.max(2, Math.floor(whole / 1000))
  return { isOpen: true, min: part, fee: Math.floor(part / 2), autoMax: part * 1000, singleMax: part * 50_000 }
}

/** Opens withdrawals of every asset on two networks. */
export function openWithdrawals(): readonly Loose[] {
  return assets.flatMap((_, i) => [1, 2].map((network) => setTerms(i + 1, network, withdrawTerms(i + 1))))
}

/** New terms of withdrawals. `change` alters the usual ones. */
export function withdrawalTerms({ random }: Scene, change: (terms: Record<string, unknown>) => Record<string, unknown>): Loose {
  const asset = random.between(1, assets.length)
  return setTerms(asset, random.between(0, 3), { ...change({ ...withdrawTerms(asset) }), isOpen: random.chance(0.85) })
}

function setTerms(asset: number, network: number, terms: object): Loose {
  return { type: 'withdraw.setTerms', asset, network, terms }
}

/** A deposit or something that becomes of one, or a request for a withdrawal or something that becomes of it. */
export function chainCommand(scene: Scene): Loose {
  const { random, exchange } = scene
  const kind = random.weighted({ credit: 6, final: 2, orphan: 2, repay: 1, request: 7, cancel: 1, decide: 5, finish: 4 })
  switch (kind) {
    case 'credit':
      return credit(scene)
    case 'final':
    case 'orphan': {
      const known = exchange.chain.unfinal()
      const any = { network: random.between(0, 2), credit: random.between(0, exchange.seq) }
      const { network, credit } = known.length > 0 && random.chance(0.8) ? random.pick(known) : any
      return { type: `chain.${kind}`, network, credit } as Loose
    }
    case 'repay':
      return { type: 'chain.repay', user: scene.user(), asset: random.chance(0.7) ? 1 : random.between(0, assets.length) }
    case 'request':
      return request(scene)
    case 'cancel': {
      const { user, withdrawal } = open(scene)
      return { type: 'withdraw.cancel', user: random.chance(0.8) ? user : scene.user(), withdrawal }
    }
    case 'decide': {
      const { withdrawal } = open(scene)
      const people = { first: random.between(0, 3), second: random.between(0, 3), reason: random.chance(0.9) ? 'chaos' : '' }
      return { type: 'withdraw.decide', withdrawal, isApproved: random.chance(0.75), ...people }
    }
    case 'finish':
      return { type: 'withdraw.finish', withdrawal: open(scene).withdrawal, isPaid: random.chance(0.7) }
  }
}

/** A deposit that is spent before its network drops it. Some of the money comes back, and repays the debt by itself or by a command. */
export function spentDeposit(scene: Scene): readonly Loose[] {
  const { random, exchange } = scene
  const user = scene.user()
  const [network, number, amount] = [random.between(1, 2), exchange.seq, random.between(1, 300e6)]
  const has = exchange.balances(user as UserId).find(({ account }) => 'kind' in account && account.kind === 'spot' && account.asset === 1)
  const move = (from: string, to: string, amount: number): Loose => {
    return { type: 'funds.transfer', user, clientId: '', asset: 1, from, to, amount } as Loose
  }
  const all = (has?.available ?? 0) + amount
  const back = sum(random, amount)
  return [
    { type: 'chain.credit', user, network, credit: number, asset: 1, amount, isFinal: false },
    move('spot', 'option', all - random.between(0, 1)),
    { type: 'chain.orphan', network, credit: number },
    request(scene),
    move('option', 'spot', back),
    { type: 'chain.repay', user, asset: 1 },
    ...(random.chance(0.5) ? [{ type: 'chain.credit' as const, user, network, credit: number + 1, asset: 1, amount, isFinal: true }] : []),
    move('option', 'spot', random.chance(0.8) ? all - back : amount),
    { type: 'chain.repay', user, asset: 1 },
  ]
}

/** Mostly with a new number. Numbers rise with the journal. */
function credit({ random, exchange, user }: Scene): Loose {
  const asset = random.chance(0.6) ? 1 : random.between(1, assets.length)
  const { whole } = assets[asset - 1] as { whole: number }
  const number = random.chance(0.85) ? exchange.seq : random.between(0, exchange.seq)
  const amount = sum(random, Math.max(1, Math.floor(whole * random.pick([0.01, 1, 500]))))
  const isFinal = random.chance(0.4)
  return { type: 'chain.credit', user: user(), network: random.between(1, 2), credit: number, asset, amount, isFinal }
}

function request(scene: Scene): Loose {
  const { random, exchange } = scene
  const user = scene.user()
  const known = exchange.chain.terms()
  const { asset, network, terms } = random.pick(known)
  const has = exchange
    .balances(user as UserId)
    .find(({ account }) => 'kind' in account && account.kind === 'spot' && account.asset === asset)
  const most = Math.min(has?.available ?? 1, terms.singleMax * 2)
  const amount = random.chance(0.3) ? terms.min * random.between(1, 2000) : sum(random, most)
  const fee = random.chance(0.95) ? terms.fee : terms.fee + 1
  return { type: 'withdraw.request', user, clientId: scene.clientId(), asset, network, amount, fee, destination: random.between(0, 9) }
}

/** An open withdrawal, or now and then another number. */
function open({ random, exchange, user }: Scene): Pick<WithdrawalView, 'user' | 'withdrawal'> {
  const all = exchange.chain.withdrawals()
  if (all.length > 0 && random.chance(0.85)) return random.pick(all)
  return { user: user(), withdrawal: random.between(0, exchange.seq) } as Pick<WithdrawalView, 'user' | 'withdrawal'>
}
