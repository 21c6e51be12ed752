import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AssetId } from '../protocol/ids.ts'
import * as marginTermsRules from './margin-terms.ts'
import { plain } from '../money/test/plain.ts'

// These functions take plain numbers, so that the tests can use literals.
const { areMarginTermsValid, firstMarginTerms, laterTerms, openPpm } = plain(marginTermsRules)

const assets = [
  { id: 1 as AssetId, symbol: 'USDT' },
  { id: 2 as AssetId, symbol: 'BTC' },
  { id: 3 as AssetId, symbol: 'ETH' },
  { id: 4 as AssetId, symbol: 'DOGE' },
]
const terms = firstMarginTerms(6, assets)
/** A tier with a leverage of 2: a full loan leaves a level of 2. */
const tier = { loanMax: 1, leverage: 2, liquidationPpm: 1_050_000 }
const second = { loanMax: 2, leverage: 2, liquidationPpm: 1_050_000 }
const many = (count: number) => Array.from({ length: count }, (_, i) => ({ ...tier, loanMax: i + 1 }))

/** Changes of the terms, per field: to the last values that are allowed, and to values just beyond them. */
const limits: readonly (readonly [allowed: readonly object[], refused: readonly object[]])[] = [
  [
    [{ tiers: many(1) }, { tiers: many(16) }],
    [{ tiers: [] }, { tiers: many(17) }],
  ],
  [[{ tiers: [tier, second] }], [{ tiers: [tier, { ...second, loanMax: 1 }] }, { tiers: [{ ...tier, loanMax: 0 }] }]],
  [
    [{ tiers: [{ ...tier, leverage: 10 }] }, { tiers: [{ ...tier, leverage: 3 }, second] }],
    [{ tiers: [{ ...tier, leverage: 11 }] }, { tiers: [{ ...tier, leverage: 1 }] }, { tiers: [tier, { ...second, leverage: 3 }] }],
  ],
  [
    [{ tiers: [{ ...tier, liquidationPpm: 1_000_001 }] }, { tiers: [tier, { ...second, liquidationPpm: 1_050_001 }] }],
    [{ tiers: [{ ...tier, liquidationPpm: 1_000_000 }] }, { tiers: [tier, { ...second, liquidationPpm: 1_049_999 }] }],
  ],
  // The level after a full loan is above the warning …
  [[{ tiers: [{ ...tier, liquidationPpm: 1_949_999 }] }], [{ tiers: [{ ...tier, liquidationPpm: 1_950_000 }] }]],
  // … and above the cushion.
  [
    [{ isolatedCallPpm: 10_000, tiers: [{ ...tier, liquidationPpm: 1_979_999 }] }],
    [{ isolatedCallPpm: 10_000, tiers: [{ ...tier, liquidationPpm: 1_980_000 }] }],
  ],
  [[{ isolatedCallPpm: 1 }], [{ isolatedCallPpm: 0 }]],
  [
    [{ crossLeverage: 2 }, { crossLeverage: 10 }],
    [{ crossLeverage: 1 }, { crossLeverage: 11 }],
  ],
  [[{ crossLiquidationPpm: 1_000_001 }], [{ crossLiquidationPpm: 1_000_000 }]],
  [
    [{ crossCallPpm: 1_100_001 }, { crossCallPpm: 1_249_999 }],
    [{ crossCallPpm: 1_100_000 }, { crossCallPpm: 1_250_000 }],
  ],
  [[{ crossBorrowPpm: 1_160_001 }], [{ crossBorrowPpm: 1_160_000 }]],
  [
    [{ crossTransferPpm: 1_250_000 }, { crossTransferPpm: 10_000_000 }],
    [{ crossTransferPpm: 1_249_999 }, { crossTransferPpm: 10_000_001 }],
  ],
  [
    [{ rateZero: 0 }, { rateZero: 20_000_000 }],
    [{ rateZero: -1 }, { rateZero: 20_000_001 }],
  ],
  [
    [{ rateKink: 5_000_000 }, { rateKink: 200_000_000 }],
    [{ rateKink: 4_999_999 }, { rateKink: 200_000_001 }],
  ],
  [
    [{ rateFull: 20_000_000 }, { rateFull: 10_000_000_000 }],
    [{ rateFull: 19_999_999 }, { rateFull: 10_000_000_001 }],
  ],
  [
    [{ kinkPpm: 1 }, { kinkPpm: 999_999 }],
    [{ kinkPpm: 0 }, { kinkPpm: 1_000_000 }],
  ],
  [
    [{ borrowStopPpm: 1 }, { borrowStopPpm: 1_000_000 }],
    [{ borrowStopPpm: 0 }, { borrowStopPpm: 1_000_001 }],
  ],
  [
    [{ reservePpm: 0 }, { reservePpm: 1_000_000 }],
    [{ reservePpm: -1 }, { reservePpm: 1_000_001 }],
  ],
  [
    [{ liquidationFeePpm: 0 }, { liquidationFeePpm: 100_000 }],
    [{ liquidationFeePpm: -1 }, { liquidationFeePpm: 100_001 }],
  ],
  [
    [{ cushionPpm: 0 }, { tiers: [tier], cushionPpm: 149_999 }],
    [{ cushionPpm: -1 }, { tiers: [tier], cushionPpm: 150_000 }],
  ],
  [
    [{ weightPpm: 0 }, { weightPpm: 1_000_000 }],
    [{ weightPpm: -1 }, { weightPpm: 1_000_001 }],
  ],
  [
    [
      { weights: [] },
      {
        weights: [
          { asset: 1, weightPpm: 0 },
          { asset: 2, weightPpm: 1_000_000 },
        ],
      },
    ],
    [
      { weights: [{ asset: 0, weightPpm: 1 }] },
      { weights: [{ asset: 1, weightPpm: -1 }] },
      { weights: [{ asset: 1, weightPpm: 1_000_001 }] },
      {
        weights: [
          { asset: 2, weightPpm: 1 },
          { asset: 2, weightPpm: 1 },
        ],
      },
    ],
  ],
  [
    [{ userSharePpm: 1 }, { userSharePpm: 1_000_000 }],
    [{ userSharePpm: 0 }, { userSharePpm: 1_000_001 }],
  ],
  [
    [{ loanMin: 0 }, { loanMin: 10 ** 12 }],
    [{ loanMin: -1 }, { loanMin: 10 ** 12 + 1 }],
  ],
  [
    [{ supplyMin: 0 }, { supplyMin: 10 ** 12 }],
    [{ supplyMin: -1 }, { supplyMin: 10 ** 12 + 1 }],
  ],
  [
    [
      { fundAssetPpm: 0, fundFastPpm: 0 },
      { fundAssetPpm: 1_000_000, fundAllPpm: 1_000_000 },
    ],
    [
      { fundAssetPpm: -1, fundFastPpm: 0 },
      { fundAssetPpm: 1_000_001, fundAllPpm: 1_000_001 },
    ],
  ],
  [
    [{ fundAllPpm: 100_000 }, { fundAllPpm: 1_000_000 }],
    [{ fundAllPpm: 99_999 }, { fundAllPpm: 1_000_001 }],
  ],
  [
    [{ fundFastPpm: 0 }, { fundFastPpm: 100_000 }],
    [{ fundFastPpm: -1 }, { fundFastPpm: 100_001 }],
  ],
]

