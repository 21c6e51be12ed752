import { postingAccounts } from '@candor/core/protocol/command/funds.ts'
import { changeTypes } from '@candor/core/protocol/command/operate.ts'
import type { MarketId, UserId } from '@candor/core/protocol/ids.ts'
import type { Loose } from '../scripts.ts'
import { openWithdrawals, withdrawalTerms } from './chain.ts'
import { openConversions } from './convert.ts'
import { openFirm } from './firm.ts'
import { inviterOf, referralTerms } from './referral.ts'
import { fillPresales } from './presale.ts'
import { sum, twist } from './numbers.ts'
import type { Scene } from './orders.ts'
import { assets, perpMarkets, marginTerms, markets, marketTerms, optionTerms, perpTerms, rich, spotMarkets, users } from './plans.ts'
import type { ChaosMarket } from './plans.ts'

const kinds = ['spot', 'perp', 'margin-cross', 'margin-isolated', 'option', 'lend'] as const

/** A transfer between accounts, mostly within the available balance. */
export function transfer(scene: Scene): Loose {
  const { random, exchange } = scene
  const user = scene.user()
  const held = exchange.balances(user as UserId).filter(({ account, available }) => 'kind' in account && available > 0)
  if (held.length === 0) return faucet(scene)
  const { account, available } = random.pick(held)
  if (!('kind' in account)) return faucet(scene)
  const to = random.pick(kinds)
  const isIsolated = account.kind === 'margin-isolated' || to === 'margin-isolated'
  const market = account.market ?? random.pick(spotMarkets).market
  const { asset, kind: from } = account
  const base = { type: 'funds.transfer' as const, user, clientId: scene.clientId(), asset, from, to, amount: sum(random, available) }
  return { ...base, ...(isIsolated ? { market } : {}) }
}

export function faucet(scene: Scene): Loose {
  const { random } = scene
  const asset = random.between(1, assets.length)
  const amount = Math.max(
    1,
    Math.floor((assets[asset - 1] as { whole: number }).whole * random.pick([0.001, 1, 100, 3000]) * random.unit()),
  )
  return { type: 'funds.faucet', user: scene.user(), clientId: scene.clientId(), asset, amount }
}

export function loan(scene: Scene): Loose {
  const { random, exchange } = scene
  const user = scene.user()
  const market = random.chance(0.5) ? 0 : random.pick(spotMarkets).market
  const [account] = exchange.marginAccounts(user as UserId, market as MarketId).filter((one) => one.market === market)
  const shared = { user, clientId: scene.clientId(), market }
  if (account === undefined || account.balances.length === 0)
    return { type: 'margin.borrow', ...shared, asset: random.between(1, 6), amount: random.between(1, 1e9) }
  const balance = random.pick(account.balances)
  if (random.chance(0.55)) return { type: 'margin.borrow', ...shared, asset: balance.asset, amount: sum(random, balance.borrowable) }
  const owed = balance.principal + balance.interest
  return { type: 'margin.repay', ...shared, asset: balance.asset, amount: random.chance(0.4) ? 0 : sum(random, Math.max(1, owed)) }
}

export function lend(scene: Scene): Loose {
  const { random, exchange } = scene
  // Few lenders ever wait for their money.
  const waiting = users.filter((one) => exchange.claims(one as UserId).some(({ queued }) => queued > 0))
  const user = waiting.length > 0 && random.chance(0.8) ? random.pick(waiting) : scene.user()
  const claims = exchange.claims(user as UserId)
  const claim = claims.find(({ queued }) => queued > 0) ?? claims[0]
  const asset = claim !== undefined && random.chance(0.6) ? claim.asset : random.between(1, 6)
  const shared = { user, clientId: scene.clientId(), asset }
  const kind =
    claim !== undefined && claim.queued > 0 && random.chance(0.6)
      ? 'cancelWithdraw'
      : random.weighted({ supply: 4, withdraw: 4, cancelWithdraw: 1 })
  if (kind === 'cancelWithdraw') return { type: 'lend.cancelWithdraw', ...shared }
  if (kind === 'withdraw') return { type: 'lend.withdraw', ...shared, amount: sum(random, claim?.claim ?? 1) }
  const has = exchange
    .balances(user as UserId)
    .find(({ account }) => 'kind' in account && account.kind === 'spot' && account.asset === asset)
  return { type: 'lend.supply', ...shared, amount: sum(random, has?.available ?? 1) }
}

