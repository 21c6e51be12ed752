import { Exchange } from '@candor/core/exchange/exchange.ts'
import { encodeCommand } from '@candor/core/protocol/codec/command.ts'
import { decodeEvents } from '@candor/core/protocol/codec/event.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Event, OutcomeEvent } from '@candor/core/protocol/event/index.ts'
import type { NetworkNumber, UserId } from '@candor/core/protocol/ids.ts'
import type { Ask, Outcome, Submit } from '@candor/core/protocol/port.ts'
import { setFirstConvert } from '../../main/first-convert.ts'
import { setFirstReferral } from '../../main/first/referral.ts'
import { setFirstMargin } from '../../main/first-margin.ts'
import { setFirstOption } from '../../main/first-option.ts'
import { listFirstContracts } from '../../main/first-perp.ts'
import { listFirstMarkets } from '../../main/first-start.ts'
import type { AskTerms } from '../kinds.ts'

/** The core itself in memory, without journal and engine, with the markets and terms of a first start. */
export class SmallCore {
  readonly exchange = Exchange.create()
  /** Events of all commands, with their times. */
  readonly told: { readonly at: number; readonly events: readonly Event[] }[] = []
  clock = (): number => 1_750_000_000_000
  /** Commands that arrived, oldest first. */
  readonly sent: Command[] = []
  /** Faults of the next commands, thrown before the core decided (`isLost`: after). */
  failures: { readonly isLost: boolean }[] = []

  readonly submit: Submit = async (command) => {
    const failure = this.failures.shift()
    if (failure && !failure.isLost) throw Object.assign(new Error('not taken'), { refusal: 'UNAVAILABLE' })
    const outcome = this.#decide(command)
    if (failure) throw Object.assign(new Error('outcome unknown'), { refusal: 'STATUS_UNKNOWN' })
    return outcome
  }

  readonly ask: AskTerms & Pick<Ask, 'chainStanding'> = {
    listing: async () => this.exchange.listing(),
    marginTerms: async () => this.exchange.marginTerms(),
    optionTerms: async () => this.exchange.optionTerms(),
    regions: async () => this.exchange.regions(),
    chainStanding: async (user) => this.exchange.chain.standing(user),
    withdrawTerms: async () => this.exchange.chain.terms(),
    referralTerms: async () => this.exchange.referral.terms(),
    convertTerms: async () => this.exchange.convert.terms(),
    presales: async () => this.exchange.presale.all(),
    uidOf: async () => '100000001',
    userOf: async () => undefined,
    firmStanding: async (user) => this.exchange.firm.standing(user),
    networks: [
      { number: 2 as NetworkNumber, label: 'TRC20', assets: ['USDT', 'TRX'] },
      { number: 1 as NetworkNumber, label: 'ERC20', assets: ['USDT', 'ETH'] },
    ],
  }

  async start(mode: 'sandbox' | 'production' = 'sandbox'): Promise<void> {
    await this.submit({ type: 'mode.set', mode })
    const ask = { ...this.ask, pools: async () => this.exchange.pools() } as unknown as Ask
    await listFirstMarkets(this.submit, ask)
    await listFirstContracts(this.submit, ask, mode, 0)
    await setFirstMargin(this.submit, ask, mode)
    await setFirstOption(this.submit, ask, mode)
    await setFirstConvert(this.submit, ask, mode)
    await setFirstReferral(this.submit, ask, mode)
    await this.submit({ type: 'user.open', requestId: '', class: 'retail', referrer: 0 as UserId })
    this.sent.length = 0
  }

  #decide(command: Command): Outcome {
    this.sent.push(command)
    const [commands, events] = [new Records(), new Records()]
    const { seq, atMs } = this.exchange
    encodeCommand(command, { seq: seq + 1, at: Math.max(atMs, this.clock()), keyId: 0 }, commands)
    this.exchange.execute(commands.data, 0, events)
    const told = decodeEvents(events.data, 0, events.length)
    this.told.push({ at: this.exchange.atMs, events: told })
    const { refusal, user, order } = told.at(-1) as OutcomeEvent
    return { seq: seq + 1, at: this.exchange.atMs, user, order, refusal, isRepeat: false, events: told }
  }
}
