/** The reading of a checked file in sentences, for the terminal. The app has its own words in each language. */
import { formatUnits } from '@candor/core/money/units.ts'
import type { FileVerdict, LiabilitiesVerdict, ReceiptsVerdict, TapeVerdict } from '@candor/core/proof/any-file.ts'
import { anchorLines, reserveLines } from '@candor/core/proof/chain/reading.ts'
import type { Contradiction } from '@candor/core/proof/remembered.ts'

export type Reading = { readonly isRight: boolean; readonly lines: readonly string[] }

const found: Readonly<Record<Contradiction, string>> = {
  keys: 'the keys are not those that were known',
  signature: 'the newer head is not signed by its key',
  gone: 'the exchange no longer has the remembered head',
  twin: 'two signed heads have the same number',
  back: 'the newer head covers less of the journal than the older one',
  path: 'the newer head does not follow from the remembered one',
}
const faults = {
  key: 'its keys do not belong together',
  unsigned: 'the remembered head is not signed by its key',
  agrees: 'its two heads do not show what it says',
} as const

/** What a verdict says, and whether the file holds. Evidence holds when its two heads do contradict each other. */
export function readingOf(verdict: FileVerdict): Reading {
  if (verdict.kind === 'unknown') return { isRight: false, lines: ['no file that this verifier knows'] }
  if (verdict.kind === 'heads') {
    const { wrong, last, firstKey } = verdict
    if (wrong !== undefined) return { isRight: false, lines: [`heads: line ${wrong.line} ${wrong.why}`] }
    if (last === undefined) return { isRight: false, lines: ['heads: there is no head in the file'] }
    const until = `up to command ${last.seq} of ${new Date(last.at).toISOString()}`
    return {
      isRight: true,
      lines: [`heads: ${last.n} heads ${until}, each signed and following from those before`, keyLine(firstKey)],
    }
  }
  if (verdict.kind === 'receipts') return readingOfReceipts(verdict)
  if (verdict.kind === 'liabilities') return readingOfLiabilities(verdict)
  if (verdict.kind === 'reserves') {
    const { wrong, proved } = verdict
    if (proved === undefined) return { isRight: false, lines: [`reserves: ${wrong}`] }
    return { isRight: true, lines: [...reserveLines(proved, Date.now()), keyLine(proved.firstKey)] }
  }
  if (verdict.kind === 'anchors') {
    const { wrong, proved } = verdict
    if (wrong !== undefined) return { isRight: false, lines: [`anchors: line ${wrong.line} ${wrong.why}`] }
    return { isRight: true, lines: [...anchorLines(proved), keyLine(proved[0]?.firstKey)] }
  }
  if (verdict.kind === 'tape') return readingOfTape(verdict)
  const { verdict: shown, evidence } = verdict
  if (shown.wrong !== undefined) return { isRight: false, lines: [`evidence: ${faults[shown.wrong]}`] }
  return {
    isRight: true,
    lines: [
      `evidence: ${found[shown.found]} (${evidence.host}, ${new Date(evidence.at).toISOString()})`,
      `remembered head ${shown.remembered?.n ?? 'none'}, shown head ${shown.shown?.n ?? 'none'}`,
      shown.isComplete
        ? 'Both heads are signed with this key, so that the file proves it by itself.'
        : 'Only the remembered head is proved. That the other one was shown is what the finder says: ask the exchange, and compare with others.',
      keyLine(shown.firstKey),
    ],
  }
}

function readingOfReceipts({ wrong, proved }: ReceiptsVerdict): Reading {
  if (wrong !== undefined) return { isRight: false, lines: [`receipts: line ${wrong.line} ${wrong.why}`] }
  const all = proved.map(({ receipt: { seq, at, user, command, events }, head }) => {
    const names = [...(command === undefined ? [] : [command]), ...events].map(({ name }) => name).join(', ')
    return `command ${seq} of ${new Date(at).toISOString()}, user ${user}: ${names} (head ${head.n})`
  })
  return { isRight: true, lines: [`receipts: ${proved.length}, each in the tree of a signed head`, ...all, keyLine(proved[0]?.firstKey)] }
}

function readingOfLiabilities({ uid, wrong, proved }: LiabilitiesVerdict): Reading {
  if (proved === undefined) return { isRight: false, lines: [`liabilities: ${wrong}`] }
  const { statement, head, own, firstKey } = proved
  const sums = own.map(({ asset, kind, amount }) => {
    const { scale, sum } = statement.trees.find((tree) => tree.asset === asset && tree.kind === kind)!
    return `${asset} ${kind}: ${formatUnits(amount, scale)} of ${formatUnits(sum, scale)}`
  })
  const when = `statement ${statement.n} of ${new Date(statement.at).toISOString()}, after command ${statement.seq} (head ${head.n})`
  return { isRight: true, lines: [`liabilities: customer ${uid} is in ${when}`, ...sums, keyLine(firstKey)] }
}

const keyLine = (key: string | undefined): string => `First key: ${key}. Compare it with what others have.`

function readingOfTape({ wrong, count, first, last }: TapeVerdict): Reading {
  if (wrong !== undefined) return { isRight: false, lines: [`tape: line ${wrong.line} ${wrong.why}`] }
  if (first === undefined || last === undefined) return { isRight: false, lines: ['tape: there is no tick in the file'] }
  const until = `${first.tick} to ${last.tick} of ${new Date(last.at).toISOString()}`
  return {
    isRight: true,
    lines: [
      `tape: ${count} ticks, ${until}, each following from the one before`,
      `Last hash: ${last.hash}. Compare it with what others have; names of venues and markets are not proved.`,
    ],
  }
}
