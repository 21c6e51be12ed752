import { join } from 'node:path'
import type { NetworkNumber } from '@candor/core/protocol/ids.ts'
import { chainsFileName, type NetworkConfig, readChains } from '../chains/config.ts'
import type { PayingNetwork } from '../operations/withdrawals.ts'
import type { Settings } from './settings.ts'

/** The networks of the file that the settings name; none without one. throws  Error that names what is wrong in the file */
export function networksOf({ chainsFolder }: Pick<Settings, 'chainsFolder'>): readonly NetworkConfig[] {
  return chainsFolder === undefined ? [] : readChains(join(chainsFolder, chainsFileName)).networks
}

/** What decisions about terms know of a network. */
export function payingNetwork({ number, label, tokens }: NetworkConfig): PayingNetwork {
  return { number: number as NetworkNumber, label, assets: tokens.map(({ asset }) => asset) }
}
