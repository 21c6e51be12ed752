import { coins } from '@candor/core/protocol/coins.ts'

/** Full names of the coins that the exchange knows; others are shown by their symbol. */
export const assetNames: Readonly<Record<string, string>> = Object.fromEntries(coins.map(({ symbol, name }) => [symbol, name]))
