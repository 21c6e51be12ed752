import {
  type NoticeArea,
  noticeAreas,
  type NoticeChannel,
  noticeChannels,
  noticeKinds,
  type NoticeKind,
  type NoticeTerms,
  noticeTerms,
  type WireNoticeSwitch,
} from '@candor/core/protocol/wire/notices.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { notices } from '../../parts/notices/notices.ts'
import { useTranslation } from '../../app/translate.ts'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Failure, FormError } from '../../parts/ui/state.tsx'
import { Detail } from '../../parts/wide/detail.tsx'
import { PushSetting } from './push-setting.tsx'
import { useChannels } from './words.ts'

const key = ['own', 'notices', 'preferences'] as const
type Chosen = ReadonlyMap<NoticeKind, readonly NoticeChannel[]>

/** The ways of each kind of notice. What protects the account can't be switched off. */
export function PreferencesSheet({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const { t } = useTranslation()
  if (!isOpen) return null
  return (
    <Detail onClose={onClose} title={t('notices.settings')}>
      <div className="flex flex-col gap-5">
        <PushSetting />
        <Kinds />
      </div>
    </Detail>
  )
}

function Kinds() {
  const own = useQuery({ queryKey: key, queryFn: () => notices.preferences() })
  const change = useMutation({
    mutationFn: (body: WireNoticeSwitch) => notices.choose(body),
    onSuccess: (answer) => queries.setQueryData(key, answer),
    onError: () => queries.invalidateQueries({ queryKey: key }),
  })
  if (own.data === undefined) return own.isError ? <Failure error={own.error} isSmall /> : <RowsSkeleton rows={4} />
  const chosen: Chosen = new Map(own.data.preferences.map(({ kind, channels }) => [kind, channels]))
  return (
    <>
      {noticeAreas.map((area) => (
        <Area
          key={area}
          area={area}
          chosen={chosen}
          excludedUntil={own.data.excludedUntil}
          onSwitch={(body) => change.isPending || change.mutate(body)}
        />
      ))}
      <FormError error={change.error} />
    </>
  )
}

type AreaProps = {
  readonly area: NoticeArea
  readonly chosen: Chosen
  readonly excludedUntil: number | undefined
  readonly onSwitch: (body: WireNoticeSwitch) => void
}

function Area({ area, chosen, excludedUntil, onSwitch }: AreaProps) {
  const { t } = useTranslation()
  const format = useFormats()
  const names = {
    security: t('notices.security'),
    account: t('notices.account'),
    funds: t('notices.funds'),
    trading: t('notices.trading'),
  }
  const always = t('notices.alwaysOn')
  const notes = { security: always, account: always, funds: t('notices.fundsHint'), trading: t('notices.tradingHint') }
  return (
    <section className="flex flex-col gap-2">
      <h3 className="text-15 font-semibold">{names[area]}</h3>
      <p className="text-13 text-pretty text-fg2">{notes[area]}</p>
      {area === 'trading' && excludedUntil !== undefined && (
        <p className="rounded-control bg-warntint px-3 py-2.5 text-13 text-pretty">
          {t('notices.excluded', { time: format.dateTime(excludedUntil) })}
        </p>
      )}
      <ul className="flex flex-col">
        {noticeKinds
          .filter((kind) => noticeTerms[kind].area === area)
          .map((kind) => (
            <Kind key={kind} kind={kind} on={chosen.get(kind) ?? []} onSwitch={onSwitch} />
          ))}
      </ul>
    </section>
  )
}

type KindProps = { readonly kind: NoticeKind; readonly on: readonly NoticeChannel[]; readonly onSwitch: AreaProps['onSwitch'] }

function Kind({ kind, on, onSwitch }: KindProps) {
  const { t } = useTranslation()
  const names = useChannels()
  const terms: NoticeTerms = noticeTerms[kind]
  const title = t(`notices.kind.${kind}.title`)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line py-3 last:border-0">
      <span className="min-w-40 flex-1 text-13 text-pretty">{title}</span>
      <span role="group" aria-label={title} className="flex flex-wrap gap-2">
        {noticeChannels
          .filter((channel) => terms[channel] === 'on' || terms[channel] === 'off')
          .map((channel) => {
            const isOn = on.includes(channel)
            return (
              <button
                key={channel}
                type="button"
                role="switch"
                aria-checked={isOn}
                onClick={() => onSwitch({ kind, channel, isOn: !isOn })}
                className={`press min-h-9 rounded-chip px-3 text-13 font-medium ${isOn ? 'bg-brandtint text-brand' : 'bg-s2 text-fg2'}`}
              >
                {isOn ? '✓ ' : ''}
                {names[channel]}
              </button>
            )
          })}
      </span>
    </li>
  )
}
