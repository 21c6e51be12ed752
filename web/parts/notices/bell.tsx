import { Bell as BellIcon } from 'lucide-react'
import { useUnread } from './notices.ts'
import { prefetch } from '../../app/routes.ts'
import { useTranslation } from '../../app/translate.ts'

const shownMax = 99

/** Leads to the notices, and shows how many are unread. `label`: its name, a text that the screen has from the start. */
export function Bell({ label }: { readonly label: string }) {
  const { t } = useTranslation()
  const unread = useUnread()
  return (
    <a
      href="#/notices"
      aria-label={unread === 0 ? label : `${label}: ${t('notices.unreadCount', { count: unread })}`}
      onPointerDown={() => prefetch('/notices')}
      className="press relative flex size-11 items-center justify-center text-fg2"
    >
      <BellIcon size={20} strokeWidth={1.75} aria-hidden />
      {unread > 0 && (
        <span
          aria-hidden
          className="tn absolute end-0.5 top-1 min-w-4.5 rounded-full bg-brand px-1 text-center text-11 leading-4.5 font-semibold text-onbrand"
        >
          {unread > shownMax ? `${shownMax}+` : unread}
        </span>
      )}
    </a>
  )
}
