import { join } from 'node:path'
import { type ChainsConfig, chainsFileName, readChains } from '../../chains/config.ts'
import { type Settings, SettingsFault } from '../settings.ts'

/**
 * The networks of an exchange; undefined where none are configured, so that no coins come or go.
 *
 * throws  SettingsFault when the file of networks is missing or wrong
 */
export function chainsOf({ chainsFolder }: Settings): ChainsConfig | undefined {
  if (chainsFolder === undefined) return undefined
  const file = join(chainsFolder, chainsFileName)
  try {
    return readChains(file)
  } catch (cause) {
    throw new SettingsFault(`CANDOR_CHAINS: ${file} can’t be used: ${(cause as Error).message}`)
  }
}
