/** Announces new entries of the inbox that no event of the user stream tells: coins that come and go, alerts, answers. */
import type { NoticeKind, WireNotice } from '@candor/core/protocol/wire/notices.ts'
import { queries } from '../app/client.ts'
import { marketsNow } from '../app/config.ts'
import { decimalFormats } from '../app/formats.ts'
import { navigate } from '../app/location.ts'
import { onPersonChange, useSession } from '../app/session.ts'
import { useSettings } from '../app/settings.ts'
import { loadArea, useLang } from '../app/texts.ts'
import { translate } from '../app/translate.ts'
import { announce } from '../parts/notices/banner.tsx'
import { notices, noticesQuery, unreadQuery } from '../parts/notices/notices.ts'
import { readViewed } from '../parts/notices/viewed.ts'
import { placeOf } from '../screens/notices/places.ts'
import { noticeWords } from '../screens/notices/words.ts'

/** What others do to the account, or what takes time. What the person does is answered where it is done. */
const announced: ReadonlySet<NoticeKind> = new Set<NoticeKind>([
  ...(['new-device', 'login-failed', 'factor-failed', 'key-used', 'regain-begun', 'webhook-off', 'rest-ended'] as const),
  ...(['signal-refused'] as const),
  ...(['funds-posted', 'deposit-dropped', 'deposit-debt', 'deposit-credited', 'deposit-repaid', 'deposit-final'] as const),
  ...(['deposit-small', 'withdrawal-approved', 'withdrawal-rejected', 'withdrawal-paid', 'withdrawal-failed'] as const),
  ...(['papers-verified', 'papers-rejected', 'papers-revoked', 'support-answered', 'price-alert'] as const),
  ...(['firm-waiting', 'firm-decided', 'firm-invited', 'firm-changed', 'firm-ended', 'firm-answered'] as const),
])

/** Danger to the account or its money. */
const bad: ReadonlySet<NoticeKind> = new Set<NoticeKind>([
  ...(['new-device', 'login-failed', 'factor-failed', 'regain-begun', 'deposit-dropped', 'deposit-debt'] as const),
  ...(['withdrawal-rejected', 'withdrawal-failed', 'papers-rejected', 'papers-revoked'] as const),
])

/** The newest number that was seen; undefined until the first look, whose entries are the bell's. */
let seen: number | undefined
let isLooking = false
onPersonChange(() => (seen = undefined))

/** Looks for new notices, counts them for the bell, and announces those that came since the last look. */
export async function look(): Promise<void> {
  const uid = useSession.getState().me?.uid
  if (isLooking || uid === undefined || document.hidden) return
  isLooking = true
  try {
    const found = await notices.list({ limit: 50 })
    await loadArea('notices')
    // The answer of the last person is not for the next.
    if (useSession.getState().me?.uid !== uid) return
    const read = await readViewed(found.notices)
    const before = seen
    seen = Math.max(before ?? 0, found.notices[0]?.number ?? 0)
    queries.setQueryData(unreadQuery, { unread: found.unread - read })
    if (before === undefined || before === seen) return
    void queries.invalidateQueries({ queryKey: noticesQuery })
    const fresh = found.notices.filter(({ number, kind, readAt }) => number > before && readAt === undefined && announced.has(kind))
    for (const notice of fresh.reverse()) say(notice)
  } catch {
    // The next look tells it.
  } finally {
    isLooking = false
  }
}

function say(notice: WireNotice): void {
  const format = decimalFormats(useLang.getState().tag, useSettings.getState().timeZone)
  const { title, text } = noticeWords(translate, format, marketsNow())(notice)
  const tone = bad.has(notice.kind) ? { tone: 'bad' as const } : {}
  const run = (): void => {
    notices
      .read(notice.number)
      .then(() => queries.invalidateQueries({ queryKey: ['own', 'notices'] }))
      .catch(() => undefined)
    navigate(placeOf(notice))
  }
  announce({
    ...{ text: title, detail: text, ...tone, action: { text: translate('notices.view'), run } },
    group: notice.kind,
    many: (count) => ({
      ...{ text: title, detail: translate('notices.unreadCount', { count }), ...tone },
      action: { text: translate('notices.view'), run: () => navigate('/notices') },
    }),
  })
}
