import { useEffect, useRef, useState } from 'react'
import { addStyles } from '../../../app/wide/add-styles.ts'
import { useTranslation } from '../../../app/translate.ts'
import css from './tables.css?inline'

addStyles(css)

/** A line of the table; a text that is missing is a dash. `of`: a word after the number, in grey. */
export type SentRow = {
  readonly label: string
  readonly buy: string | undefined
  readonly sell: string | undefined
  readonly of?: { readonly buy: string; readonly sell: string }
  readonly tone?: 'warn'
}

/** At most this often a second, the numbers follow the book. */
const everyMs = 250

/** *If sent now*: what an order of each side would do. */
export function SentTable({ rows }: { readonly rows: readonly SentRow[] }) {
  const { t } = useTranslation()
  const shown = useCalm(rows)
  return (
    <table className="tb-sent tn" data-sent>
      <thead>
        <tr>
          <th scope="col">{t('terminal.sent.title')}</th>
          <th scope="col" className="text-up">
            {t('trade.buy')}
          </th>
          <th scope="col" className="text-down">
            {t('trade.sell')}
          </th>
        </tr>
      </thead>
      <tbody>
        {shown.map(({ label, buy, sell, of, tone }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td className={tone === 'warn' && buy !== undefined ? 'text-warn' : ''}>
              {buy ?? '–'}
              {buy !== undefined && of !== undefined && <small> {of.buy}</small>}
            </td>
            <td className={tone === 'warn' && sell !== undefined ? 'text-warn' : ''}>
              {sell ?? '–'}
              {sell !== undefined && of !== undefined && <small> {of.sell}</small>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The newest rows, but never two changes within a quarter of a second. */
function useCalm(rows: readonly SentRow[]): readonly SentRow[] {
  const [shown, setShown] = useState(rows)
  const latest = useRef(rows)
  latest.current = rows
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isNew = JSON.stringify(rows) !== JSON.stringify(shown)
  useEffect(() => {
    if (!isNew || timer.current !== undefined) return
    timer.current = setTimeout(() => {
      timer.current = undefined
      setShown(latest.current)
    }, everyMs)
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  return shown
}
