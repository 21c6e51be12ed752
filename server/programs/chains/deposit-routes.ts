import type { WireDeposit, WireDepositState } from '@candor/core/protocol/wire/chains.ts'
import type { ChainsConfig } from '../../chains/config.ts'
import { times } from '../../chains/desk/terms.ts'
import type { Context } from '../context.ts'
import { assetName, walletAsset } from '../funds/values.ts'
import { checkTimes } from '../market/trades.ts'
import * as param from '../params.ts'
import { type Route, signedRoute } from '../route.ts'
import { addressPages, placeOf, wordNamed } from './networks.ts'
import { historyParams, networkWord } from './values.ts'

/** Statuses by the numbers that programs know: pending, rejected, credited and not final, success. */
const numbers: Readonly<Record<WireDepositState, 0 | 1 | 2 | 6>> = {
  ...({ confirming: 0, small: 0, held: 0 } as const),
  ...({ credited: 6, final: 1, orphaned: 2, failed: 2 } as const),
}
const statesOf = (number: string): readonly WireDepositState[] =>
  (Object.keys(numbers) as WireDepositState[]).filter((state) => String(numbers[state]) === number)

/** Deposit addresses, and deposits. */
export function depositRoutes({ listing, chains: { config, deposits } }: Context): readonly Route[] {
  return [
    signedRoute(
      { method: 'GET', path: '/sapi/v1/capital/deposit/address', scope: 'read', weight: 10 },
      { coin: param.mandatory(assetName), network: networkWord },
      async ({ coin, network: word }, owner) => {
        const { network } = placeOf(config, walletAsset(listing, coin), word)
        const { address } = await deposits.address(network.name, owner)
        const pages = addressPages(network)
        return { coin, address, tag: '', url: pages === '' ? '' : `${pages}${address}` }
      },
    ),

    signedRoute(
      { method: 'GET', path: '/sapi/v1/capital/deposit/hisrec', scope: 'read', weight: 10 },
      { ...historyParams, status: param.word(['0', '1', '2', '6']), txId: param.text(/^[0-9A-Za-z]{1,80}$/) },
      async ({ coin, status, txId: txid, startTime: since, endTime: until, offset, limit }, owner) => {
        if (coin !== undefined) walletAsset(listing, coin)
        checkTimes(since, until)
        const states = status === undefined ? undefined : statesOf(status)
        const { items } = await deposits.list(owner, { asset: coin, states, txid, since, until, offset, limit })
        return items.map((item) => depositOf(config, item))
      },
    ),
  ]
}

function depositOf(config: ChainsConfig | undefined, item: WireDeposit) {
  const { id, amount, asset: coin, network, state, address, txid, seenAt, finalAt, confirmations, needed } = item
  const { finalBlocks } = times[config?.networks.find(({ name }) => name === network)?.kind ?? 'evm']
  return {
    ...{ id, amount, coin, network: wordNamed(config, network), status: numbers[state], address, addressTag: '', txId: txid },
    ...{ insertTime: seenAt, ...(finalAt === undefined ? {} : { completeTime: finalAt }), transferType: 0, walletType: 0 },
    ...{ unlockConfirm: finalBlocks, confirmTimes: `${confirmations}/${needed === 0 ? finalBlocks : needed}` },
  }
}