export function setting(scene: Scene): Loose {
  const { random, exchange } = scene
  const user = scene.user()
  const plan = random.pick(perpMarkets)
  const kind = random.weighted({ leverage: 3, mode: 2, hedge: 2, margin: 6, reverse: 2, countdown: 3 })
  const { market } = plan
  if (kind === 'countdown') return { type: 'perp.countdown', user, market, duration: random.pick([0, 1, 1000, 5000, 60_000, 604_800_001]) }
  if (kind === 'leverage') return { type: 'perp.setLeverage', user, market, leverage: random.pick([1, 2, 5, 10, 10, 20, 50, 50, 125]) }
  if (kind === 'mode') return { type: 'perp.setMarginMode', user, market, mode: random.pick(['cross', 'isolated']) }
  if (kind === 'hedge') return { type: 'perp.setHedgeMode', user, isHedge: random.chance(0.5) }
  if (kind === 'reverse') return { type: 'perp.reverse', user, clientId: scene.clientId(), market }
  const account = exchange.perpAccount(user as UserId)
  const position = account.positions.length === 0 ? undefined : random.pick(account.positions)
  const amount = random.chance(0.5) ? sum(random, account.available) : -sum(random, position?.margin ?? 1)
  return {
    type: 'perp.adjustMargin',
    user,
    clientId: scene.clientId(),
    market: position?.market ?? market,
    position: position?.side ?? 'both',
    amount,
  }
}

export function second(scene: Scene): Loose {
  const { random } = scene
  const seconds = random.pick([30, 30, 60, 120, 900, 31])
  const base = {
    type: 'option.open' as const,
    user: scene.user(),
    clientId: scene.clientId(),
    market: random.weighted({ '1': 5, '2': 5, '5': 2, '6': 1 }),
  }
  const stake = random.chance(0.2) ? sum(random, 1_000_000_000) : random.between(5, 300) * 1_000_000
  return {
    ...base,
    market: Number(base.market),
    direction: random.pick(['up', 'down']),
    stake,
    seconds,
    guardPpm: random.pick([0, 0, 50, 200, 5000]),
  }
}

export function people(scene: Scene, atMs: number): Loose {
  const { random } = scene
  const user = scene.user()
  const kind = random.weighted({
    freeze: 2,
    certify: 3,
    house: 1,
    locate: 2,
    region: 1,
    open: 0.3,
    limits: 2,
    admit: 1,
    rest: 0.5,
    staff: 0.7,
  })
  switch (kind) {
    case 'freeze':
      return { type: 'user.set', user, isFrozen: random.chance(0.25) }
    case 'certify':
      return { type: 'user.certify', user, isCertified: random.chance(0.9) }
    case 'house':
      return { type: 'user.house', user, isHouse: random.chance(0.5) }
    case 'locate':
      return { type: 'user.locate', user, region: random.pick(['', 'DE', 'HK', 'US', 'DE+HK', 'US+HK+DE']) }
    case 'region': {
      const [proposer, approver] = [random.between(0, 4), random.between(1, 4)]
      const region = random.pick(['*', 'DE', 'HK', ''])
      return {
        type: 'region.operate',
        region,
        isLeverageOpen: random.chance(0.6),
        isSecondOpen: random.chance(0.6),
        proposer,
        approver,
        reason: 'chaos',
      }
    }
    case 'open':
      return {
        type: 'user.open',
        requestId: scene.clientId(),
        class: random.pick(['retail', 'maker', 'bench']),
        referrer: random.pick([0, 1, 99]),
      }
    case 'limits':
      return {
        type: 'option.setLimits',
        user,
        lossMax: random.pick([0, 1, 100e6, 5000e6]),
        coolOffUntil: random.chance(0.2) ? atMs + random.between(-5000, 120_000) : 0,
      }
    case 'rest':
      return { type: 'user.rest', user, until: atMs + random.pick([-1, 0, 1, 500, 20_000, 600_000]) }
    case 'staff':
      return { type: 'user.staff', user, isStaff: random.chance(0.3) }
    case 'admit':
      return { type: 'option.admit', user }
  }
}

