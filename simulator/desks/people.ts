import type { Loose } from '../scripts.ts'
import type { Maker } from './maker.ts'
import { allMarkets, assets, marginTerms, marketTerms, optionTerms, perpTerms, spotMarkets, stranger, traders } from './plans.ts'

const kinds = ['spot', 'perp', 'margin-cross', 'margin-isolated', 'option', 'lend'] as const
const usualSums = [0, 3000e6, 0.05e8, 1.2e8]
const oddNumbers = [0, -1, 1, 2 ** 31, 2 ** 40, 2 ** 52, 2 ** 53 - 1, -(2 ** 53) + 1]

/** Generates orders of Second, transfers, and operators' commands. */
export class People {
  readonly #maker: Maker

  constructor(maker: Maker) {
    this.#maker = maker
  }

  second(): Loose {
    const { random } = this.#maker
    const seconds = random.chance(0.04) ? 31 : random.pick(optionTerms.rates).seconds
    const stake = random.chance(0.1) ? random.between(1, 1_200_000_000) : random.between(5, 300) * 1_000_000
    const guardPpm = random.pick([0, 0, 0, 200, 5000])
    const market = random.chance(0.03) ? 3 : random.between(1, 2)
    const user = random.chance(0.05) ? this.#maker.anybody() : random.pick(traders)
    const base = { type: 'option.open' as const, user, clientId: this.#maker.clientId(), market }
    return { ...base, direction: random.pick(['up', 'down']), stake, seconds, guardPpm }
  }

  limits(at: number): Loose {
    const { random } = this.#maker
    const coolOffUntil = random.chance(0.2) ? at + random.between(-5000, 120_000) : 0
    const lossMax = random.pick([0, 0, 100, 1000, 5000]) * 1_000_000
    return { type: 'option.setLimits', user: random.pick(traders), lossMax, coolOffUntil }
  }

  transfer(): Loose {
    const { random, known } = this.#maker
    const user = random.chance(0.1) ? this.#maker.anybody() : random.pick(traders)
    const from = random.chance(0.55) ? 'spot' : random.pick(kinds)
    const to =
      from === 'spot' ? random.weighted({ perp: 5, 'margin-cross': 4, 'margin-isolated': 5, option: 3, lend: 0.2 }) : random.pick(kinds)
    const isIsolated = from === 'margin-isolated' || to === 'margin-isolated'
    const market = isIsolated ? random.between(1, random.chance(0.05) ? 5 : 3) : 0
    const plan = spotMarkets[market - 1]
    const asset =
      to === 'perp' || to === 'option' ? 1 : plan === undefined ? random.between(1, 3) : random.chance(0.5) ? plan.base : plan.quote
    const has = known.available(user, from, asset, from === 'margin-isolated' ? market : 0)
    const usual = usualSums[asset] as number
    const sum = from === 'spot' ? Math.min(has, usual * 2) : has
    const amount = random.chance(0.05) ? random.pick(oddNumbers) : Math.max(1, Math.floor(sum * random.unit() * 1.02))
    const base = { type: 'funds.transfer' as const, user, clientId: this.#maker.clientId(), asset, from, to, amount }
    return { ...base, ...(isIsolated ? { market } : {}) }
  }

  faucet(): Loose {
    const { random } = this.#maker
    const asset = random.between(1, assets.length)
    const amount = Math.ceil((usualSums[asset] as number) * random.unit())
    return { type: 'funds.faucet', user: random.pick(traders), clientId: this.#maker.clientId(), asset, amount }
  }

  /** Freezes, unfreezes, verifies or unverifies a user. */
  user(): Loose {
    const { random } = this.#maker
    const user = random.pick([...traders, stranger])
    return random.chance(0.5)
      ? { type: 'user.set', user, isFrozen: random.chance(0.5) }
      : { type: 'user.certify', user, isCertified: random.chance(0.5) }
  }

  operator(): Loose {
    const { random } = this.#maker
    const kind = random.weighted({ halt: 3, perp: 2, margin: 2, option: 2, fund: 1.5 })
    if (kind === 'halt') return this.trading(random.pick(allMarkets).market, random.chance(0.3))
    if (kind === 'perp') return this.trading(random.between(4, 5), true, random.pick([50_000, 250_000, 1_000_000]))
    if (kind === 'margin') {
      const reservePpm = random.pick([0, 150_000, 500_000])
      return { type: 'margin.setTerms', terms: { ...marginTerms, reservePpm, isOpen: random.chance(0.8) } }
    }
    if (kind === 'option') {
      const gapMaxMs = random.between(800, 5000)
      const terms = { ...optionTerms, gapMaxMs, isOpen: random.chance(0.8) }
      // This reuses the random number of the terms, so that the runs of kept seeds stay the same.
      if (gapMaxMs % 2 === 0) return { type: 'option.setTerms', terms }
      const [user, proposer, approver] = [3, 5, 7].map((step) => traders[(gapMaxMs % step) % traders.length])
      return {
        type: 'option.operate',
        user,
        clientId: '',
        amount: (gapMaxMs % 9) * 100_000_000,
        proposer,
        approver,
        reason: 'simulated',
        terms,
      }
    }
    const account = random.weighted({ insurance: 3, 'option-house': 2 })
    const asset = account === 'insurance' ? random.between(1, assets.length) : 1
    return { type: 'funds.system', account, asset, amount: Math.ceil((usualSums[asset] as number) * random.unit() * 0.3) }
  }

  /** Opens or halts a market. */
  trading(market: number, isTrading: boolean, liquidationStepPpm = 250_000): Loose {
    if (market <= spotMarkets.length) return { type: 'market.set', market, terms: marketTerms(false, isTrading) }
    return { type: 'perp.set', market, terms: marketTerms(true, isTrading), perp: perpTerms(market, liquidationStepPpm) }
  }

  /** The command with one number changed. */
  odd(command: Loose): Loose {
    const { random } = this.#maker
    const fields = Object.keys(command).filter((field) => typeof command[field] === 'number')
    if (fields.length === 0) return command
    return { ...command, [random.pick(fields)]: random.chance(0.4) ? random.between(-3, 900) : random.pick(oddNumbers) }
  }
}
