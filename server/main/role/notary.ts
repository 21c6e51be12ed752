import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chainsFileName, readChains } from '../../chains/config.ts'
import { digestSigner } from '../../chains/keys.ts'
import { Loop } from '../../chains/worker/loop.ts'
import { Notary } from '../../chains/worker/notary.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Ground } from '../roles.ts'

const pollMs = 1_000

/** Signs for the signer what the core approved. The engine waits for none of it. */
export function startNotary({ store, logger }: Ground, engine: Engine, folder: string): Loop {
  let notary: Notary | undefined
  const log = ({ message, cause }: { readonly message: string; readonly cause?: unknown }): void =>
    logger.warn(cause === undefined ? {} : { err: cause }, message)
  const turn = async (): Promise<void> => {
    // A sandbox writes the file while its engine starts.
    if (!existsSync(join(folder, chainsFileName))) return
    notary ??= new Notary({
      ...{ pool: store.pool, config: readChains(join(folder, chainsFileName)), sign: digestSigner(folder, 'engine'), clock: Date.now, log },
      state: () => engine.ask((exchange) => ({ withdrawals: exchange.chain.withdrawals(), assets: exchange.listing().assets })),
    })
    await notary.turn()
  }
  return new Loop({ turn, pollMs, onFault: (cause) => log({ message: 'Approved withdrawals could not be signed for yet', cause }) })
}
