import type { ProofHead } from '@candor/core/proof/head.ts'
import type { Receipt, ReceiptLine } from '@candor/core/proof/receipt.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { titleOf } from './receipt-words.ts'

/** A proved receipt as it can be read: place and time, then the command and what it did, in the words of the journal. */
export function ReceiptText({ receipt, head }: { readonly receipt: Receipt; readonly head: ProofHead }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { seq, at, user } = receipt
  return (
    <div className="rounded-control bg-s2 p-3 text-12 text-fg2">
      <p className="text-13 font-semibold text-fg">{titleOf(receipt, t)}</p>
      <p className="tn">{t('verify.receipt.place', { seq: format.number(seq), at: format.dateTime(at) })}</p>
      <p className="tn">{t('verify.receipt.covered', { n: format.number(head.n), user })}</p>
      <ReceiptLines receipt={receipt} />
    </div>
  )
}

/** What a receipt says, line by line. */
export function ReceiptLines({ receipt: { command, events } }: { readonly receipt: Receipt }) {
  const { t } = useTranslation()
  const lines = [...(command === undefined ? [] : [command]), ...events]
  return (
    <details className="text-12 text-fg2">
      <summary className="min-h-6 text-brand">{t('verify.receipt.text')}</summary>
      <ul lang="en" className="tn flex flex-col gap-1 pt-1">
        {lines.map((line, index) => (
          <Line key={index} line={line} />
        ))}
      </ul>
    </details>
  )
}

function Line({ line: { name, facts } }: { readonly line: ReceiptLine }) {
  const said = Object.entries(facts).map(([fact, value]) => `${fact} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
  return (
    <li className="break-words">
      <span className="font-medium text-fg">{name}</span> {said.join(' · ')}
    </li>
  )
}
