import { directions } from '@candor/core/protocol/command/option.ts'
import { optionResults, voidReasons } from '@candor/core/protocol/event/option.ts'
import {
  optionStatuses,
  type WireKnowledge,
  type WireKnowledgeAnswers,
  type WireOpenOption,
  type WireOption,
  type WireOptionFigures,
  type WireOptionLimits,
  type WireOptionMe,
  type WireOptionOpened,
  type WireOptionTerms,
} from '@candor/core/protocol/wire/option.ts'
import { z } from 'zod'
import { clientId, decimal, decimalOut, millis, symbol } from '../../http/schema.ts'

/** Longest cool-off that can be requested at once: six weeks. */
const coolOffHoursMax = 1_008
const secondsMax = 86_400

export const optionTerms = z
  .strictObject({
    isOpen: z.boolean(),
    rates: z.array(z.strictObject({ seconds: z.int(), profit: decimalOut, breakEven: decimalOut, windowMs: z.int() })).readonly(),
    stakeMin: decimalOut,
    stakeMax: decimalOut,
    openMax: decimalOut,
    sideMax: decimalOut,
    groupPercent: decimalOut,
    guardVoidsFree: z.int(),
    guardVoidsPercent: decimalOut,
    strikeDelayMs: z.int(),
    gapMaxMs: z.int(),
    fee: decimalOut,
    markets: z.array(z.strictObject({ symbol, isPaused: z.boolean() })).readonly(),
  })
  .meta({ id: 'OptionTerms' }) satisfies z.ZodType<WireOptionTerms>

export const openOption = z
  .strictObject({
    clientId,
    symbol,
    direction: z.enum(directions),
    stake: decimal,
    seconds: z.int().positive().max(secondsMax),
    guard: decimal
      .exactOptional()
      .meta({ description: 'Percent: void when the strike is further than this from the index at acceptance.' }),
  })
  .meta({ id: 'OpenOption' }) satisfies z.ZodType<WireOpenOption>

export const option = z
  .strictObject({
    id: z.string(),
    clientId: z.string(),
    symbol,
    direction: z.enum(directions),
    stake: decimalOut,
    profitPpm: z.int(),
    profit: decimalOut,
    fee: decimalOut,
    seconds: z.int(),
    status: z.enum(optionStatuses),
    acceptedAt: millis,
    strikeFrom: millis,
    expiresAt: millis,
    windowMs: z.int(),
    gapMaxMs: z.int(),
    guardPpm: z.int(),
    reference: decimalOut,
    strike: decimalOut.exactOptional(),
    strikeTick: z.int().exactOptional(),
    strikeAt: millis.exactOptional(),
    result: z.enum(optionResults).exactOptional(),
    voidReason: z.enum(voidReasons).exactOptional(),
    settlePrice: decimalOut.exactOptional(),
    settleProfit: decimalOut.exactOptional(),
    settledAt: millis.exactOptional(),
  })
  .meta({ id: 'Option' }) satisfies z.ZodType<WireOption>

export const optionOpened = z
  .strictObject({ order: option, isRepeat: z.boolean() })
  .meta({ id: 'OptionOpened' }) satisfies z.ZodType<WireOptionOpened>

export const optionMe = z
  .strictObject({
    isAdmitted: z.boolean(),
    openStakes: decimalOut,
    lossToday: decimalOut,
    lossMax: decimalOut.nullable(),
    nextLossMax: decimalOut.nullable(),
    nextAt: millis.nullable(),
    coolOffUntil: millis.nullable(),
    isGuardSpent: z.boolean(),
    isOpenInRegion: z.boolean(),
    left: z.array(z.strictObject({ symbol, up: decimalOut, down: decimalOut })).readonly(),
    wins: z.int(),
    losses: z.int(),
    ties: z.int(),
    net: decimalOut,
  })
  .meta({ id: 'OptionMe' }) satisfies z.ZodType<WireOptionMe>

export const optionFigures = z
  .strictObject({
    orders: z.int(),
    customers: z.int(),
    customersThatLost: z.int(),
    wonPercent: decimalOut,
    staked: decimalOut,
    net: decimalOut,
    voids: z.strictObject({ guard: z.int(), gap: z.int(), sources: z.int() }),
  })
  .meta({ id: 'OptionFigures' }) satisfies z.ZodType<WireOptionFigures>

export const knowledge = z
  .strictObject({ questions: z.array(z.strictObject({ id: z.string(), answers: z.int() })).readonly() })
  .meta({ id: 'Knowledge' }) satisfies z.ZodType<WireKnowledge>

export const knowledgeAnswers = z
  .strictObject({ answers: z.record(z.string().regex(/^[a-z0-9]{1,8}$/), z.int().min(0).max(9)) })
  .meta({ id: 'KnowledgeAnswers' }) satisfies z.ZodType<WireKnowledgeAnswers>

export const optionLimits = z
  .strictObject({ lossMax: decimal.nullable(), coolOffHours: z.int().positive().max(coolOffHoursMax).exactOptional() })
  .meta({ id: 'OptionLimits' }) satisfies z.ZodType<WireOptionLimits>
