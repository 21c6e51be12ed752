import type {
  AnchorsVerdict,
  FileVerdict,
  HeadsVerdict,
  LiabilitiesVerdict,
  ReceiptsVerdict,
  ReservesVerdict,
  TapeVerdict,
} from '@candor/core/proof/any-file.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Found } from '../../parts/proof/found.tsx'
import { remembered } from '../../parts/proof/memory.ts'
import { OwnSums } from './own-sums.tsx'
import { AnchorResult, CoinRows, Networks, ReserveResult } from './reserve-parts.tsx'
import { ReceiptText } from './receipt-text.tsx'
import { Result, shortHex, type Tone } from './section.tsx'

/** More would make the screen slow; each was checked. */
const shownMax = 50

/** What a checked file is, whether it holds, and what it says. */
export function Reading({ name, verdict }: { readonly name: string; readonly verdict: FileVerdict }) {
  const { t } = useTranslation()
  const format = useFormats()
  if (verdict.kind === 'heads') return <Heads name={name} verdict={verdict} />
  if (verdict.kind === 'receipts') return <Receipts name={name} verdict={verdict} />
  if (verdict.kind === 'liabilities') return <Liabilities name={name} verdict={verdict} />
  if (verdict.kind === 'reserves') return <ReservesFile name={name} verdict={verdict} />
  if (verdict.kind === 'anchors') return <AnchorsFile name={name} verdict={verdict} />
  if (verdict.kind === 'tape') return <TapePiece name={name} verdict={verdict} />
  if (verdict.kind === 'unknown')
    return (
      <Result tone="warn" text={t('verify.read.unknown')}>
        {name}
      </Result>
    )
  const { evidence, verdict: found } = verdict
  if (found.wrong !== undefined)
    return (
      <Result tone="bad" text={t('verify.read.evidenceWrong')}>
        {name}: {t(`verify.read.evidenceFault.${found.wrong}`)}
      </Result>
    )
  return (
    <>
      <Result tone={toneOf(found.firstKey)} text={t('verify.read.evidence')}>
        <p>
          {name}: {t('verify.read.evidenceOf', { host: evidence.host, at: format.dateTime(evidence.at) })}
        </p>
        <SameKey firstKey={found.firstKey} />
      </Result>
      <Found evidence={evidence} />
    </>
  )
}

function Heads({ name, verdict: { wrong, last, firstKey } }: { readonly name: string; readonly verdict: HeadsVerdict }) {
  const { t } = useTranslation()
  const format = useFormats()
  if (wrong !== undefined) return <Wrong name={name} {...wrong} />
  if (last === undefined)
    return (
      <Result tone="plain" text={t('verify.read.noHeads')}>
        {name}
      </Result>
    )
  return (
    <Result tone={toneOf(firstKey)} text={t('verify.read.heads', { count: last.n, number: format.number(last.n) })}>
      <p>
        {name}: {t('verify.read.headsUpTo', { seq: format.number(last.seq), at: format.dateTime(last.at) })}
      </p>
      <SameKey firstKey={firstKey} />
    </Result>
  )
}

