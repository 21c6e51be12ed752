import type { Terms } from '@candor/core/protocol/wire/changes.ts'
import type { PresaleDetails, PresaleText } from '@candor/core/protocol/wire/console/presale.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { SmallCore } from '../../../operations/test/core.ts'

const day = 86_400_000
export const token = 'NEW'

export const text = (title: string): PresaleText => ({
  ...{ title, overview: 'What the token is', details: 'What it does', pool: 'Who gets tokens' },
  ...{ useOfFunds: 'What the money is for', risks: 'It can lose all of its worth' },
})

export const details = (title: string): PresaleDetails => ({
  ...{ token, name: 'New Token', totalSupply: '10000000' as PresaleDetails['totalSupply'] },
  ...{ contract: { network: 'Ethereum', address: '0x00' }, texts: { en: text(title), de: text(`${title} auf Deutsch`) } },
})

/** Terms that begin a day after `now`: 0.05 USDT for a token, a fifth free at the end, the rest day by day. */
export const terms = (detailsHash: string, now: number, documentHash = ''): Terms => ({
  ...{ token, pricePay: '0.05', pricePer: '1', supply: '1000', purchaseLimit: '100', subscriptionMin: '10', subscriptionMax: '500' },
  ...{ softCap: '0', startsAt: now + day, endsAt: now + 3 * day, atListingPpm: 200_000, release: 'linear', lockDays: 30, steps: [] },
  ...{ documentHash, detailsHash },
})

/** Lists the token and gives the exchange a million of it. */
export async function issue({ exchange, submit }: SmallCore): Promise<void> {
  await submit({ type: 'asset.list', symbol: token, scale: 6 })
  const { id } = exchange.listing().assets.find(({ symbol }) => symbol === token)!
  await submit({ type: 'funds.system', account: 'presale-tokens', asset: id, amount: 1_000_000_000_000 } as Command)
}
