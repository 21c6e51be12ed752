import type { ChainsDoor } from '../../app/chains/desks.ts'
import { digestSigner } from '../../chains/keys.ts'
import { chainsOf } from '../chains/config.ts'
import type { Settings } from '../settings.ts'

/** The networks of the exchange, and the key by which the login vouches for customers. Without a folder, no coins come or go. */
export function openChains(settings: Settings): Pick<ChainsDoor, 'config' | 'attest'> {
  const config = chainsOf(settings)
  return config === undefined ? { config, attest: undefined } : { config, attest: digestSigner(settings.chainsFolder!, 'login') }
}
