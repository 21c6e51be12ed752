import { BellRing, BookA, Headset, Info, Mail, Megaphone, Percent, Sparkles, UserRoundPlus } from 'lucide-react'
import { routes } from '../../app/routes.ts'
import { useTranslation } from '../../app/translate.ts'
import { LinkRow, Rows } from '../../parts/ui/row.tsx'

/** Links to further pages. One whose screen does not exist is left out. */
export function Links() {
  const { t } = useTranslation()
  const links = [
    { to: '/alerts', title: t('home.alerts'), Icon: BellRing },
    { to: '/announcements', title: t('home.announcements'), Icon: Megaphone },
    { to: '/join', title: t('home.quickInvite'), Icon: UserRoundPlus },
    { to: '/support', title: t('home.support'), Icon: Headset },
    { to: '/features', title: t('home.to.features'), Icon: Sparkles },
    { to: '/fees', title: t('home.to.fees'), Icon: Percent },
    { to: '/help', title: t('home.to.help'), Icon: BookA },
    { to: '/contact', title: t('home.to.contact'), Icon: Mail },
    { to: '/about', title: t('shell.about'), Icon: Info },
  ].filter(({ to }) => Object.hasOwn(routes, to))
  return (
    <Rows>
      {links.map(({ to, title, Icon }) => (
        <LinkRow key={to} to={to} title={title} icon={<Icon size={20} strokeWidth={1.75} />} />
      ))}
    </Rows>
  )
}
