import type { Ppm, Ticks } from '@candor/core/money/brand.ts'
import { bandHigh, bandLow } from '@candor/core/risk/spot.ts'

export function isOutsideBand(price: number, reference: number, bandPpm: number): boolean {
  return price < bandLow(reference as Ticks, bandPpm as Ppm) || price > bandHigh(reference as Ticks, bandPpm as Ppm)
}
