import type { Decimal } from '@candor/core/money/brand.ts'
import { type LocaleCode, locales } from '@candor/core/protocol/locales.ts'
import {
  statementLines,
  type WireStatement,
  type WireStatementAccount,
  type WireStatementCoin,
  type WireStatementDebt,
  type WireStatementSums,
  type WireStatementValue,
  type WireUsedPrice,
} from '@candor/core/protocol/wire/days/daily.ts'
import { Document } from './pdf/document.ts'
import { type Words, words } from './words/words.ts'

type Printer = {
  readonly document: Document
  readonly words: Words
  readonly amount: (value: Decimal) => string
  readonly usdt: (value: Decimal) => string
}

/** The statement as a PDF in a language. `madeAt`: milliseconds. */
export function statementPdf(statement: WireStatement, uid: string, lang: LocaleCode, madeAt: number): Buffer {
  const own = words[lang]
  const { tag } = locales.find(({ code }) => code === lang)!
  const date = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(statement.day))
  const document = new Document(lang === 'hk-hans' ? 'hans' : 'hant')
  const printer: Printer = { document, words: own, amount: numbers(tag, 0, 18), usdt: numbers(tag, 2, 2) }

  document.text('Candor', { size: 9, tone: 'grey' })
  document.text(`${own.title} · ${date}`, { size: 18, isBold: true })
  document.space(3)
  document.text(`${own.uid} ${uid} · ${statement.isFinal ? own.utc : own.notFinal}`, { tone: 'grey' })
  document.space(12)
  if (statement.accounts.length === 0) document.text(own.empty)
  else {
    printAccount(printer, own.all, statement.total, true)
    for (const account of statement.accounts) printAccount(printer, nameOf(own, account), account, false)
    printPrices(printer, statement.prices)
    document.text(own.definition, { size: 8, tone: 'grey' })
  }
  return document.bytes(own.made.replace('{time}', `${new Date(madeAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`))
}

/** Formats decimal text exactly: no digit passes through a binary fraction. */
function numbers(tag: string, min: number, max: number): (value: Decimal) => string {
  const format = new Intl.NumberFormat(tag, {
    ...{ minimumFractionDigits: min, maximumFractionDigits: max, useGrouping: 'always', signDisplay: 'negative' },
  } as Intl.NumberFormatOptions)
  return (value) => format.format(value as unknown as number)
}

function nameOf({ accounts }: Words, { kind, symbol }: WireStatementAccount): string {
  return symbol === undefined ? accounts[kind] : `${accounts[kind]} ${symbol}`
}

function printAccount(printer: Printer, title: string, { coins, debts, value }: WireStatementSums, isAll: boolean): void {
  const { document } = printer
  document.keepTogether(90)
  document.text(title, { size: 12, isBold: true })
  document.rule()
  printValue(printer, value, isAll)
  for (const coin of coins) printCoin(printer, coin, isAll)
  for (const debt of debts) printDebt(printer, debt)
  document.space(10)
}

const isZero = (amount: Decimal): boolean => Number(amount) === 0

function printValue({ document, words, usdt }: Printer, value: WireStatementValue | null, isAll: boolean): void {
  if (value === null) {
    document.text(words.noValue, { tone: 'grey' })
    return
  }
  document.text(words.value, { isBold: true })
  const row = (label: string, sum: Decimal, isAlways = false): void => {
    if (isAlways || !isZero(sum)) document.row(label, usdt(sum), { tone: 'grey' })
  }
  row(words.opening, value.opening, true)
  row(words.net, value.net)
  if (!isAll) row(words.lines.transfers, value.transfers)
  row(words.trading, value.trading)
  for (const line of ['fees', 'funding', 'interest'] as const) row(words.lines[line], value[line])
  document.row(words.profit, usdt(value.profit), { isBold: true })
  document.row(words.closing, usdt(value.closing), { isBold: true })
  row(words.openProfit, value.openProfit.closing)
  row(words.pledged, value.pledged.closing)
  document.space(4)
}

function printCoin({ document, words, amount }: Printer, { asset, opening, lines, closing }: WireStatementCoin, isAll: boolean): void {
  document.keepTogether(52)
  document.space(4)
  document.text(asset, { isBold: true })
  document.row(words.opening, amount(opening), { tone: 'grey' })
  for (const line of statementLines)
    if (!isZero(lines[line]) && !(isAll && line === 'transfers')) document.row(words.lines[line], amount(lines[line]), { tone: 'grey' })
  document.row(words.closing, amount(closing), { isBold: true })
}

function printDebt({ document, words, amount }: Printer, { asset, opening, borrowed, interest, repaid, closing }: WireStatementDebt): void {
  document.keepTogether(80)
  document.space(4)
  document.text(`${words.debts} · ${asset}`, { isBold: true })
  document.row(words.opening, amount(opening), { tone: 'grey' })
  document.row(words.borrowed, amount(borrowed), { tone: 'grey' })
  document.row(words.lines.interest, amount(interest), { tone: 'grey' })
  document.row(words.repaid, amount(isZero(repaid) ? repaid : `-${repaid}`), { tone: 'grey' })
  document.row(words.closing, amount(closing), { isBold: true })
}

function printPrices({ document, words, amount }: Printer, prices: WireStatement['prices']): void {
  if (prices.length === 0) return
  document.keepTogether(90)
  document.text(words.prices, { size: 12, isBold: true })
  document.rule()
  document.text(words.pricesHint, { tone: 'grey' })
  const used = (price: WireUsedPrice | null): string => {
    if (price === null) return words.missing
    const minute = `${new Date(price.minute).toISOString().slice(0, 16).replace('T', ' ')} UTC`
    const source = price.isPresale ? words.presale : price.symbol
    return [amount(price.price), source, minute, ...(price.isReference ? [words.reference] : [])].join(' · ')
  }
  for (const { asset, opening, closing } of prices) {
    document.row(`${asset} · ${words.atStart}`, used(opening), { tone: 'grey' })
    document.row(`${asset} · ${words.atEnd}`, used(closing), { tone: 'grey' })
  }
  document.space(10)
}
