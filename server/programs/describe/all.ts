import { accountDescriptions } from './account.ts'
import { chainDescriptions } from './chains.ts'
import { convertDescriptions } from './convert.ts'
import type { Descriptions } from './describe.ts'
import { futuresAccountDescriptions } from './futures-account.ts'
import { futuresMarketDescriptions } from './futures-market.ts'
import { futuresDescriptions } from './futures.ts'
import { marginDescriptions } from './margin.ts'
import { marketDescriptions } from './market.ts'
import { spotDescriptions } from './spot.ts'
import { subAccountDescriptions } from './sub-accounts.ts'
import { userDataDescriptions } from './user-data.ts'
import { walletDescriptions } from './wallet.ts'

/** Every route of the programs' API. A test fails for one that is missing, or that is described and not served. */
export const descriptions: Descriptions = {
  ...marketDescriptions,
  ...spotDescriptions,
  ...accountDescriptions,
  ...chainDescriptions,
  ...walletDescriptions,
  ...convertDescriptions,
  ...subAccountDescriptions,
  ...marginDescriptions,
  ...futuresMarketDescriptions,
  ...futuresDescriptions,
  ...futuresAccountDescriptions,
  ...userDataDescriptions,
}
