import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askedDay, monthCells, monthFrom, sumOf } from './days.ts'

const accounts = { spot: '1', perp: '0', margin: '0', option: '0', lend: '0' }
const day = (name: string, profitUsdt: string | null) => ({ day: name, totalUsdt: '10', profitUsdt, accounts })

test('UI-DAILY-004: months are shown in weeks from Monday, with every day once and its profit', () => {
  assert.deepEqual([monthFrom('2026-11', 1), monthFrom('2026-12', 1), monthFrom('2026-01', -1)], ['2026-12', '2027-01', '2025-12'])
  // November 2026 begins on a Sunday, February 2027 on a Monday and has four whole weeks.
  const november = monthCells('2026-11', [day('2026-11-30', '2.5')])
  assert.deepEqual([november.length, november[0]!.findIndex((cell) => cell !== undefined)], [6, 6])
  assert.deepEqual([november[5]![0]!.day, november[5]![0]!.profit!.profitUsdt, november[5]![1]], ['2026-11-30', '2.5', undefined])
  assert.deepEqual(
    monthCells('2027-02', [])
      .map((week) => week.map((cell) => cell!.day.slice(-2)))
      .flat().length,
    28,
  )
  for (const month of ['2024-02', '2026-03', '2026-10', '2026-12']) {
    const days = monthCells(month, [])
      .flat()
      .flatMap((cell) => cell?.day ?? [])
    assert.equal(new Set(days).size, new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate())
  }
})

test('UI-DAILY-005: only a day that exists and has begun is opened', () => {
  const now = Date.UTC(2026, 10, 28, 1)
  assert.equal(askedDay('2026-11-28', now), '2026-11-28')
  for (const text of [null, '', '2026-11-29', '2026-02-30', '2026-13-01', '2026-11', "2026-11-28'", '26-11-28'])
    assert.equal(askedDay(text, now), undefined)
})

test('UI-DAILY-006: a sum leaves out days whose price is missing, and there is none without days', () => {
  assert.equal(sumOf([day('2026-11-01', '2.5'), day('2026-11-02', null), day('2026-11-03', '-1')]), 1.5)
  assert.deepEqual([sumOf([]), sumOf([day('2026-11-02', null)])], [undefined, undefined])
})
