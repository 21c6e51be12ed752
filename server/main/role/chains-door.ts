import { join } from 'node:path'
import type { ChainsDoor } from '../../app/chains/desks.ts'
import { chainsFileName, readChains } from '../../chains/config.ts'
import { digestSigner } from '../../chains/keys.ts'

/** The networks of the folder, and the key by which the login vouches for customers. Without a folder, no coins come or go. */
export function openChains(folder: string | undefined): Pick<ChainsDoor, 'config' | 'attest'> {
  if (folder === undefined) return { config: undefined, attest: undefined }
  return { config: readChains(join(folder, chainsFileName)), attest: digestSigner(folder, 'login') }
}
