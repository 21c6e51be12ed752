import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Document } from '../document.ts'
import { runsOf, widthOfText } from '../encode.ts'
import { textsIn } from './texts-in.ts'

test('DAILY-FILE-002: every text is in the file once, in Latin and Chinese letters, on as many pages as it takes', () => {
  const document = new Document('hant')
  document.text('期初結餘（USDT） 1 234,5 für Österreich', { size: 12, isBold: true })
  for (let n = 1; n <= 200; n++) document.row(`row ${n}`, `-${n}.5`)
  const file = document.bytes('made')
  const texts = textsIn(file)
  assert.equal(texts[0], '期初結餘（USDT） 1 234,5 für Österreich')
  for (let n = 1; n <= 200; n++)
    for (const text of [`row ${n}`, `-${n}.5`]) assert.equal(texts.filter((one) => one === text).length, 1, text)
  const pages = texts.filter((one) => one === 'made').length
  assert.ok(pages > 3)
  for (let n = 1; n <= pages; n++) assert.ok(texts.includes(`${n} / ${pages}`))
  assert.match(file.toString('latin1'), new RegExp(`/Count ${pages} `))
})

test('DAILY-FILE-003: long lines are broken at spaces or between Chinese characters, and no text changes a file’s structure', () => {
  const words = Array.from({ length: 80 }, (_, n) => `word${n}`).join(' ')
  const document = new Document('hans')
  document.text(words)
  document.text('余额'.repeat(100))
  document.text(') Tj ET endstream endobj <script> \u0000 \ud83d\ude00')
  const texts = textsIn(document.bytes(''))
  const lines = texts.slice(0, -2)
  assert.ok(
    lines.every((line) => widthOfText(line) * 0.009 <= 499),
    'a line is too wide',
  )
  const broken = lines.filter((line) => line.startsWith('word'))
  assert.ok(broken.length > 1)
  assert.equal(broken.join(' '), words)
  assert.equal(lines.filter((line) => /^[余额]/u.test(line)).join(''), '余额'.repeat(100))
  assert.ok(lines.includes(') Tj ET endstream endobj <script> ? ?'))
})

test('DAILY-FILE-004: amounts end at one line: digits are as wide as each other, and a minus as a hyphen', () => {
  for (const digit of '0123456789') assert.equal(widthOfText(digit), 556)
  assert.equal(widthOfText('−1'), widthOfText('-1'))
  assert.equal(widthOfText('é'), widthOfText('e'))
  assert.deepEqual(
    runsOf('a期1').map(({ isWide, width }) => [isWide, width]),
    [
      [false, 556],
      [true, 1_000],
      [false, 556],
    ],
  )
})
