import type { WireClaim, WirePool, WireRatePoint, WireSupply } from '@candor/core/protocol/wire/margin.ts'
import { z } from 'zod'
import { asset, clientId, decimal, decimalOut, millis } from '../../http/schema.ts'

export const lendingPool = z
  .strictObject({
    asset,
    supplied: decimalOut,
    borrowed: decimalOut,
    queued: decimalOut,
    utilization: decimalOut,
    hourlyRate: decimalOut,
    earnRate: decimalOut,
  })
  .meta({ id: 'LendingPool' }) satisfies z.ZodType<WirePool>

export const ratePoint = z
  .strictObject({ time: millis, hourlyRate: decimalOut, utilization: decimalOut })
  .meta({ id: 'RatePoint' }) satisfies z.ZodType<WireRatePoint>

export const claim = z
  .strictObject({
    asset,
    claim: decimalOut,
    earned: decimalOut,
    queued: decimalOut,
    liquid: decimalOut,
    fresh: decimalOut,
    freshUntil: millis.nullable(),
  })
  .meta({ id: 'Claim' }) satisfies z.ZodType<WireClaim>

export const supply = z.strictObject({ clientId, asset, amount: decimal }).meta({ id: 'Supply' }) satisfies z.ZodType<WireSupply>
