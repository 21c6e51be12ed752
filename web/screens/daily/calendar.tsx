import type { WireProfitDay } from '@candor/core/protocol/wire/days/daily.ts'
import { useFormats } from '../../app/format.ts'
import { useSettings } from '../../app/settings.ts'
import { useLang } from '../../app/texts.ts'
import { useTranslation } from '../../app/translate.ts'
import { type Cell, monthCells, startOf } from './days.ts'
import { toneOf } from './figure.tsx'

/** A month with the profit of each day, which leads to the day's statement. */
export function Calendar({ month, days }: { readonly month: string; readonly days: readonly WireProfitDay[] }) {
  const { tag } = useLang()
  const weekday = new Intl.DateTimeFormat(tag, { weekday: 'narrow', timeZone: 'UTC' })
  const longday = new Intl.DateTimeFormat(tag, { weekday: 'long', timeZone: 'UTC' })
  // 1 January 2024 was a Monday.
  const names = Array.from({ length: 7 }, (_, day) => Date.UTC(2024, 0, 1 + day))
  return (
    <table className="w-full table-fixed border-separate border-spacing-0.5">
      <thead>
        <tr>
          {names.map((day) => (
            <th key={day} scope="col" abbr={longday.format(day)} className="pb-1 text-center text-11 font-normal text-fg3">
              {weekday.format(day)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {monthCells(month, days).map((week, index) => (
          <tr key={`${month} ${index}`}>
            {week.map((cell, at) => (
              <Day key={cell?.day ?? at} cell={cell} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Day({ cell }: { readonly cell: Cell | undefined }) {
  const { t } = useTranslation()
  const { tag } = useLang()
  const format = useFormats()
  const isHidden = useSettings((settings) => settings.hideBalances)
  if (cell === undefined) return <td />
  const { day, profit } = cell
  const number = Number(day.slice(-2))
  // A day that has not come, or on which there was nothing.
  if (profit === undefined || (Number(profit.totalUsdt) === 0 && Number(profit.profitUsdt) === 0 && profit.profitUsdt !== null))
    return (
      <td className="p-0 text-center align-top">
        <span className="tn block pt-1.5 text-11 text-fg3">{number}</span>
      </td>
    )
  const value = Number(profit.profitUsdt ?? 0)
  const ground = value > 0 ? 'bg-uptint' : value < 0 ? 'bg-downtint' : 'bg-s2'
  const short = Math.abs(value) >= 1_000 ? format.compact(Math.round(value)) : format.number(value, 0, Math.abs(value) < 10 ? 1 : 0)
  const shown = profit.profitUsdt === null ? '–' : isHidden ? '••' : `${value > 0 ? '+' : ''}${short.replace('-', '−')}`
  const date = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' }).format(startOf(day))
  const spoken = profit.profitUsdt === null ? t('daily.missing') : isHidden ? t('common.hidden') : `${shown} USDT`
  return (
    <td className="p-0">
      <a
        href={`#/daily?day=${day}`}
        className={`press flex h-12 flex-col items-center justify-center overflow-hidden rounded-chip ${ground}`}
      >
        <span className="sr-only">
          {date}: {spoken}
        </span>
        <span aria-hidden className="tn text-11 text-fg2">
          {number}
        </span>
        <span aria-hidden className={`tn max-w-full truncate text-11 font-medium ${toneOf(value)}`}>
          {shown}
        </span>
      </a>
    </td>
  )
}