/** A command that changes terms, alone or as a decision by one or two people. */
export function operator(scene: Scene): Loose {
  const { random } = scene
  const change = changeOf(scene)
  if (!(changeTypes as readonly string[]).includes(change.type) || random.chance(0.6)) return change
  const [proposer, approver] = [random.between(0, 4), random.between(0, 4)]
  return { type: 'exchange.operate', proposer, approver, reason: random.pick(['chaos', 'chaos', 'chaos', ' ', '']), change }
}

/** New terms: the usual ones, halted ones, or ones with a changed number. */
function changeOf(scene: Scene): Loose {
  const { random } = scene
  const kind = random.weighted({ market: 8, margin: 3, option: 3, operate: 1, fund: 3, fees: 1, withdraw: 2, mode: 0.1 })
  switch (kind) {
    case 'market':
      return trading(random.pick(markets), random.chance(0.5), random.chance(0.3) ? (terms) => twist(random, terms) : (terms) => terms)
    case 'margin': {
      const open = { ...marginTerms, isOpen: random.chance(0.8) }
      return { type: 'margin.setTerms', terms: random.chance(0.6) ? twist(random, open) : open }
    }
    case 'option': {
      const open = { ...optionTerms, isOpen: random.chance(0.8) }
      return { type: 'option.setTerms', terms: random.chance(0.6) ? twist(random, open) : open }
    }
    case 'operate': {
      const who = {
        user: scene.user(),
        clientId: scene.clientId(),
        amount: random.pick([0, 1, 100e6]),
        proposer: random.between(0, 4),
        approver: random.between(1, 4),
      }
      return { type: 'option.operate', ...who, reason: 'chaos', terms: optionTerms }
    }
    case 'fund': {
      if (random.chance(0.4)) return posting(scene)
      const account = random.pick(['insurance', 'insurance-margin', 'option-house'])
      return { type: 'funds.system', account, asset: random.chance(0.7) ? 1 : random.between(1, 6), amount: sum(random, 5000e6) }
    }
    case 'fees': {
      const tiers = [
        { volumeMin: 0, makerPpm: random.between(0, 1000), takerPpm: random.between(0, 1000) },
        { volumeMin: random.pick([1, 1e9, 1e12]), makerPpm: 0, takerPpm: random.between(0, 1000) },
      ]
      return { type: 'fees.set', tiers, perpTiers: tiers.map((tier) => ({ ...tier, takerPpm: Math.floor(tier.takerPpm / 2) })) }
    }
    case 'withdraw':
      return withdrawalTerms(scene, random.chance(0.4) ? (terms) => twist(random, terms) : (terms) => terms)
    case 'mode':
      return { type: 'mode.set', mode: random.pick(['sandbox', 'production']) }
  }
}

function posting(scene: Scene): Loose {
  const { random } = scene
  const place = (): object => (random.chance(0.4) ? { user: scene.user() } : { system: random.pick(postingAccounts) })
  const [from, to, asset] = [place(), place(), random.chance(0.7) ? 1 : random.between(1, 6)]
  const people = { proposer: random.between(0, 4), approver: random.between(1, 4), reason: 'chaos' }
  return { type: 'funds.post', decision: random.between(1, 100_000), from, to, asset, amount: sum(random, 500e6), ...people }
}

/** Opens or halts a market. `change` alters its terms. */
export function trading(
  plan: ChaosMarket,
  isTrading: boolean,
  change: (terms: Record<string, unknown>) => Record<string, unknown> = (terms) => terms,
): Loose {
  const terms = { ...change(marketTerms(plan)), isTrading }
  if (plan.index === 0) return { type: 'market.set', market: plan.market, terms }
  return { type: 'perp.set', market: plan.market, terms, perp: { ...change(perpTerms(plan)), index: plan.index } }
}