function Receipts({ name, verdict: { wrong, proved } }: { readonly name: string; readonly verdict: ReceiptsVerdict }) {
  const { t } = useTranslation()
  const format = useFormats()
  if (wrong !== undefined) return <Wrong name={name} {...wrong} />
  return (
    <>
      <Result
        tone={toneOf(proved[0]?.firstKey)}
        text={t('verify.read.receipts', { count: proved.length, number: format.number(proved.length) })}
      >
        <p>{name}</p>
        <SameKey firstKey={proved[0]?.firstKey} />
      </Result>
      <ul className="flex flex-col gap-2">
        {proved.slice(0, shownMax).map(({ receipt, head }) => (
          <li key={receipt.seq}>
            <ReceiptText receipt={receipt} head={head} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Liabilities({ name, verdict: { wrong, uid, proved } }: { readonly name: string; readonly verdict: LiabilitiesVerdict }) {
  const { t } = useTranslation()
  const format = useFormats()
  if (proved === undefined) return <Wrong name={name} why={wrong ?? ''} />
  return (
    <>
      <Result tone={toneOf(proved.firstKey)} text={t('verify.read.liabilities')}>
        <p>
          {name}: {t('verify.read.liabilitiesOf', { uid, at: format.dateTime(proved.statement.at) })}
        </p>
        <SameKey firstKey={proved.firstKey} />
      </Result>
      <OwnSums proved={proved} />
    </>
  )
}

function ReservesFile({ name, verdict: { wrong, proved } }: { readonly name: string; readonly verdict: ReservesVerdict }) {
  if (proved === undefined) return <Wrong name={name} why={wrong ?? ''} />
  return (
    <>
      <ReserveResult proved={proved} tone={toneOf(proved.firstKey)}>
        <p>{name}</p>
        <SameKey firstKey={proved.firstKey} />
      </ReserveResult>
      <CoinRows coins={proved.coins} />
      <Networks statement={proved.statement} />
    </>
  )
}

function AnchorsFile({ name, verdict: { wrong, proved } }: { readonly name: string; readonly verdict: AnchorsVerdict }) {
  const { t } = useTranslation()
  const format = useFormats()
  if (wrong !== undefined) return <Wrong name={name} {...wrong} />
  return (
    <>
      <Result tone={toneOf(proved[0]?.firstKey)} text={t('reserves.anchor.file', { number: format.number(proved.length) })}>
        <p>{name}</p>
        <SameKey firstKey={proved[0]?.firstKey} />
      </Result>
      {proved.slice(0, shownMax).map((one) => (
        <AnchorResult key={one.txid} proved={one} isOfStory={undefined} tone={toneOf(one.firstKey)} />
      ))}
    </>
  )
}

function TapePiece({ name, verdict: { wrong, count, first, last } }: { readonly name: string; readonly verdict: TapeVerdict }) {
  const { t } = useTranslation()
  const format = useFormats()
  if (wrong !== undefined) return <Wrong name={name} {...wrong} />
  if (first === undefined || last === undefined)
    return (
      <Result tone="plain" text={t('verify.read.noTicks')}>
        {name}
      </Result>
    )
  return (
    <Result tone="good" text={t('verify.read.ticks', { count, number: format.number(count) })}>
      <p>
        {name}: {t('verify.read.ticksOf', { from: format.number(first.tick), to: format.number(last.tick), at: format.dateTime(last.at) })}
      </p>
      <p>{t('verify.read.ticksHash', { hash: shortHex(last.hash) })}</p>
    </Result>
  )
}

/** A file that does not hold. Why is said in English, as the verifier says it: whoever asks others needs the same words. */
function Wrong({ name, line, why }: { readonly name: string; readonly line?: number; readonly why: string }) {
  const { t } = useTranslation()
  const format = useFormats()
  return (
    <Result tone="bad" text={t('verify.read.wrong')}>
      {name}: {line !== undefined && t('verify.read.wrongLine', { line: format.number(line) })} <code lang="en">{why}</code>
    </Result>
  )
}

/** No green tick for what another key signed: anybody can draw one. */
function toneOf(firstKey: string | undefined): Tone {
  const known = remembered()?.newest.keys[0]?.publicKey
  return firstKey === undefined || known === undefined || known === firstKey ? 'good' : 'warn'
}

/** Whether the file's first key is the one that this device remembers: a file proves nothing to somebody who knows another key. */
function SameKey({ firstKey }: { readonly firstKey: string | undefined }) {
  const { t } = useTranslation()
  const known = remembered()?.newest.keys[0]?.publicKey
  if (firstKey === undefined) return null
  const key = shortHex(firstKey)
  if (known === undefined) return <p>{t('verify.read.keyUnknown', { key })}</p>
  if (known === firstKey) return <p>{t('verify.read.keyKnown', { key })}</p>
  return <p className="text-danger">{t('verify.read.keyOther', { key })}</p>
}