test('MARGIN-TERMS-001: terms are valid up to each limit, and not beyond', () => {
  for (const [allowed, refused] of limits) {
    for (const changed of allowed) assert.equal(areMarginTermsValid({ ...terms, ...changed }), true, JSON.stringify(changed))
    for (const changed of refused) assert.equal(areMarginTermsValid({ ...terms, ...changed }), false, JSON.stringify(changed))
  }
})

test('the first terms are valid at any scale of USDT, and their sums are whole USDT', () => {
  for (const scale of [2, 6, 8]) {
    const first = firstMarginTerms(scale, assets)
    assert.equal(areMarginTermsValid(first), true)
    assert.deepEqual(
      first.tiers.map(({ loanMax }) => loanMax / 10 ** scale),
      [100_000, 200_000, 400_000, 800_000, 1_600_000, 1_000_000_000],
    )
    assert.deepEqual([first.loanMin, first.supplyMin], [10 * 10 ** scale, 10 * 10 ** scale])
  }
  assert.equal(terms.isOpen, true)
})

test('BTC and ETH count almost in full, other coins less', () => {
  const { weights, weightPpm } = laterTerms(6, assets)
  assert.deepEqual(weights, [
    { asset: 2, weightPpm: 950_000 },
    { asset: 3, weightPpm: 950_000 },
  ])
  assert.equal(weightPpm, 850_000)
})

test('a loan at full leverage leaves a level that is rounded up', () => {
  assert.deepEqual([2, 3, 4, 10].map(openPpm), [2_000_000, 1_500_000, 1_333_334, 1_111_112])
})