/** Lists all assets and markets, opens all products, and gives everybody money. */
export function opening(scene: Pick<Scene, 'random'>, mode: string | undefined): readonly Loose[] {
  const { random } = scene
  const listing = ({ symbol, base, quote, tick, lot }: ChaosMarket): object => ({ symbol, base, quote, tick, lot })
  const certified = users.filter((user) => user !== users.length)
  const gift = (user: number, asset: number): Loose => {
    const whole = (assets[asset - 1] as { whole: number }).whole
    const usual = [20_000, 0.4, 6, 3_000_000_000, 2000, 300][asset - 1] as number
    const most = (rich as readonly number[]).includes(user) ? 300 : 1
    return {
      type: 'funds.faucet',
      user,
      clientId: '',
      asset,
      amount: Math.max(1, Math.floor(whole * usual * most * (0.3 + 0.7 * random.unit()) * (asset === 4 || asset === 5 ? 0.01 : 1))),
    }
  }
  const move = (user: number, to: string, share: number): Loose => ({
    type: 'funds.transfer',
    user,
    clientId: '',
    asset: 1,
    from: 'spot',
    to,
    amount: Math.floor(((rich as readonly number[]).includes(user) ? 300 : 1) * share * 1e6),
  })
  return [
    ...assets.map(({ symbol, scale }) => ({ type: 'asset.list' as const, symbol, scale })),
    ...spotMarkets.map((plan) => ({ type: 'market.list' as const, ...listing(plan), terms: marketTerms(plan) })),
    ...perpMarkets.map((plan) => ({ type: 'perp.list' as const, ...listing(plan), terms: marketTerms(plan), perp: perpTerms(plan) })),
    { type: 'margin.setTerms', terms: marginTerms },
    { type: 'option.setTerms', terms: optionTerms },
    ...openWithdrawals(),
    { type: 'funds.system', account: 'option-house', asset: 1, amount: 20_000_000_000 },
    { type: 'funds.system', account: 'insurance', asset: 1, amount: random.pick([1, 2000e6, 100_000e6]) },
    { type: 'funds.system', account: 'insurance-margin', asset: 1, amount: random.pick([1, 2000e6, 100_000e6]) },
    ...users.map((user) => ({
      type: 'user.open' as const,
      requestId: `chaos-${user}`,
      class: user === 1 ? 'maker' : 'retail',
      referrer: inviterOf(user),
    })),
    ...openFirm(),
    ...openConversions(),
    { type: 'referral.setTerms', terms: referralTerms },
    ...fillPresales(),
    ...certified.map((user) => ({ type: 'user.certify' as const, user, isCertified: true })),
    ...users.flatMap((user) => assets.map((_, i) => gift(user, i + 1))),
    ...users.flatMap((user) => [move(user, 'perp', 2000), move(user, 'option', 500), move(user, 'margin-cross', 1000)]),
    ...users.map((user) => ({ ...move(user, 'margin-isolated', 700), market: random.pick([1, 1, 2, 5]) })),
    ...users.flatMap((user) =>
      perpMarkets.map(({ market }) => ({ type: 'perp.setLeverage' as const, user, market, leverage: market === 7 ? 10 : 50 })),
    ),
    ...users.flatMap((user) =>
      perpMarkets.map(({ market }) => ({ type: 'perp.setMarginMode' as const, user, market, mode: random.pick(['cross', 'isolated']) })),
    ),
    ...users.filter(() => random.chance(0.2)).map((user) => ({ type: 'perp.setHedgeMode' as const, user, isHedge: true })),
    ...users.map((user) => ({ type: 'option.admit' as const, user })),
    ...[100_000e6, 3e8, 60e8].map((amount, i) => ({ type: 'lend.supply' as const, user: 2, clientId: '', asset: i + 1, amount })),
    ...(mode === undefined ? [] : [{ type: 'mode.set' as const, mode }]),
  ]
}
