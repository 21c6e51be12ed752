import { ApiError } from '@candor/client/errors.ts'
import type { WireConfig } from '@candor/core/protocol/wire/market.ts'
import { client } from '../../app/client.ts'
import { whenAvailable } from '../../app/patience.ts'
import { type Sending, useSendOnce } from '../../app/use-send-once.ts'

type Portion = WireConfig['faucet'][number]
type Give = (request: { readonly clientId: string; readonly asset: string }) => Promise<unknown>

/**
 * Gets a portion of every coin that is due, one after the other. Each has a client id of its own that follows from the first, so that a
 * repeated tap after a lost answer gets no portion twice. Coins of which today's portions are used up are passed over.
 *
 * returns    the portions that were given
 * throws     the refusal if none was given, and any other error at once
 */
export async function takeAll(clientId: string, portions: readonly Portion[], give: Give): Promise<readonly Portion[]> {
  const given: Portion[] = []
  let refusal: unknown
  for (const [at, portion] of portions.entries()) {
    try {
      await give({ clientId: `${clientId.slice(0, -2)}${at.toString(16).padStart(2, '0')}`, asset: portion.asset })
      given.push(portion)
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'FAUCET_LIMIT')) throw error
      refusal = error
    }
  }
  if (given.length === 0 && refusal !== undefined) throw refusal
  return given
}

/** One tap for all practice coins that are due, in a sandbox. */
export function useFaucetAll(
  portions: readonly Portion[],
  onGiven: (given: readonly Portion[]) => unknown,
  onError: (error: Error) => void,
): Sending<'all'> {
  return useSendOnce({
    request: (clientId) => clientId,
    call: (clientId) => takeAll(clientId, portions, (request) => whenAvailable(() => client.funds.faucet(request))),
    onAnswer: onGiven,
    onError,
  })
}
