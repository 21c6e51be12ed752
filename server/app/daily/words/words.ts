import type { AccountKind } from '@candor/core/protocol/account.ts'
import type { LocaleCode } from '@candor/core/protocol/locales.ts'
import type { StatementLine } from '@candor/core/protocol/wire/days/daily.ts'
import { ca } from './ca.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { fr } from './fr.ts'
import { hans } from './hk-hans.ts'
import { hk } from './hk.ts'
import { it } from './it.ts'
import { pt } from './pt.ts'

/** The words of a printed statement in one language. */
export type Words = {
  readonly title: string
  readonly uid: string
  readonly utc: string
  readonly notFinal: string
  readonly empty: string
  readonly all: string
  readonly value: string
  readonly opening: string
  readonly net: string
  readonly profit: string
  readonly trading: string
  readonly closing: string
  readonly openProfit: string
  readonly pledged: string
  readonly noValue: string
  readonly debts: string
  readonly borrowed: string
  readonly repaid: string
  readonly prices: string
  readonly pricesHint: string
  readonly reference: string
  readonly presale: string
  readonly missing: string
  readonly atStart: string
  readonly atEnd: string
  /** When the file was made: `{time}`. */
  readonly made: string
  readonly definition: string
  readonly lines: { readonly [L in StatementLine]: string }
  readonly accounts: { readonly [K in AccountKind]: string }
}

export const words: { readonly [L in LocaleCode]: Words } = { en, hk, 'hk-hans': hans, ca, de, fr, it, pt }
