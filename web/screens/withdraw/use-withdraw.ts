import type { WireNewWithdrawal } from '@candor/core/protocol/wire/chains.ts'
import { type Sending, useSendOnce } from '../../app/use-send-once.ts'
import { withProof } from '../../parts/account/proof.ts'
import { chains, chainsQuery } from '../../parts/chains/data.ts'

/** Few accounts sign with a passkey. */
const passkeys = () => import('../../parts/account/passkeys.ts')

export type AskedWithdrawal = Omit<WireNewWithdrawal, 'clientId' | 'passkey'>

/**
 * Asks for a withdrawal once. Each try is checked first; then a passkey signs it, or the session is proved. Held by the form: after a lost
 * answer, a sheet that was closed and opened again must repeat the request, not make a second one.
 */
export function useWithdraw(onAsked: (id: string) => void): Sending<AskedWithdrawal> {
  return useSendOnce({
    request: (clientId, asked: AskedWithdrawal) => ({ clientId, ...asked }),
    async call(request: Omit<WireNewWithdrawal, 'passkey'>) {
      const { paymentPassword: _secret, ...wish } = request
      const { passkey: options } = await chains.prepareWithdrawal(wish)
      const signed = options === undefined ? {} : { passkey: await (await passkeys()).signWithPasskey(options) }
      return withProof(() => chains.withdraw({ ...request, ...signed }))
    },
    alsoOld: chainsQuery,
    onAnswer: ({ id }) => onAsked(id),
  })
}
