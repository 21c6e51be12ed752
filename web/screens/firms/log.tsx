import type { WireFirm, WireFirmLogEntry } from '@candor/core/protocol/wire/firm/firm.ts'
import { ScrollText } from 'lucide-react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { firmQuery, firms } from '../../parts/firm/data.ts'
import { Endless } from '../../parts/lists/endless.tsx'
import { Empty } from '../../parts/ui/state.tsx'
import { useLogWords } from './log-words.ts'

/** What members did, newest first. Nobody can change it. */
export function Log({ firm }: { readonly firm: WireFirm }) {
  const { t } = useTranslation()
  return (
    <Endless
      queryKey={[...firmQuery(firm.id), 'log']}
      page={(before) => firms.log(firm.id, before === undefined ? {} : { before })}
      empty={<Empty text={t('firm.logEmpty')} icon={<ScrollText size={22} strokeWidth={1.75} />} />}
    >
      {(items) => (
        <ul className="mx-4 overflow-hidden rounded-card bg-s1 [&>*+*]:border-t [&>*+*]:border-line">
          {items.map((entry) => (
            <Entry key={entry.id} firm={firm} entry={entry} />
          ))}
        </ul>
      )}
    </Endless>
  )
}

function Entry({ firm, entry }: { readonly firm: WireFirm; readonly entry: WireFirmLogEntry }) {
  const { t } = useTranslation()
  const format = useFormats()
  const words = useLogWords()
  const account = firm.accounts.find(({ id }) => id === entry.account)?.label
  const where = [account, entry.device, entry.ip].filter((part) => part !== undefined && part !== '').join(' · ')
  return (
    <li className="flex flex-col gap-0.5 px-4 py-3">
      <span className="flex justify-between gap-3 text-15">
        <span className="min-w-0 break-words">{words(entry.action)}</span>
        <time dateTime={new Date(entry.at).toISOString()} className="tn shrink-0 text-12 text-fg3">
          {format.dateTime(entry.at)}
        </time>
      </span>
      <span className="text-12 break-words text-fg2">{[entry.who ?? t('firm.byExchange'), ...factsOf(entry)].join(' · ')}</span>
      {where !== '' && <span className="text-12 break-words text-fg3">{where}</span>}
    </li>
  )
}

/** Values of an entry that say something by themselves. */
function factsOf({ detail }: WireFirmLogEntry): readonly string[] {
  return ['name', 'label', 'role', 'amount', 'network', 'destination', 'address', 'why'].flatMap((name) => {
    const value = detail[name]
    return typeof value === 'string' && value !== '' ? [value] : []
  })
}
